"""Templates into pages: escaped everywhere, self-contained, and nothing may be loaded or run."""

import base64
import hashlib
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from outputs.reports import words

TEMPLATES = Path(__file__).parent / "templates"
WORDS = ("day", "plain", "counted", "window", "moment")


def render(template: str, **context: object) -> str:
    """A page. The only style that applies is ours, held by its digest; scripts and requests are forbidden."""
    style, policy = _style()
    return environment().get_template(template).render(style=style, policy=policy, **context)


@cache
def environment() -> Environment:
    """The templates, with every value escaped and no undefined name passed over in silence."""
    found = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters.update({name: getattr(words, name) for name in WORDS})
    return found


@cache
def _style() -> tuple[Markup, str]:
    """Our style sheet and the policy that lets it, and nothing else, into a page."""
    style = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return Markup(style), policy  # noqa: S704 - our own file
