"""The one table of codes: every fault the project can name, who acts on it and what to do.

``docs/codes.md`` and ``pha explain`` are generated from it. A code's texts hold no personal data; the
details put into ``what`` are counts, line numbers, setting names, digests and participant ids only.
"""

from dataclasses import dataclass
from typing import Literal

Role = Literal["coordinator", "clinician", "operator"]
Severity = Literal["critical", "high", "medium", "low"]
Scope = Literal["usage", "run", "input"]


@dataclass(frozen=True, slots=True)
class Code:
    """A named fault.

    scope: usage ends the command with 2, run ends it with 1, input never stops the others.
    transient: worth another try on the next run with the same input.
    pauses: the work was not done and did not fail: it waits, and run_ledger says pending.
    message: words a coordinator may send to the participant.
    """

    name: str
    scope: Scope
    role: Role
    severity: Severity
    what: str
    next_step: str
    message: str | None = None
    transient: bool = False
    pauses: bool = False


class PhaError(Exception):
    """A fault with a code. Its text is safe to show, log and keep."""

    def __init__(self, code: str, **details: object) -> None:
        self.code = CODES[code]
        self.details = details
        super().__init__(f"{code}: {self.what}")

    def __reduce__(self) -> "tuple[object, ...]":
        """So that it can cross from one process to another."""
        return _from_details, (self.code.name, self.details)

    @property
    def what(self) -> str:
        """What happened, with the details filled in."""
        # A hint may be a question of its own, and ends the sentence then.
        return self.code.what.format_map(_Details(self.details)).replace("?.", "?")

    @property
    def next_step(self) -> str:
        """What to do, with the details filled in."""
        return self.code.next_step.format_map(_Details(self.details)).strip()


def _from_details(code: str, details: dict[str, object]) -> PhaError:
    return PhaError(code, **details)


class _Details(dict[str, object]):
    def __missing__(self, key: str) -> str:
        return "" if key == "hint" else "?"


_SEND_AGAIN = (
    "Please download your Fitbit export once more and send us the file as it comes, without opening it."
)
_REPORT_AGAIN = "Your lab report could not be opened. Could you send us the laboratory's PDF once more?"

