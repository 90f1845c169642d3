"""American, older: test, result, flag, unit, interval with blanks, and the laboratory's number last."""

from synthetic.labs.layouts.layout import NOTE, Layout, Text
from synthetic.labs.printing import Style

STYLE = Style(
    between="{low} - {high}",
    flags={"L": ("Low", "L"), "H": ("High", "H"), "critical": ("Alert", "critical")},
    gaps={"not_performed": "Test Not Performed", "not_reported": "Not Reported", "see_comment": "See Note"},
)

LAYOUT = Layout(
    name="site_last",
    catalogue="us_mixed",
    style=STYLE,
    top=122,
    panel_height=20,
    row_height=12,
    sexes=("F", "M", "U"),
    yes_no=("Yes", "No"),
    statuses=("PRELIMINARY", "FINAL", "CORRECTED", "AMENDED"),
    comment_x=52,
    page=(
        Text(30, 34, 11, "OLD QUARRY LABORATORIES", "bold"),
        Text(420, 34, 8, "{status} REPORT"),
        Text(30, 50, 8, "Patient Name: {surname}, {given}"),
        Text(300, 50, 8, "Specimen Number: {specimen}"),
        Text(30, 61, 8, "Date of Birth: {born}"),
        Text(170, 61, 8, "Sex: {sex}"),
        Text(220, 61, 8, "Age: {age}"),
        Text(300, 61, 8, "Fasting: {fasting}"),
        Text(30, 72, 8, "Patient ID: {number}"),
        Text(30, 83, 8, "Date Collected: {collected}"),
        Text(210, 83, 8, "Date Received: {received}"),
        Text(390, 83, 8, "Date Reported: {reported}"),
        Text(30, 106, 8, "TESTS"),
        Text(230, 106, 8, "RESULT"),
        Text(300, 106, 8, "FLAG"),
        Text(370, 106, 8, "UNITS"),
        Text(450, 106, 8, "REFERENCE INTERVAL"),
        Text(560, 106, 8, "LAB"),
        Text(
            30, 744, 6.5, "01: Old Quarry Laboratories, 9 Sample Road, Exampleville, CT 06000", where="last"
        ),
        Text(30, 758, 6.5, NOTE),
        Text(500, 758, 6.5, "Page {page} of {pages}"),
    ),
    panel=(Text(30, 13, 9, "{panel}", "bold"),),
    row=(
        Text(42, 9, 8.5, "{name}"),
        Text(230, 9, 8.5, "{value}", "marked"),
        Text(300, 9, 8.5, "{flag}", "marked"),
        Text(370, 9, 8.5, "{unit}"),
        Text(450, 9, 8.5, "{range}"),
        Text(562, 9, 8.5, "01"),
    ),
)
