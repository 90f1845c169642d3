"""A REDCap data dictionary: 18 columns, a row an item."""

from collections.abc import Sequence

from synthetic.surveys.items import Form, Item

DICTIONARY_HEADER = (
    "Variable / Field Name", "Form Name", "Section Header", "Field Type", "Field Label",
    "Choices, Calculations, OR Slider Labels", "Field Note", "Text Validation Type OR Show Slider Number",
    "Text Validation Min", "Text Validation Max", "Identifier?", "Branching Logic (Show field only if...)",
    "Required Field?", "Custom Alignment", "Question Number (surveys only)", "Matrix Group Name",
    "Matrix Ranking?", "Field Annotation",
)  # fmt: skip
RECORD_ID, RECORD_ID_LABEL = "record_id", "Study id"


def dictionary_rows(forms: Sequence[Form], comma: bool = False) -> list[list[str]]:
    """Header and rows; with ``comma``, numbers are validated as ones with a decimal comma."""
    first = [RECORD_ID, forms[0].name, "", "text", RECORD_ID_LABEL, *[""] * 13]
    return [
        list(DICTIONARY_HEADER),
        first,
        *(_row(form, place, item, comma) for form in forms for place, item in enumerate(form.items)),
    ]


def _row(form: Form, place: int, item: Item, comma: bool) -> list[str]:
    choices = " | ".join(f"{code}, {label}" for code, label in item.choices) or item.calculation
    validation = "number_comma_decimal" if comma and item.validation == "number" else item.validation
    if item.kind == "slider":
        validation = "number"  # The web page shows the slider's number.
    matrix = f"{form.name}_matrix" if form.is_grid else ""
    return [
        item.name, form.name, "" if place else form.title, item.kind, item.label, choices, "", validation,
        item.low, item.high, "y" if item.identifier else "", item.shown_if, "", "", "", matrix, "", item.note,
    ]  # fmt: skip