_USAGE = (
    Code(
        "study_missing",
        "usage",
        "operator",
        "high",
        "There is no study folder at the given path: study.toml is missing.",
        "Check the path, or make a study with `pha init DIR`.",
    ),
    Code(
        "settings_invalid",
        "usage",
        "operator",
        "high",
        "study.toml, line {line}: {setting}: {problem}.",
        "Correct the line; `pha check STUDY` shows all such lines.",
    ),
    Code(
        "settings_unknown_key",
        "usage",
        "operator",
        "high",
        "study.toml, line {line}: {setting} is not a setting{hint}.",
        "Remove or rename the key; docs/settings.md lists all settings.",
    ),
    Code(
        "settings_not_toml",
        "usage",
        "operator",
        "high",
        "study.toml, line {line}: this is not valid TOML: {problem}.",
        "Correct the line.",
    ),
    Code(
        "registry_missing",
        "usage",
        "operator",
        "high",
        "participants.csv is missing.",
        "Put participants.csv beside study.toml; `pha init` makes an empty one.",
    ),
    Code(
        "registry_invalid",
        "usage",
        "coordinator",
        "high",
        "participants.csv, line {line}, column {column}: {problem}.",
        "Correct the cell. {hint}",
    ),
    Code(
        "registry_encoding",
        "usage",
        "coordinator",
        "high",
        'participants.csv is in an encoding that is not read, such as UTF-16 ("Unicode text" of a spreadsheet program).',
        'Save it again as "CSV UTF-8".',
    ),
    Code(
        "registry_ambiguous_date",
        "usage",
        "coordinator",
        "high",
        "participants.csv, line {line}, column {column}: the date can be read as day/month or month/day.",
        "Write dates as YYYY-MM-DD.",
    ),
    Code(
        "registry_duplicate_id",
        "usage",
        "coordinator",
        "high",
        "participants.csv, line {line}: this participant_id (or alias) stands already in line {other}.",
        "Give every person one id, unique regardless of upper and lower case; put old ids into aliases.",
    ),
    Code(
        "registry_person_gone",
        "usage",
        "coordinator",
        "high",
        "Of the last release, but no longer in participants.csv: {ids} (in all {count}).",
        "Put the line back and set status = withdrawn, or restore the file.",
    ),
    Code(
        "decisions_invalid",
        "usage",
        "coordinator",
        "high",
        "decisions.csv, line {line}: {problem}.",
        "Correct the line; `pha decide --help` writes lines that are right.",
    ),
    Code(
        "out_belongs_to_other_study",
        "usage",
        "operator",
        "high",
        "The output folder belongs to another study.",
        "Give another --out.",
    ),
    Code(
        "participant_unknown",
        "usage",
        "operator",
        "medium",
        "{id} is not in participants.csv{hint}.",
        "Check the id.",
    ),
    Code(
        "as_of_in_future",
        "usage",
        "operator",
        "medium",
        "as-of {as_of} has not come yet in the study's zone.",
        "Give a date up to today, or none: then the latest day that arrived counts.",
    ),
    Code(
        "model_not_allowed",
        "usage",
        "operator",
        "high",
        "The model {model} is not listed in [model] allow.",
        "List it in study.toml once the study's agreement covers it.",
    ),
    Code(
        "model_agreement_missing",
        "usage",
        "operator",
        "high",
        "The endpoint of {model} is not on this machine and [model] agreement is empty.",
        "Name the agreement that allows data to leave, or use a model on this machine.",
    ),
    Code(
        "model_unknown",
        "usage",
        "operator",
        "high",
        "{model} is no model this version can reach.",
        "Use rules, or a model whose name begins with {prefixes}.",
    ),
    Code(
        "model_library_missing",
        "usage",
        "operator",
        "high",
        "The package {library}, which reaches {model}, is not installed.",
        "Install the project with its extra models (make setup does).",
    ),
    Code(
        "model_batch_unavailable",
        "usage",
        "operator",
        "high",
        "{model} has no batch jobs that this version can use.",
        "Take a model of the Gemini API, or set [model] batch = false.",
    ),
    Code(
        "model_key_missing",
        "usage",
        "operator",
        "high",
        "What {model} needs is not in the environment ({variable}).",
        "Set the environment variable; keys are never read from files.",
    ),
    Code(
        "release_missing",
        "usage",
        "operator",
        "medium",
        "There is no release at the given path.",
        "Run `pha run STUDY` first, or check the path.",
    ),
    Code(
        "release_without_facts",
        "usage",
        "operator",
        "low",
        "The release holds core tables alone: it has no facts.",
        "Give a full release, made by `pha run`.",
    ),
    Code(
        "release_table_unknown",
        "usage",
        "operator",
        "low",
        "The release has no table {wrong}{hint}",
        "`release.tables` lists its tables; docs/data_dictionary.md describes them.",
    ),
    Code(
        "fact_unknown",
        "usage",
        "operator",
        "low",
        "No fact of the participant is called or shown like that. There are, among others:\n  {ids}",
        "Give one of these ids, the name of a metric or analyte, or a number as it is shown.",
    ),
    Code(
        "fact_several",
        "usage",
        "operator",
        "low",
        "That is true of {count} facts:\n  {ids}",
        "Give one of these ids.",
    ),
    Code(
        "report_not_in_study",
        "usage",
        "operator",
        "low",
        "The file is in no registered participant's folder below labs/ of the study.",
        "Give a file that is, or leave --study away.",
    ),
    Code(
        "decision_target_unknown",
        "usage",
        "operator",
        "medium",
        "Nothing in the newest release has the id {id}.",
        "`pha status --all` lists the ids that can be decided on.",
    ),
    Code(
        "program_invalid",
        "usage",
        "operator",
        "medium",
        "The program is no UTF-8 text that defines analysis(...).",
        "See docs/programs.md for the interface.",
    ),
    Code(
        "reference_invalid",
        "usage",
        "operator",
        "high",
        "The reference population named by [percentiles] reference cannot be used: {problem}.",
        "docs/percentiles.md gives its columns. Correct the file, or take the setting out.",
    ),
    Code(
        "code_unknown",
        "usage",
        "operator",
        "low",
        "{wrong} is not a code{hint}.",
        "docs/codes.md lists all codes.",
    ),
)

