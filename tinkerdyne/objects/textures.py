"""Textures: colours of an image that a troid carries along, as the text of a PNG, which scene files and
browsers take (G6)."""

from __future__ import annotations

import base64
import binascii
import io
import os
import warnings
from typing import IO, Any, TypeAlias

import numpy as np

from tinkerdyne.language.arrays import Array

Image: TypeAlias = Any  # of Pillow, which is loaded when it is first wanted
DATA = "data:image/png;base64,"
LARGEST_SIDE = 8192  # pixels of an image that is read
LARGEST_IMAGE = 4096 * 4096  # pixels whose masses are added up
SHOWN_SIDE = 512  # pixels of a texture: more than a troid covers on a screen


class Texture(str):
    """The text of a PNG."""

    __slots__ = ()


def texture_from(what: str, source: object) -> Texture:
    """The texture of an array (grey, RGB or RGBA; 0 … 255, or 0 … 1), of a PNG or JPEG file, or of its own
    text.

    A file is given as its Path or as its bytes; "" is no texture. Other texts are refused: scene files must
    not make us read files.
    """
    if isinstance(source, Texture) or (isinstance(source, str) and not source):
        return Texture(source)
    if isinstance(source, str):
        return _checked(what, source)
    if isinstance(source, bytes):
        return _written(_opened(what, io.BytesIO(source)))
    if isinstance(source, os.PathLike):
        return _written(_opened(f"{what} {os.fspath(source)!r}", source))
    return _written(_made(what, source))


def levels_and_texture(what: str, source: str | bytes | os.PathLike[str]) -> tuple[Array, Texture]:
    """Pixels of a PNG or JPEG, rows × columns × 3 or 4 colours, 0 … 255, and the texture of it, which may
    have fewer.

    It is given as its path, as its bytes, or as the text of a PNG.
    """
    if isinstance(source, str) and source.startswith(DATA):
        return np.asarray(_opened(what, io.BytesIO(_decoded(what, source)))), texture_from(what, source)
    if isinstance(source, bytes):
        image = _opened(what, io.BytesIO(source))
    else:
        image = _opened(f"{what} {os.fspath(source)!r}", source)
    while image.width * image.height > LARGEST_IMAGE:
        image = image.reduce(2)  # means of four pixels: their mass stays where it was
    return np.asarray(image), _written(image)


def levels_of(texture: Texture) -> Array:
    """The pixels of a texture, rows × columns (× 3 or 4 colours), 0 … 255."""
    return np.asarray(_opened("texture", io.BytesIO(base64.b64decode(texture[len(DATA) :]))))


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError as problem:
        raise ImportError("textures need Pillow: pip install 'tinkerdyne[image]'") from problem
    return Image


def _checked(what: str, text: str) -> Texture:
    """A PNG as text, kept as it is where it is small enough."""
    if not text.startswith(DATA):
        raise ValueError(f"{what} must be an array, a PNG as text, {DATA}…, or a file: Path({text[:80]!r})")
    image = _opened(what, io.BytesIO(_decoded(what, text)))
    return Texture(text) if max(image.size) <= SHOWN_SIDE else _written(image)


def _decoded(what: str, text: str) -> bytes:
    """The bytes of a PNG that is given as text."""
    try:
        return base64.b64decode(text[len(DATA) :], validate=True)
    except binascii.Error as problem:
        raise ValueError(f"{what} is no PNG as text: {problem}") from None


def _opened(what: str, file: IO[bytes] | str | os.PathLike[str]) -> Image:
    """The image of a file, whose size is checked before it is unpacked."""
    Image = _pillow()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(file, formats=("PNG", "JPEG")) as found:
                if max(found.size) > LARGEST_SIDE:
                    size = f"{found.size[0]} × {found.size[1]} pixels"
                    raise ValueError(f"{what} has {size}; at most {LARGEST_SIDE} a side: scale it down")
                found.load()
                return found.convert(
                    "RGBA" if "A" in found.getbands() or "transparency" in found.info else "RGB"
                )
    except Image.UnidentifiedImageError:
        raise ValueError(f"{what} is no PNG or JPEG image that can be read") from None
    except (OSError, SyntaxError, Image.DecompressionBombError, Image.DecompressionBombWarning) as problem:
        raise ValueError(f"{what} cannot be read: {problem}") from None


def _made(what: str, source: object) -> Image:
    """The image of an array."""
    pixels = np.asarray(source)
    colours = pixels.shape[2] if pixels.ndim == 3 else 1
    if pixels.dtype.kind not in "fiub" or pixels.ndim not in (2, 3) or colours not in (1, 3, 4):
        raise ValueError(
            f"{what} must be rows × columns (× 1, 3 or 4 colours), not {pixels.dtype} of shape {pixels.shape}"
        )
    if not 1 <= min(pixels.shape[:2]) <= max(pixels.shape[:2]) <= LARGEST_SIDE:
        raise ValueError(
            f"{what} must have 1 to {LARGEST_SIDE} pixels a side, not {pixels.shape[0]} × {pixels.shape[1]}"
        )
    levels = pixels.astype(float)
    if not np.isfinite(levels).all() or levels.min() < 0 or levels.max() > 255:
        span = f"{levels.min():g} to {levels.max():g}"
        raise ValueError(f"{what} must have finite levels from 0 to 255, or to 1; they run from {span}")
    if pixels.dtype.kind in "fb" and levels.max() <= 1:
        levels *= 255
    found = np.round(levels).astype(np.uint8)
    return _pillow().fromarray(found[..., 0] if colours == 1 and pixels.ndim == 3 else found)


def _written(image: Image) -> Texture:
    """A PNG as text, made smaller where no screen would show more."""
    image.thumbnail((SHOWN_SIDE, SHOWN_SIDE))
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return Texture(DATA + base64.b64encode(file.getvalue()).decode())
