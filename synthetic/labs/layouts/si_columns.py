"""Canadian: SI units in a ruled table with the flag before the result; every flag is an A for abnormal."""

from synthetic.labs.layouts.layout import NOTE, Layout, Text
from synthetic.labs.printing import Style

STYLE = Style(
    flags={"L": ("A", "A"), "H": ("A", "A"), "critical": ("C", "critical")},
    gaps={"haemolysed": "HEMOLYZED", "not_performed": "NOT PERFORMED", "pending": "PENDING"},
)

LAYOUT = Layout(
    name="si_columns",
    catalogue="ca",
    style=STYLE,
    top=120,
    panel_height=32,
    row_height=13,
    day="%Y-%m-%d",
    moment="%Y-%m-%d %H:%M",
    sexes=("F", "M", "U"),
    yes_no=("Yes", "No"),
    statuses=("Preliminary", "Final", "Corrected", "Amended"),
    comment_x=56,
    rule=(36, 576, 29),
    page=(
        Text(36, 38, 12, "TAMARACK MEDICAL LABORATORY", "bold"),
        Text(380, 38, 8, "Report Status: {status}"),
        Text(36, 56, 8, "Patient: {surname}, {given}"),
        Text(250, 56, 8, "Date of Birth: {born}"),
        Text(380, 56, 8, "Sex: {sex}"),
        Text(440, 56, 8, "Age: {age}"),
        Text(36, 68, 8, "Patient ID: {number}"),
        Text(250, 68, 8, "Accession No: {specimen}"),
        Text(440, 68, 8, "Fasting: {fasting}"),
        Text(36, 80, 8, "Collected: {collected}"),
        Text(250, 80, 8, "Received: {received}"),
        Text(440, 80, 8, "Reported: {reported}"),
        Text(36, 752, 6.5, NOTE),
        Text(500, 752, 6.5, "Page {page} of {pages}"),
    ),
    panel=(
        Text(36, 12, 10, "{panel}", "bold"),
        Text(46, 26, 8, "Test"),
        Text(230, 26, 8, "Flag"),
        Text(280, 26, 8, "Result"),
        Text(370, 26, 8, "Reference Range"),
        Text(500, 26, 8, "Units"),
    ),
    row=(
        Text(46, 10, 8.5, "{name}"),
        Text(234, 10, 8.5, "{flag}", "bold"),
        Text(280, 10, 8.5, "{value}", "marked"),
        Text(370, 10, 8.5, "{range}"),
        Text(500, 10, 8.5, "{unit}"),
    ),
)