_RUN = (
    Code(
        "nothing_to_publish",
        "run",
        "coordinator",
        "high",
        "No participant has any accepted data.",
        "Read `pha check STUDY`: it says what each file is and why it was not used.",
    ),
    Code(
        "disk_full",
        "run",
        "operator",
        "high",
        "The disk is full or the output folder cannot be written.",
        "Free space, then run again: finished work is kept.",
        transient=True,
    ),
    Code(
        "release_held",
        "run",
        "operator",
        "high",
        "The release was held back: {problem}.",
        "Read the checks in the held folder's data_docs/index.html, mend the cause and run again.",
    ),
    Code(
        "release_damaged",
        "run",
        "operator",
        "critical",
        "{file}: {problem}.",
        "Do not use this release; restore it from a copy or make it again.",
    ),
    Code(
        "sandbox_missing",
        "run",
        "operator",
        "high",
        "No sandbox works on this machine: {problem}.",
        "`pha doctor` gives the remedy; without it insights are not run.",
        transient=True,
    ),
    Code(
        "prefect_unavailable",
        "run",
        "operator",
        "high",
        "The Prefect API could not be reached or started.",
        "Check PREFECT_API_URL; without it a temporary server is started.",
        transient=True,
    ),
    Code(
        "process_died",
        "run",
        "operator",
        "high",
        "A process was killed from outside while it worked, probably for want of memory.",
        "Lower PHA_WORKERS or give the machine more memory; it is tried again on the next run.",
        transient=True,
    ),
    Code(
        "unexpected",
        "run",
        "operator",
        "high",
        "An unexpected fault of type {type} at {place}.",
        "This is a fault of the program: please report the code and the place.",
        transient=True,
    ),
)

