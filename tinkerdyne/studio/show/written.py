"""What is written into the script of a page."""

from __future__ import annotations

from tinkerdyne.studio.show.describe import encoder


def written(value: object) -> str:
    """A value as JSON that ends no script: "<" stands there as an escape, so </script> cannot appear."""
    text = encoder.encode(value).decode()
    for character in "<\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
