"""The page of rules says what the declarations say."""

from pathlib import Path

from health_agents.wording import find_medical_words
from outputs.findings.check import RULES
from outputs.findings.rule_list import rules_markdown, with_rules

PAGE = Path(__file__).parents[2] / "docs" / "findings.md"


def test_the_page_is_not_stale() -> None:
    assert PAGE.read_text(encoding="utf-8") == with_rules(PAGE.read_text(encoding="utf-8")), (
        "mend it with: make docs"
    )


def test_every_rule_stands_there_with_its_source() -> None:
    text = rules_markdown()
    for rule in RULES:
        assert f"### `{rule.rule_id}`" in text
        assert rule.guideline.cited in text


def test_declarations_are_whole() -> None:
    for rule in RULES:
        assert all((rule.title, rule.inputs, rule.window, rule.sufficiency, rule.gate, rule.bands)), (
            rule.rule_id
        )
        assert rule.guideline.url is None or rule.guideline.url.startswith("https://")
        assert rule.topic in ("data", "heart", "activity", "sleep", "body", "labs", "surveys")


def test_what_a_participant_may_be_told_is_named_without_a_condition_or_a_danger() -> None:
    """A participant reads titles ("talk to your clinician about ..."), critical results by their own name."""
    told = [rule for rule in RULES if not rule.sensitive and rule.rule_id != "lab_critical"]
    named = {rule.rule_id: find_medical_words(rule.title) for rule in told}
    assert not {rule_id: words for rule_id, words in named.items() if words}


def test_bands_are_described_in_every_unit() -> None:
    text = rules_markdown()
    assert "- diabetes range: 6.5 to below 10 % / 48 to below 86 mmol/mol (high)" in text
    assert "- female, low: below 50 mg/dL / below 1.3 mmol/L (low)" in text