_FILES = (
    Code(
        "folder_empty",
        "input",
        "coordinator",
        "low",
        "The participant's folder is empty.",
        "Ask for the export if it is due.",
        "We have not received your Fitbit export yet. Could you send it to us?",
    ),
    Code(
        "folder_missing",
        "input",
        "coordinator",
        "medium",
        "An active participant has no {source} folder.",
        "Ask for the export if it is due.",
        "We have not received your data yet. Could you send it to us?",
    ),
    Code(
        "link_not_followed",
        "input",
        "coordinator",
        "medium",
        "{count} link(s) in the participant's {source} folder lead elsewhere and were not followed.",
        "Put the file itself into the folder: a link could lead to another person's data.",
    ),
    Code(
        "path_other_case",
        "input",
        "coordinator",
        "high",
        "This is read under the name {expected}; in other letters it is found on some machines only.",
        "Rename it to the name told above.",
    ),
    Code(
        "path_case_twin",
        "input",
        "coordinator",
        "medium",
        "Its name differs from another's only by upper and lower case.",
        "Rename one: on Windows and macOS they would be one, and copying the study would lose the other.",
    ),
    Code(
        "folder_unregistered",
        "input",
        "coordinator",
        "high",
        "A folder under {source}/ belongs to nobody in participants.csv (digest {digest}).",
        "`pha check STUDY` shows its name. Register the participant, add the name to aliases, or move the folder away.",
    ),
    Code(
        "file_of_nobody",
        "input",
        "coordinator",
        "high",
        "Files directly under {source}/, in nobody's folder, which are not read: {count}.",
        "`pha check STUDY` shows their names. Move each into the folder of its participant, or away.",
    ),
    Code(
        "folder_spoilt_id",
        "input",
        "coordinator",
        "high",
        "A folder under {source}/ looks like {id} with its leading zeros lost, or the reverse.",
        "Rename the folder, or format the id column of participants.csv as text and restore the zeros.",
    ),
    Code(
        "file_unreadable",
        "input",
        "operator",
        "high",
        "A file or folder could not be opened or read to its end: no right to read it, no ordinary file, or a fault of the disk.",
        "Give the user that runs the job the right to read the study folder (chmod -R u+rX), or mend the disk.",
    ),
    Code(
        "file_empty",
        "input",
        "coordinator",
        "medium",
        "A file has no content: 0 bytes.",
        "Ask for the file again: the upload probably broke.",
        _SEND_AGAIN,
    ),
    Code(
        "archive_form_unknown",
        "input",
        "coordinator",
        "high",
        "A file is packed as 7z, rar, xz or bzip2, which this program does not unpack.",
        "Ask for the export as the vendor made it, or pack it anew as zip.",
        _SEND_AGAIN,
    ),
    Code(
        "not_a_zip",
        "input",
        "coordinator",
        "high",
        "A file with the ending of an archive is no archive.",
        "Ask for the export again.",
        _SEND_AGAIN,
    ),
    Code(
        "zip_truncated",
        "input",
        "coordinator",
        "high",
        "The archive is cut off: its index is missing or a member ends early. What stands before the break was read.",
        "Ask for the export again: the upload probably broke.",
        _SEND_AGAIN,
    ),
    Code(
        "zip_part_missing",
        "input",
        "coordinator",
        "medium",
        "Part {part} of a split export is missing.",
        "Ask for the missing part; the others were read.",
        "One part of your export did not reach us. Could you send all parts again?",
    ),
    Code(
        "zip_encrypted",
        "input",
        "coordinator",
        "high",
        "The archive is locked by a password.",
        "Ask for the export without a password.",
        "The file you sent is locked by a password. Could you send it once more without one?",
    ),
    Code(
        "zip_too_large",
        "input",
        "operator",
        "high",
        "The archive is larger, or unpacks to more, than the limits allow.",
        "Look at the file; raise the limit only if it is genuine.",
    ),
    Code(
        "zip_unsafe_path",
        "input",
        "operator",
        "high",
        "The archive holds links, devices or paths that lead out of it; these members were refused.",
        "Look at the file: such archives are not made by the vendor.",
    ),
    Code(
        "zip_index_false",
        "input",
        "operator",
        "high",
        "The archive's index is not true: members share a name or overlap; these were refused.",
        "Look at the file: such archives are not made by the vendor. Of one name the last member was read.",
    ),
    Code(
        "zip_method_unknown",
        "input",
        "coordinator",
        "high",
        "Members are packed by a method this program does not unpack; these were refused.",
        "Ask for the export as the vendor made it: some programs pack large files by a method of their own.",
        _SEND_AGAIN,
    ),
    Code(
        "zip_nested_too_deep",
        "input",
        "coordinator",
        "medium",
        "An archive lies in an archive that lies in another; it was not opened.",
        "Ask for the export as the vendor made it, or take the inner archive out.",
        _SEND_AGAIN,
    ),
    Code(
        "member_damaged",
        "input",
        "coordinator",
        "medium",
        "{kind}: the member is damaged from row {row} on; what stands before was kept.",
        "Ask for the export again if these days matter.",
        _SEND_AGAIN,
    ),
    Code(
        "member_unreadable",
        "input",
        "operator",
        "medium",
        "{kind}: the member has another form than this kind has.",
        "Report the code and kind: the vendor may have changed the form.",
    ),
    Code(
        "form_not_read",
        "input",
        "operator",
        "low",
        "Study data in a form that is not read: {form}.",
        "Ask for the account's own archive, or another form that docs/exports.md lists; none of this form is used.",
    ),
    Code(
        "row_rejected",
        "input",
        "operator",
        "low",
        "Rejected rows of a file, by the rule {rule}: {rows}.",
        "See rejected_rows: the rule says what is wrong with them.",
    ),
    Code(
        "no_known_files",
        "input",
        "coordinator",
        "high",
        "Nothing in it is a file this program reads.",
        "Look at what was sent: it may be the export of another product.",
        "We found no Fitbit data in what you sent. Could you send us your Fitbit export, as it comes?",
    ),
    Code(
        "identity_mismatch",
        "input",
        "coordinator",
        "critical",
        "The file belongs to another person than registered; not the same: {fields}.",
        "Set aside, nothing was used. Find out whose it is; correct the registry or move the file.",
    ),
    Code(
        "identity_unchecked",
        "input",
        "coordinator",
        "low",
        "It could not be checked whose the export is: it has no profile, or the registry no name or birth date.",
        "Accepted. Compare with the participant if in doubt; `pha decide accept` with its file_id settles it.",
    ),
    Code(
        "same_bytes",
        "input",
        "coordinator",
        "critical",
        "The same file lies in the folders of {count} participants.",
        "All copies are set aside. Find out whose it is, and remove the others or `pha decide accept` the right one.",
    ),
    Code(
        "account_shared",
        "input",
        "coordinator",
        "critical",
        "Exports of {count} participants come from one account.",
        "All are set aside. Find out whose account it is; then `pha decide accept` their file.",
    ),
    Code(
        "overlap_conflict",
        "input",
        "coordinator",
        "critical",
        "Exports of {count} participants hold the same logs or the same heart rate at the same instants.",
        "All are set aside. Find out whose data they are, and remove the others or `pha decide accept` the right one.",
    ),
    Code(
        "people_mixed",
        "input",
        "coordinator",
        "critical",
        "Exports here are of different people; not the same: {fields}.",
        "Give each person's files a folder of their own, then look at each.",
    ),
    Code(
        "accounts_several",
        "input",
        "coordinator",
        "low",
        "The exports are of {count} accounts; the newest counts from its first worn day on, the older before it.",
        "Accepted. Ask whether the participant changed accounts; if an account is another person's, move its files.",
    ),
    Code(
        "clock_unclear",
        "input",
        "operator",
        "medium",
        "{kind}: the clock of the times could not be established.",
        "Set aside. docs/clocks.md says which files would settle it; who knows the zone or clock says it by `pha decide correct`.",
    ),
    Code(
        "data_old",
        "input",
        "coordinator",
        "medium",
        "The newest data are {days} days behind.",
        "Ask for a new export.",
        "Your data reach us with a long delay. Could you sync your device and send a new export?",
    ),
    Code(
        "no_data_in_period",
        "input",
        "coordinator",
        "medium",
        "There are no data of the observation period up to the as-of date.",
        "Wait where the as-of date is early. Else check the dates in participants.csv, and whether the device is worn.",
    ),
    Code(
        "adherence_low",
        "input",
        "coordinator",
        "medium",
        "Worn on {valid} of the last {days} days: fewer than 3 of every 4.",
        "Ask how wearing goes.",
        "We noticed that you wore your device less often. Is everything all right with it?",
    ),
)

