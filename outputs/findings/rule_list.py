"""The list of rules in docs/findings.md, written from the declarations."""

from outputs.findings.check import RULES
from outputs.findings.rule import Rule

BEGIN, END = "<!-- rules: generated from the declarations -->", "<!-- end of rules -->"


def rules_markdown() -> str:
    """Every rule with its inputs, window, sufficiency, gate, bands and source, between the two marks."""
    return "\n".join([BEGIN, "", *(_described(rule) for rule in RULES), END])


def with_rules(page: str) -> str:
    """A page with the list between its marks renewed."""
    before, _, rest = page.partition(BEGIN)
    return before + rules_markdown() + rest.partition(END)[2]


def _described(rule: Rule) -> str:
    source = rule.guideline.cited
    if rule.guideline.url:
        source = f"[{source}]({rule.guideline.url})"
    lines = [
        f"### `{rule.rule_id}`: {rule.title}",
        "",
        f"- Input: {', '.join(f'`{name}`' for name in rule.inputs)}; {rule.window}",
        f"- Needs: {rule.sufficiency}",
        f"- Gate: {rule.gate}",
        *(f"- {band}" for band in rule.bands),
        f"- Source: {source}",
        *(["- Never on a participant's page"] if rule.sensitive else []),
        "",
    ]
    return "\n".join(lines)
