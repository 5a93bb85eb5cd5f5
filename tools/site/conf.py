"""Sphinx's settings for the documentation site. It needs no network, neither to be built nor to be read."""

from __future__ import annotations

import re
import unicodedata

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

project = "Tinkerdyne"
author = "The Tinkerdyne authors"
copyright = "The Tinkerdyne authors, MIT licence"
extensions = ["myst_parser"]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # some pages begin with a lower heading
default_role = "code"
add_module_names = False
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"
highlight_language = "none"

html_theme = "furo"
html_title = "Tinkerdyne"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["gallery.js"]
html_math_renderer = "mathml"
html_show_search_summary = False  # it would be fetched, which a page from disk may not do
html_copy_source = False
html_show_sphinx = False
html_extra_path = ["extra"]  # the scenes' own pages, as they are
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b6e63", "color-brand-content": "#0b6e63"},
    "dark_css_variables": {"color-brand-primary": "#5cc9b8", "color-brand-content": "#5cc9b8"},
}
DOTS = {"˙": "\u0307", "¨": "\u0308"}
DOTTED = re.compile(r'<mover accent="true">\s*<mi>([^<]+)</mi>\s*<mo stretchy="false">([˙¨])</mo>\s*</mover>')
pygments_style = "friendly"
pygments_dark_style = "monokai"


def dotted(match: re.Match[str]) -> str:
    """A letter with its dots as one character: accents lie on letters where no font of mathematics is."""
    letter, dots = match[1], DOTS[match[2]]
    style = ' style="font-style: italic"' if len(letter) == 1 else ""
    return f"<mi{style}>{unicodedata.normalize('NFC', letter[0] + dots)}{letter[1:]}</mi>"


def mathml(node: nodes.Node, *, is_block: bool) -> str:
    """TeX as MathML, with bars that know their side, and dots above their letters."""
    text = tex2mathml(node.astext(), as_block=is_block)
    text = text.replace('<mo class="mathopen">|</mo>', '<mo form="prefix" stretchy="false">|</mo>')
    text = DOTTED.sub(dotted, text)
    return text.replace("<mo>|</mo>", '<mo form="postfix" stretchy="false">|</mo>')


def visit_inline(writer: HTML5Translator, node: nodes.Element) -> None:
    writer.body.append(mathml(node, is_block=False))
    raise nodes.SkipNode


def visit_block(writer: HTML5Translator, node: nodes.Element) -> None:
    writer.body.append(f'<div class="math">{mathml(node, is_block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