_LABS = (
    Code(
        "lab_pdf_empty",
        "input",
        "coordinator",
        "high",
        "A lab report has 0 bytes.",
        "Get the report again. Unread report: open it today.",
        _REPORT_AGAIN,
    ),
    Code(
        "lab_not_pdf",
        "input",
        "coordinator",
        "high",
        "A lab report is no PDF, or is damaged.",
        "Get the report again. Unread report: open it today.",
        _REPORT_AGAIN,
    ),
    Code(
        "lab_encrypted",
        "input",
        "coordinator",
        "high",
        "A lab report is locked by a password.",
        "Get it without a password. Unread report: open it today.",
        "Your lab report is locked by a password. Could you send us one without?",
    ),
    Code(
        "lab_too_large",
        "input",
        "coordinator",
        "high",
        "A lab report is over the limits (25 MB, 60 pages).",
        "Look at the file. Unread report: open it today.",
    ),
    Code(
        "lab_text_unusable",
        "input",
        "coordinator",
        "high",
        "A lab report has pages without usable text (a scan).",
        "Type the values in, or get the laboratory's own PDF. Unread report: open it today.",
    ),
    Code(
        "lab_read_from_picture",
        "input",
        "coordinator",
        "medium",
        "A scanned lab report was read by character recognition: {accepted} results accepted, {review} in review.",
        "Compare it with the page: pha labs show FILE. A line that recognition missed stands nowhere.",
    ),
    Code(
        "lab_layout_unknown",
        "input",
        "coordinator",
        "high",
        "No result could be found in a lab report.",
        "Look at the report. Unread report: open it today.",
    ),
    Code(
        "lab_multiple_patients",
        "input",
        "coordinator",
        "critical",
        "A lab report holds pages of more than one person.",
        "Quarantined, nothing was used. Sort the pages. Unread report: open it today.",
    ),
    Code(
        "lab_identity_mismatch",
        "input",
        "coordinator",
        "critical",
        "A lab report is of another person than registered; not the same: {fields}.",
        "Quarantined, nothing was used. Find out whose it is. Unread report: open it today.",
    ),
    Code(
        "lab_no_collection_date",
        "input",
        "coordinator",
        "high",
        "A lab report gives no date of collection, or one that may be two days.",
        "Look at the report. Unread report: open it today.",
    ),
    Code(
        "lab_time_limit",
        "input",
        "operator",
        "high",
        "Reading a lab report took too long.",
        "Look at the file. Unread report: open it today.",
    ),
    Code(
        "lab_row_review",
        "input",
        "coordinator",
        "medium",
        "Readings of a lab report in doubt: {count}.",
        "Compare them with the report: lab_review gives the reasons.",
    ),
    Code(
        "lab_lines_unread",
        "input",
        "coordinator",
        "high",
        "Lines of a lab report that look like results were not read: {count}.",
        "Open the report beside `pha labs show` and tell the maintainers how its layout looks.",
    ),
    Code(
        "decision_outdated",
        "input",
        "coordinator",
        "high",
        "The decision to {decision} {target} was not applied: what it is on has gone or is another now, or can't be accepted.",
        "Look at it again: a report with `pha labs show`, an export with `pha inspect`. Then decide anew with its target and value of today: `pha decide accept` or `pha decide correct`.",
    ),
    Code(
        "lab_critical_value",
        "input",
        "clinician",
        "critical",
        "A laboratory value of {day} is beyond the study's critical limits ({analyte}).",
        "Open the participant's clinician page now and follow the study's safety plan.",
    ),
)

