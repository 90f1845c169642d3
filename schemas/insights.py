"""Answers of the data-science agent to the study's questions."""

from schemas.columns import day, flag, json_text, text, whole
from schemas.table import Table, TableInfo


class Insights(Table):
    """Answers of the data-science agent to the study's questions."""

    info = TableInfo(
        name="insights",
        version=2,
        one_row_is="a question asked of a participant's data",
        kinds=("full",),
    )
    participant_id = text("The study's id of the participant.", key=True)
    question_id = text("The question (study.toml or the built-in set).", key=True)
    title = text("What the question is about, in a few words.", null=False)
    question = text("The question in one sentence.", null=False)
    plan = text("The plan of the analysis.", null=False)
    program_digest = text("sha256 of the program that ran.")
    outcome = text(
        "What became of it.", null=False, allowed=("answered", "insufficient", "failed", "not_run")
    )
    reason = text("Why there is no answer.")
    result_json = json_text("The program's result.")
    statement = text("The answer in one or two sentences.", null=False)
    isolation = text("Where the program ran.", allowed=("bubblewrap", "landlock", "child_process"))
    written_by = text(
        "Which model planned and wrote it; rules means the reviewed library of the project.", null=False
    )
    prompt_digest = text(
        "Digest of what planner, coder and writer of statements were told (run.json tells each); "
        "null for the reviewed library."
    )
    result_version = whole("Result version of the stage that made it.", "version", null=False)
    for_participant = flag("May stand on the participant's page.", null=False)
    data_through = day("Last day of the data it used.")
