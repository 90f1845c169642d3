"""The few marks that charts are made of, as SVG text. Every text passes here and is escaped here."""

from collections.abc import Iterable

from markupsafe import Markup, escape


def element(name: str, content: str | Markup = "", **attributes: object) -> Markup:
    """One element. ``class_`` stands for class; underscores become hyphens; content is escaped if plain."""
    # Joined as plain text, with every value escaped here: Markup.format costs ten times as much.
    pairs = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_short(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{pairs}>{escape(content)}</{name}>")  # noqa: S704


def picture(
    width: int, height: int, title: str, description: str, marks: Iterable[Markup], kind: str
) -> Markup:
    """An image that scales with the page and tells its content to those who cannot see it."""
    return element(
        "svg",
        element("title", title) + element("desc", description) + Markup("").join(marks),
        class_=kind,
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
    )


def line_through(points: Iterable[tuple[float, float]], kind: str) -> Markup:
    """A line through points."""
    return element("path", d="M" + "L".join(f"{_short(x)} {_short(y)}" for x, y in points), class_=kind)


def repeated(
    places: Iterable[tuple[float, float]], stroke: str, kind: str, width: float | None = None
) -> Markup:
    """One path that draws the same or a like stroke from many places: a tenth of as many elements."""
    d = "".join(f"M{_short(x)} {_short(y)}{stroke}" for x, y in places)
    return element("path", d=d, class_=kind, stroke_width=width)


def label(x: float, y: float, text: str, kind: str = "tick", anchor: str | None = None) -> Markup:
    """A short text at a place."""
    return element("text", text, x=x, y=y, class_=kind, text_anchor=anchor)


def _short(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