_ALERTS = (
    Code(
        "lab_critical_unconfirmed",
        "input",
        "clinician",
        "critical",
        "A reading in doubt of {day} would be beyond the study's critical limits ({analyte}): unconfirmed, "
        "check today.",
        "Open the report today with `pha labs show`, compare it with the paper and decide with `pha decide`; "
        "if it is right, follow the study's safety plan.",
    ),
    Code(
        "lab_critical_mark",
        "input",
        "clinician",
        "critical",
        "The laboratory itself marked a value of {day} as critical ({analyte}).",
        "Open the participant's clinician page now and follow the study's safety plan.",
    ),
    Code(
        "alert_command_failed",
        "input",
        "operator",
        "high",
        "The study's alert command failed: {problem}.",
        "Tell the clinician of the alert by hand, then mend [alerts] command; it is called again next run.",
    ),
)

_SURVEYS = (
    Code(
        "cross_check_differs",
        "input",
        "coordinator",
        "medium",
        "What sources say of the person does not agree: {detail}.",
        "Ask the participant which is right, then correct participants.csv, the survey or the file. Nothing was "
        "overwritten meanwhile: sex, age and intervals are those of participants.csv.",
    ),
    Code(
        "survey_no_dictionary",
        "input",
        "coordinator",
        "medium",
        "A survey file has no data dictionary beside it.",
        "Put the dictionary beside it; fields are read by its definitions.",
    ),
    Code(
        "survey_unreadable",
        "input",
        "coordinator",
        "high",
        "A survey file could not be read: {problem}.",
        "Export it again as CSV with raw values.",
    ),
    Code(
        "survey_mapping_unused",
        "input",
        "coordinator",
        "medium",
        "Survey files that study.toml maps and that are not in the folder surveys: {count}.",
        "Correct the name in [surveys.files], or put the file there.",
    ),
    Code(
        "survey_unknown_record",
        "input",
        "coordinator",
        "medium",
        "Records of a survey file that belong to nobody in participants.csv: {count}.",
        "Add the record ids to aliases.",
    ),
    Code(
        "survey_spoilt_id",
        "input",
        "coordinator",
        "high",
        "Records of a survey file look like ids of participants.csv with their leading zeros lost, "
        "or the reverse: {count}. Their answers were not used.",
        "Export the record ids as text, restore the zeros in participants.csv, or add the record ids to aliases.",
    ),
    Code(
        "survey_alert_answer",
        "input",
        "clinician",
        "critical",
        "An answer needs a clinician today ({instrument}).",
        "Open the answer in the survey system and follow the study's safety plan.",
    ),
    Code(
        "survey_logic_not_evaluated",
        "input",
        "coordinator",
        "low",
        "Questions whose branching logic was not evaluated: {count}. A blank there counts as not answered.",
        "Nothing, unless such a question is scored: docs/surveys.md tells which logic is read.",
    ),
    Code(
        "survey_hidden_answered",
        "input",
        "coordinator",
        "low",
        "Answers to questions that the dictionary's branching logic hides: {count}.",
        "Look at hidden_by_logic in survey_answers; correct the answer before, or erase the hidden one, in the survey.",
    ),
    Code(
        "survey_value_invalid",
        "input",
        "coordinator",
        "low",
        "Answers that do not fit the dictionary: {count}.",
        "Look at the rejected rows and correct the survey.",
    ),
)

