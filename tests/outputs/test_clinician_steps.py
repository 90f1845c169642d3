"""Steps of waiting matters as the clinician reads them on the participant's page."""

import pytest

from outputs.reports.clinician import step_on_page
from schemas.errors import CODES


@pytest.mark.parametrize(
    ("step", "read"),
    [
        ("Open the participant's clinician page.", ""),
        (
            "Open the participant's clinician page now and follow the study's safety plan.",
            "Follow the study's safety plan.",
        ),
        ("Sync the device.", "Sync the device."),
        (None, ""),
    ],
)
def test_nobody_is_asked_to_open_the_page_they_read(step: str | None, read: str) -> None:
    assert step_on_page(step) == read


def test_no_declared_step_asks_for_the_page_it_stands_on() -> None:
    for code in CODES.values():
        assert "Open the participant's clinician page" not in step_on_page(code.next_step), code.name
