"""Laboratory results that are current and accepted."""

from schemas.columns import day, flag, json_text, local_time, number, text, whole
from schemas.table import Table, TableInfo


class LabResults(Table):
    """Laboratory results that are current and accepted."""

    info = TableInfo(
        name="lab_results",
        one_row_is="a printed result (or one derived by us, flagged) that is current and accepted",
        references=(("participant_id", "participants"), ("participant_id+file_id", "lab_files")),
        warnings=(
            "value_num is in the printed unit: use value_canonical to compare",
            "the printed interval decides the flag",
            "This material contains content from LOINC (http://loinc.org). LOINC is copyright Regenstrief "
            "Institute, Inc. and the LOINC Committee, and is available at no cost under the license at "
            "http://loinc.org/license.",
        ),
    )
    participant_id = text("The study's id of the participant.", key=True)
    file_id = text("The report it came from.", key=True)
    row_no = whole("Number of the row within the report, from 1.", "row", key=True, low=1)

    page = whole("Page of the report, from 1.", "page", null=False, low=1)
    bbox_json = json_text("Where on the page, in points: x0, top, x1, bottom.")
    lab_vendor = text("Laboratory family the layout belongs to.")
    layout_id = text("Layout the reader recognised.")
    reader_version = whole("Result version of the reader.", "version", null=False)
    source_kind = text("Where the characters came from.", null=False, allowed=("text", "ocr", "csv"))
    panel = text("Title of the panel.")
    raw_name = text("Analyte as printed.")
    raw_value = text("Value as printed.")
    raw_flag = text("Flag as printed.")
    raw_unit = text("Unit as printed.")
    raw_reference = text("Reference interval as printed.")
    name_norm = text("Name after normalising.")
    loinc = text("LOINC code.", pattern=r"^\d{1,5}-\d$")
    analyte_key = text("Our key of the analyte (ingest/labs/analytes.csv).")
    comparator = text("Set where the value is only a bound.", allowed=("<", "<=", ">", ">="))
    value_num = number("Value as printed; null where it is a bound or text.", "raw_unit", 6)
    bound_num = number("The bound of a censored value.", "raw_unit", 6)
    value_text = text("Value that is a word, a range or a titre.")
    missing_reason = text(
        "Why there is no value.",
        allowed=(
            "not_calculated",
            "not_reported",
            "not_performed",
            "insufficient",
            "haemolysed",
            "pending",
            "cancelled",
            "see_comment",
        ),
    )
    unit_ucum = text("Printed unit in UCUM.")
    value_canonical = number("Value in canonical_unit.", "canonical_unit", 6)
    bound_canonical = number("Bound in canonical_unit.", "canonical_unit", 6)
    canonical_unit = text("The unit of the study for this analyte.")
    ref_low = number("Lower end of the printed interval.", "raw_unit", 6)
    ref_high = number("Upper end of the printed interval.", "raw_unit", 6)
    ref_low_incl = flag("The lower end belongs to the interval.")
    ref_high_incl = flag("The upper end belongs to the interval.")
    ref_text = text("Interval that is prose or a table.")
    flag_printed = text(
        "Printed flag, in one vocabulary.", allowed=("L", "N", "H", "LL", "HH", "A", "critical")
    )
    flag_computed = text(
        "Our reading of the value against the printed interval.", allowed=("L", "N", "H", "indeterminate")
    )
    flag_mismatch = flag("Printed and computed flag disagree.")
    specimen_type = text("Specimen, where the report or the name says.")
    collected_at = local_time("When the specimen was taken, local to the laboratory.")
    collected_date = day("Its day.")
    received_at = local_time("When the laboratory got it.")
    reported_at = local_time("When it was reported.")
    report_status = text(
        "Status of the report.",
        allowed=("preliminary", "final", "corrected", "amended", "cancelled", "unknown"),
    )
    fasting = text("Fasting as fasting_source says.", allowed=("yes", "no", "unknown"))
    fasting_source = text(
        "report, or where it is silent the questionnaire of the day of the draw; null where nobody says.",
        allowed=("report", "questionnaire"),
    )
    derived = flag("Computed by us from other results, not printed.", null=False)
    review_reasons = text("Reasons joined by ;.")
