"""From a page to text for a model: what is on it to be read, as Markdown."""

import codecs
from typing import Any, Final

import attrs

from ._http import Page

_HTML: Final = {"text/html", "application/xhtml+xml"}
_TEXTS: Final = {
    "application/json",
    "application/xml",
    "application/javascript",
    "application/yaml",
    "application/toml",
}
_UNSEEN: Final = ("script", "style", "noscript", "template", "head")


@attrs.frozen
class Reading:
    """What there is to read on a page."""

    title: str
    text: str


def is_text(page: Page) -> bool:
    """Tell whether a page can be read."""
    kind = page.mime_type
    if not kind or kind == "application/octet-stream":
        return b"\0" not in page.content and _decodes(page.content)
    return kind.startswith("text/") or kind in _HTML | _TEXTS or kind.endswith(("+json", "+xml"))


def read(page: Page) -> Reading:
    """Read a page that is text."""
    text = _decoded(page)
    if page.mime_type not in _HTML:
        return Reading("", text)
    return _from_html(text, page.url)


def _decodes(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _decoded(page: Page) -> str:
    """Decode a page by what its server says, else by its own mark or meta element, else as UTF-8."""
    import trafilatura

    try:
        codecs.lookup(page.charset)
    except (LookupError, ValueError):
        return str(trafilatura.utils.decode_file(page.content))
    return page.content.decode(page.charset, "replace")


def _from_html(html: str, url: str) -> Reading:
    import trafilatura

    options: dict[str, Any] = {
        "url": url,
        "include_links": True,
        "include_tables": True,
        "favor_recall": True,
        "fast": True,
    }
    text = trafilatura.extract(html, output_format="markdown", **options)
    tree = trafilatura.load_html(html)
    if tree is None:
        return Reading("", text or html)
    title = " ".join("".join(tree.xpath("//title[1]//text()")).split())
    return Reading(title, text or _visible(tree))


def _visible(tree: Any) -> str:
    """Return all text of a page: the library finds no article on short ones."""
    from lxml import etree

    etree.strip_elements(tree, *_UNSEEN, with_tail=False)
    lines = (" ".join(text.split()) for text in tree.itertext())
    return "\n".join(line for line in lines if line)
