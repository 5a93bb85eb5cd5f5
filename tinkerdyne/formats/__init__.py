"""Formats of other programs: models (MJCF, URDF) come in as worlds."""

from tinkerdyne.formats.markup import FormatError
from tinkerdyne.formats.model import ReadModel
from tinkerdyne.formats.reading import read_model, read_model_text
from tinkerdyne.formats.report import Report

__all__ = ["FormatError", "ReadModel", "Report", "read_model", "read_model_text"]
