"""Models of other programs in: MJCF (.xml) and URDF (.urdf) files become worlds."""

from __future__ import annotations

import os
from pathlib import Path

from tinkerdyne.formats.assets import Assets
from tinkerdyne.formats.build import built
from tinkerdyne.formats.kinematics import settle_springs
from tinkerdyne.formats.markup import Element, FormatError, parsed, read_markup
from tinkerdyne.formats.mjcf import machine_of_mjcf
from tinkerdyne.formats.model import ReadModel
from tinkerdyne.formats.report import Report
from tinkerdyne.formats.rigging import rigged
from tinkerdyne.formats.urdf import is_urdf, machine_of_urdf

ENDINGS = (".xml", ".mjcf", ".urdf")


def read_model(path: str | os.PathLike[str], *, floating: bool = False, contact: bool = True) -> ReadModel:
    """Read a robot (.urdf) or an MJCF model (.xml): its world, joints and actuators, and what was left out.

    floating: whether the root of a robot is free, else it stands in the world. contact: whether shapes touch.
    """
    file = Path(path)
    if file.suffix.lower() not in ENDINGS:
        hint = "; run xacro first" if file.suffix.lower() == ".xacro" else ""
        raise FormatError(
            f"{file} is no model that can be read: its name must end with {', '.join(ENDINGS)}{hint}"
        )
    if not file.is_file():
        raise FileNotFoundError(f"there is no file {file}")
    return _read(read_markup(file), file, floating, contact)


def read_model_text(
    text: str, name: str = "model.xml", *, floating: bool = False, contact: bool = True
) -> ReadModel:
    """The same of a text; files that it names are looked for in the working folder."""
    return _read(parsed(text.encode(), Path(name)), Path(name), floating, contact)


def _read(root: Element, file: Path, floating: bool, contact: bool) -> ReadModel:
    report = Report()
    assets = Assets(file.parent, contact)
    if is_urdf(root):
        machine = machine_of_urdf(root, report, assets, floating=floating)
    elif root.tag == "mujoco":
        machine = machine_of_mjcf(root, report, assets)
    else:
        raise FormatError(
            f"{file.name} begins with <{root.tag}>; a robot begins with <robot>, an MJCF model with <mujoco>"
        )
    rigged(machine, report)
    settle_springs(machine)
    if not machine.links:
        raise FormatError(f"{file.name} has nothing that moves: all its links are fixed to the world")
    return built(machine, report, with_contact=contact)
