"""Reads a page as a browser would, for the tests: elements, attributes, text, and faults of form."""

import base64
import hashlib
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"meta", "br", "rect", "link", "img", "input", "hr"})


@dataclass
class Page(HTMLParser):
    """A parsed page. ``faults`` lists tags that do not close in order."""

    html: str
    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    text: str = ""
    style: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[str] = []
        self.feed(self.html)
        self.faults += [f"<{tag}> is not closed" for tag in self._open]

    def __hash__(self) -> int:
        return id(self)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self._open or self._open.pop() != tag:
            self.faults.append(f"</{tag}> out of order")
        self.text += " " if tag in ("td", "th") else ""

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "style":
            self.style += data
        else:
            self.text += data

    def all(self, attribute: str) -> list[str]:
        return [str(attrs[attribute]) for _, attrs in self.elements if attribute in attrs]

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.elements)

    @property
    def words(self) -> str:
        return " ".join(self.text.split())

    def check_form(self) -> None:
        """What every page of ours must be: whole, self-contained, unable to load or run anything."""
        assert self.html.startswith("<!doctype html>")
        assert self.faults == []
        assert ("html", {"lang": "en"}) in self.elements
        ids = self.all("id")
        assert len(ids) == len(set(ids)), "ids are unique"
        for href in self.all("href"):
            assert not href.startswith("#") or href[1:] in ids, f"{href} leads nowhere"
            assert href.startswith(("#", "http://", "https://")) or href.endswith(".html"), href
        tags = {tag for tag, _ in self.elements}
        assert not tags & {"script", "iframe", "object", "embed", "link", "img", "form", "base"}
        names = {name for _, attrs in self.elements for name in attrs}
        assert not {name for name in names if name.startswith("on")} | (names & {"src", "style", "srcset"})
        assert "url(" not in self.style
        assert "@import" not in self.style
        digest = base64.b64encode(hashlib.sha256(self.style.encode()).digest()).decode()
        policy = next(a["content"] for t, a in self.elements if t == "meta" and "http-equiv" in a)
        assert policy == (
            f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
        )
        pictures = sum(tag == "svg" and "role" in attrs for tag, attrs in self.elements)
        assert self.html.count("<title>") == pictures + 1, "every picture says what it shows"
        assert self.html.count("<desc>") == pictures
