"""Settings of Sphinx for the documentation site, which tools/docs builds."""

import re
from pathlib import Path

_LISTS = (Path(__file__).resolve().parents[2] / "CMakeLists.txt").read_text(encoding="utf-8")

project = "Holdfast"
release = version = re.search(r"^project\(.*?VERSION (\S+)", _LISTS, re.M | re.S)[1]
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
# Quotes and hyphens stay what was typed: most of them belong to commands.
smartquotes = False
highlight_language = "text"
suppress_warnings = ["myst.header"]  # a page's first heading may be deeper where pages are put together

html_theme = "furo"
html_title = f"Holdfast {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_use_index = False
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_search_scorer = str(Path(__file__).resolve().parent / "scorer.js")
# Summaries of what was found would be fetched, which a browser refuses for pages that were opened from a disk.
html_show_search_summary = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5c8a", "color-brand-content": "#0b5c8a"},
    "dark_css_variables": {"color-brand-primary": "#6cb8e6", "color-brand-content": "#6cb8e6"},
}
