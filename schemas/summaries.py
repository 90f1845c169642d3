"""The domain-expert agent's texts."""

from schemas.columns import day, json_text, text, whole
from schemas.table import Table, TableInfo


class Summaries(Table):
    """The domain-expert agent's texts."""

    info = TableInfo(
        name="summaries",
        version=2,
        one_row_is="a text for one reader",
        kinds=("full",),
    )
    participant_id = text("The study's id of the participant.", key=True)
    reader = text("Who it is for.", key=True, allowed=("clinician", "participant"))
    status = text(
        "verified, needs_review or withheld.", null=False, allowed=("verified", "needs_review", "withheld")
    )
    sections_json = json_text("Sections: title and sentences with the facts they rest on.", null=False)
    text_sha256 = text("Digest that a sign-off names.", null=False)
    signed_by = text("Who signed the text.")
    signed_on = day("When.")
    written_by = text("Model that wrote it; rules means no language model.", null=False)
    prompt_digest = text("Digest of the instructions and form it was asked with; null for rules.")
    result_version = whole("Result version of the stage that made it.", "version", null=False)
    data_through = day("Last day of the data it is from.")
    edition = text("Percentile edition it is from.")
