"""Indian: the method in brackets below the name, the unit last, counts per cubic millimetre and in lakhs."""

from synthetic.labs.layouts.layout import A4_PAGE, NOTE, Layout, Text
from synthetic.labs.printing import Style

STYLE = Style(
    thousands=",",
    between="{low} - {high}",
    at_most="Up to {high}",
    below="< {high}",
    at_least=">= {low}",
    above="> {low}",
    bound="{sign} {bound}",
    flags={"L": ("Low", "L"), "H": ("High", "H"), "critical": ("Critical", "critical")},
    gaps={"haemolysed": "Haemolysed", "insufficient": "Insufficient sample", "pending": "Pending"},
)

LAYOUT = Layout(
    name="methods",
    catalogue="india",
    style=STYLE,
    size=A4_PAGE,
    top=150,
    panel_height=24,
    row_height=21,
    foot=70,
    day="%d/%m/%Y",
    moment="%d/%b/%Y %I:%M %p",
    sexes=("Female", "Male", "Other"),
    yes_no=("Yes", "No"),
    statuses=("Interim", "Final", "Revised", "Amended"),
    comment_x=56,
    rule=(36, 560, 4),
    page=(
        Text(36, 40, 14, "BANYAN TREE PATH LABS", "bold"),
        Text(36, 52, 7, "NABL accredited laboratory MC-0000"),
        Text(36, 74, 9, "Patient Name : {given} {surname}"),
        Text(330, 74, 9, "Collected : {collected}"),
        Text(36, 87, 9, "Age / Sex : {age} Years / {sex}"),
        Text(330, 87, 9, "Received : {received}"),
        Text(36, 100, 9, "DOB : {born}"),
        Text(330, 100, 9, "Reported : {reported}"),
        Text(36, 113, 9, "Patient ID : {number}"),
        Text(150, 113, 9, "Lab No : {specimen}"),
        Text(330, 113, 9, "Report Status : {status}"),
        Text(250, 113, 9, "Fasting : {fasting}"),
        Text(36, 138, 9, "Test Name", "bold"),
        Text(260, 138, 9, "Result", "bold"),
        Text(350, 138, 9, "Bio. Ref. Interval", "bold"),
        Text(480, 138, 9, "Unit", "bold"),
        Text(36, 806, 7, NOTE),
        Text(500, 806, 7, "Page {page} of {pages}"),
    ),
    panel=(Text(220, 18, 10, "{panel}", "bold"),),
    row=(
        Text(36, 10, 9, "{name}"),
        Text(40, 18, 6.2, "(Method: {note})"),
        Text(260, 10, 9, "{value} {flag}", "marked"),
        Text(350, 10, 9, "{range}"),
        Text(480, 10, 9, "{unit}"),
    ),
)