_AGENTS = (
    Code(
        "program_failed",
        "input",
        "operator",
        "medium",
        "An analysis program ended with {type}.",
        "The insight is left out; the others are unharmed.",
    ),
    Code(
        "program_limit",
        "input",
        "operator",
        "medium",
        "An analysis program was stopped at its limit of {limit}.",
        "The insight is left out; the others are unharmed.",
    ),
    Code(
        "program_result_invalid",
        "input",
        "operator",
        "medium",
        "An analysis program returned no valid result.",
        "The insight is left out; the others are unharmed.",
    ),
    Code(
        "question_not_compiled",
        "input",
        "operator",
        "medium",
        "A question could not be compiled: no sound draft came from the {step}.",
        "It stays unanswered; word it more plainly in study.toml, or use another model.",
    ),
    Code(
        "summary_needs_review",
        "input",
        "clinician",
        "medium",
        "Statements of a summary could not be verified: {count}.",
        "Read the clinician page; unverified statements were removed.",
    ),
    Code(
        "text_unsigned",
        "input",
        "clinician",
        "low",
        "A summary waits for a clinician's signature.",
        "Read it, then `pha decide sign-off`.",
    ),
    Code(
        "model_failed",
        "input",
        "operator",
        "medium",
        "The model gave no usable answer ({outcome}).",
        "It is tried again on the next run.",
        transient=True,
    ),
    Code(
        "model_rate_limited",
        "input",
        "operator",
        "low",
        "The model's endpoint is over its rate limit.",
        "It is tried again on the next run.",
        transient=True,
        pauses=True,
    ),
    Code(
        "model_unavailable",
        "input",
        "operator",
        "high",
        "The model's endpoint refuses the study's requests ({reason}); nothing more was asked.",
        "Check the key, the model's name and the account's quota, then run again: finished work is kept.",
        transient=True,
        pauses=True,
    ),
    Code(
        "model_waiting",
        "input",
        "operator",
        "low",
        "A batch job of the model has not answered yet.",
        "Run again later: the answers are fetched then, and nothing is asked twice.",
        transient=True,
        pauses=True,
    ),
    Code(
        "budget_reached",
        "input",
        "operator",
        "medium",
        "The budget of {limit} is used up.",
        "Raise it in study.toml, or wait: finished work is kept.",
        transient=True,
        pauses=True,
    ),
    Code(
        "finding_fired",
        "input",
        "clinician",
        "medium",
        "A finding wants a clinician's look: {rule}.",
        "Open the participant's clinician page.",
    ),
)

CODES: dict[str, Code] = {
    code.name: code for group in (_USAGE, _RUN, _FILES, _LABS, _ALERTS, _SURVEYS, _AGENTS) for code in group
}
