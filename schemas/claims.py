"""Each number or statement of a text and what it rests on."""

from schemas.columns import text as text_
from schemas.columns import whole
from schemas.table import Table, TableInfo


class Claims(Table):
    """Each number or statement of a text and what it rests on."""

    info = TableInfo(
        name="claims",
        one_row_is="a claim of a text",
        references=(("participant_id", "participants"), ("participant_id+fact_id", "facts")),
        kinds=("full",),
    )
    participant_id = text_("The study's id of the participant.", key=True)
    text = text_("The text: summary:clinician, summary:participant or insight:<question>.", key=True)
    claim_no = whole("Number within the text, from 1.", "claim", key=True, low=1)
    sentence = text_("The sentence.", null=False)
    quoted = text_("The number or word as written.", null=False)
    fact_id = text_("The fact it rests on.")
    verdict = text_(
        "verified, or why not.",
        null=False,
        allowed=(
            "verified",
            "no_such_fact",
            "value_differs",
            "unit_differs",
            "direction_differs",
            "window_differs",
            "unbound_number",
            "unbound_statement",
        ),
    )
