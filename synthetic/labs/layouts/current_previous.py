"""American, a table with the previous result and its date; a small raised site number follows the name."""

from synthetic.labs.layouts.layout import NOTE, Layout, Text
from synthetic.labs.printing import Style

STYLE = Style(
    flags={"L": ("Low", "L"), "H": ("High", "H"), "critical": ("Critical", "critical")},
    gaps={"not_performed": "Test not performed", "insufficient": "QNS", "cancelled": "Cancelled"},
)

LAYOUT = Layout(
    name="current_previous",
    catalogue="us_mixed",
    style=STYLE,
    top=92,
    panel_height=30,
    row_height=13.7,
    timed=False,
    sexes=("Female", "Male", "Unknown"),
    yes_no=("Yes", "No"),
    statuses=("Preliminary", "Final", "Corrected", "Amended"),
    comment_x=46,
    rule=(18, 594, 26.5),
    page=(
        Text(18, 28, 10, "{upper_name}", "bold"),
        Text(200, 28, 7, "DOB: {born}"),
        Text(320, 28, 10, "Patient Report", "bold"),
        Text(470, 28, 10, "WESTMERE LABS", "bold"),
        Text(18, 41, 7, "Patient ID: {number}"),
        Text(18, 51, 7, "Specimen ID: {specimen}"),
        Text(200, 51, 7, "Sex: {sex}"),
        Text(18, 69, 7, "Date Collected: {collected}"),
        Text(160, 69, 7, "Date Received: {received}"),
        Text(300, 69, 7, "Date Reported: {reported}"),
        Text(490, 69, 7, "Fasting: {fasting}"),
        Text(18, 740, 6, "{status} Report"),
        Text(90, 740, 6, "Page {page} of {pages}"),
        Text(160, 740, 6, NOTE),
    ),
    panel=(
        Text(18, 10, 10, "{panel}", "bold"),
        Text(37, 24, 7, "Test"),
        Text(201, 24, 7, "Current Result and Flag"),
        Text(316, 24, 7, "Previous Result and Date"),
        Text(464, 24, 7, "Units"),
        Text(523, 24, 7, "Reference Interval"),
    ),
    row=(
        Text(24, 9, 7, "{mark}"),
        Text(36, 9, 9, "{name}^01"),
        Text(208, 9, 9, "{value}", align="centre"),
        Text(270, 9, 9, "{flag}", align="centre"),
        Text(360, 9, 9, "{previous}", align="centre"),
        Text(472, 9, 9, "{unit}", align="centre"),
        Text(552, 9, 9, "{range}", align="centre"),
    ),
)
