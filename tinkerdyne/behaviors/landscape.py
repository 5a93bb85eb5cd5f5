"""Images in and out, and the landscape of edges that is made of one (G4)."""

from __future__ import annotations

import base64
import io
import os
import warnings
import zlib
from typing import IO

import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.language.arrays import Array

LARGEST_SIDE = 8192  # pixels: beyond, filtering takes minutes
SMALLEST_SIDE = 4  # pixels of a cubic spline
DATA = "data:image/png;base64,"


def image_from(source: ArrayLike | os.PathLike[str], *, what: str = "an image") -> Array:
    """Brightness, rows × columns, float32: of an array (grey, RGB or RGBA), a PNG or JPEG file, or a data:
    text."""
    if isinstance(source, str) and source.startswith("data:"):
        if not source.startswith(DATA):
            raise ValueError(f"{what} must be a PNG as text, {DATA}…, not {source[:40]!r}…")
        try:
            source = _opened(what, io.BytesIO(base64.b64decode(source[len(DATA) :], validate=True)))
        except ValueError as problem:
            raise ValueError(f"{what} is no PNG as text: {problem}") from None
    elif isinstance(source, (str, os.PathLike)):
        source = _opened(f"{what} {os.fspath(source)!r}", source)
    given = np.asarray(source)
    if (
        given.dtype.kind not in "fiub"
        or given.ndim not in (2, 3)
        or (given.ndim == 3 and given.shape[2] not in (1, 3, 4))
    ):
        raise ValueError(
            f"{what} must be an array of rows × columns (× 1, 3 or 4 colours), not {given.dtype} of "
            f"{given.shape}"
        )
    if min(given.shape[:2]) < SMALLEST_SIDE or max(given.shape[:2]) > LARGEST_SIDE:
        sides = f"{SMALLEST_SIDE} to {LARGEST_SIDE} pixels a side"
        raise ValueError(
            f"{what} must have {sides}, not {given.shape[0]} × {given.shape[1]}; cut it or scale it"
        )
    grey = given.astype(np.float32, copy=False)
    if given.ndim == 3:
        grey = (
            grey[:, :, 0]
            if given.shape[2] == 1
            else grey[:, :, :3] @ np.array((0.2125, 0.7154, 0.0721), np.float32)
        )
    if not np.isfinite(grey).all():
        row, column = np.argwhere(~np.isfinite(grey))[0]
        raise ValueError(
            f"{what} has a value that is not finite, {grey[row, column]}, at row {row}, column {column}; "
            "replace it"
        )
    return grey


def _opened(what: str, source: IO[bytes] | str | os.PathLike[str]) -> Array:
    """The pixels of an image file."""
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError as problem:
        raise ImportError("reading image files needs Pillow: pip install 'tinkerdyne[image]'") from problem
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            found = Image.open(source)
            if max(found.size) > LARGEST_SIDE:
                raise ValueError(
                    f"{what} has {found.size[1]} × {found.size[0]} pixels; at most {LARGEST_SIDE} a side"
                )
            return np.asarray(
                found if found.mode in ("L", "RGB", "RGBA", "I;16", "I", "F") else found.convert("RGB")
            )
    except UnidentifiedImageError:
        raise ValueError(f"{what} is not an image file that can be read, such as PNG or JPEG") from None
    except (OSError, SyntaxError, Image.DecompressionBombError, Image.DecompressionBombWarning) as problem:
        raise ValueError(f"{what} cannot be read: {problem}") from None


class ImageText(str):
    """An image as the text of a PNG, which scene files and browsers take, with what was computed of it: these
    live together."""

    __slots__ = ("landscapes", "pixels")
    pixels: Array | None
    landscapes: dict[tuple[float, ...], Landscape]

    def __new__(cls, text: str, pixels: Array | None = None) -> ImageText:
        """The pixels are those of the text, given where they are at hand."""
        made = super().__new__(cls, text)
        made.pixels, made.landscapes = pixels, {}
        return made

    def landscape(self, scales: tuple[float, ...]) -> Landscape:
        """Its edges at these scales."""
        if scales not in self.landscapes:
            if self.pixels is None:
                self.pixels = image_from(self)
            self.landscapes[scales] = Landscape(self.pixels, scales)
        return self.landscapes[scales]


def image_text(image: ArrayLike | os.PathLike[str]) -> ImageText:
    """An image as the text of a PNG: 8 bits where those are exact, else 16 from its darkest to its
    brightest."""
    from PIL import Image

    grey = image_from(image)
    low, high = float(grey.min()), float(grey.max())
    if low >= 0 and high <= 255 and np.array_equal(grey, np.round(grey)):
        levels = grey.astype(np.uint8)
    else:
        levels = np.round((grey - low) * (65535 / max(high - low, 1e-30))).astype(np.uint16)
    file = io.BytesIO()
    Image.fromarray(levels).save(file, "PNG", compress_level=1, compress_type=zlib.Z_RLE)
    return ImageText(DATA + base64.b64encode(file.getvalue()).decode(), levels.astype(np.float32))


# --- the landscape -----------------------------------------------------------------------------------
def edges(image: Array, scales: tuple[float, ...]) -> Array:
    """How much of an edge each pixel is, 0 … 1: the mean over σ of |∇ G_σ * image|, each divided by its
    largest value."""
    from scipy import ndimage

    total = np.zeros(image.shape, np.float32)
    for sigma in scales:
        smooth = ndimage.gaussian_filter(image, sigma, mode="nearest", truncate=3.0)
        up, across = (ndimage.correlate1d(smooth, (-0.5, 0.0, 0.5), axis, mode="nearest") for axis in (0, 1))
        found = np.sqrt(up * up + across * across)
        total += found / max(float(found.max()), 1e-30)
    return total / len(scales)


class Landscape:
    """Spline coefficients of a picture's edges, bottom row first, with a margin, so that every point has its
    4 × 4 of them."""

    def __init__(self, pixels: Array, scales: tuple[float, ...]) -> None:
        from scipy import ndimage

        self.edges = edges(pixels, scales)
        self.rows, self.columns = self.edges.shape
        coefficients = ndimage.spline_filter(self.edges[::-1], 3, output=np.float64, mode="mirror")
        self.coefficients = np.ascontiguousarray(np.pad(coefficients, ((1, 2), (1, 2)), mode="reflect"))

    @property
    def row(self) -> list[float]:
        """What kernels need to find them. Addresses are below 2⁵³, exact as a float64."""
        return [float(self.coefficients.ctypes.data), float(self.columns), float(self.rows)]
