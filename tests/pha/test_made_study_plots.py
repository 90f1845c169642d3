"""The pictures of the page on made studies: whole documents that show what they say they show."""

from xml.etree import ElementTree

import pytest

from pha.made_study_plots import marginals_picture, week_picture

SVG = "{http://www.w3.org/2000/svg}"


def marks(picture: str, name: str, kind: str) -> list[ElementTree.Element]:
    found = ElementTree.fromstring(picture).iter(f"{SVG}{name}")
    return [element for element in found if kind in (element.get("class") or "").split()]


@pytest.fixture(scope="module")
def week() -> str:
    return week_picture()


@pytest.fixture(scope="module")
def marginals() -> str:
    return marginals_picture()


def test_a_week_has_its_nights_and_steps_and_gaps_where_nothing_was_worn(week: str) -> None:
    assert 7 <= len(marks(week, "rect", "sleep")) <= 16
    assert len(marks(week, "path", "steps")) > 100
    assert len(marks(week, "path", "made")) > 1


def test_published_figures_stand_as_dots_on_both_lines(marginals: str) -> None:
    assert len(marks(marginals, "circle", "published")) == 2 * 6 + 6 + 3 + 6
    assert len(marks(marginals, "path", "made")) + len(marks(marginals, "path", "second")) == 5


def test_everything_lies_within_the_picture(marginals: str) -> None:
    root = ElementTree.fromstring(marginals)
    for panel in root.iter(f"{SVG}g"):
        for dot in panel.iter(f"{SVG}circle"):
            assert 46 <= float(dot.get("cx") or 0) <= 300
            assert 8 <= float(dot.get("cy") or 0) <= 190


def test_a_picture_is_the_same_every_time(week: str) -> None:
    assert week_picture() == week
