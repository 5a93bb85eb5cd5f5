"""Formats of other programs: models (MJCF, URDF) come in as worlds; worlds go out as glTF, USD and MJCF."""

from tinkerdyne.formats.markup import FormatError
from tinkerdyne.formats.model import ReadModel
from tinkerdyne.formats.reading import read_model, read_model_text
from tinkerdyne.formats.report import Report
from tinkerdyne.formats.writing import write_model

__all__ = ["FormatError", "ReadModel", "Report", "read_model", "read_model_text", "write_model"]
