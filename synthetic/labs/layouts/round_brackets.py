"""Australian: SI units, intervals in round brackets, HbA1c twice in one row, years in two digits."""

from synthetic.labs.layouts.layout import A4_PAGE, NOTE, Layout, Text
from synthetic.labs.printing import Style

STYLE = Style(
    between="({low}-{high})",
    at_most="(<={high})",
    below="(<{high})",
    at_least="(>={low})",
    above="(>{low})",
    bound="{sign} {bound}",
    flags={"L": ("L", "L"), "H": ("H", "H"), "critical": ("HH", "HH")},
    gaps={"haemolysed": "Haemolysed", "insufficient": "Insufficient"},
)

LAYOUT = Layout(
    name="round_brackets",
    catalogue="au",
    style=STYLE,
    size=A4_PAGE,
    top=118,
    panel_height=22,
    row_height=13.2,
    foot=70,
    day="%d/%m/%Y",
    moment="%d/%m/%y %H:%M",
    sexes=("Female", "Male", "Unknown"),
    yes_no=("Yes", "No"),
    statuses=("Preliminary", "Final", "Corrected", "Amended"),
    comment_x=60,
    page=(
        Text(42, 40, 13, "WATTLE CREEK PATHOLOGY", "bold"),
        Text(300, 40, 8, "Report Status: {status}"),
        Text(42, 58, 8.5, "Patient Name: {surname}, {given}"),
        Text(300, 58, 8.5, "DOB: {born}"),
        Text(420, 58, 8.5, "Sex: {sex}"),
        Text(42, 70, 8.5, "Patient ID: {number}"),
        Text(300, 70, 8.5, "Lab No: {specimen}"),
        Text(420, 70, 8.5, "Fasting: {fasting}"),
        Text(42, 82, 8.5, "Collected: {collected}"),
        Text(210, 82, 8.5, "Received: {received}"),
        Text(380, 82, 8.5, "Reported: {reported}"),
        Text(42, 95, 7, "RCPA quality assurance participant"),
        Text(42, 806, 7, "Page {page} of {pages}"),
        Text(150, 806, 7, NOTE),
    ),
    panel=(Text(42, 15, 10.5, "{panel}", "bold"),),
    row=(
        Text(50, 10, 9, "{name}"),
        Text(230, 10, 9, "{value} {flag}", "marked"),
        Text(290, 10, 9, "{unit}"),
        Text(330, 10, 9, "{beside_value} {beside_unit}"),
        Text(400, 10, 9, "{range}"),
    ),
)
