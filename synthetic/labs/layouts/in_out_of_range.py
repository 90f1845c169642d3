"""American, classic: the value stands in one of two columns, and the column says whether it is in range."""

from synthetic.labs.layouts.layout import NOTE, Layout, Text
from synthetic.labs.printing import Style

STYLE = Style(
    thousands=",",
    at_most="< OR = {high}",
    at_least="> OR = {low}",
    gaps={"not_performed": "TEST NOT PERFORMED", "not_calculated": "NOT CALCULATED", "pending": "PENDING"},
)

LAYOUT = Layout(
    name="in_out_of_range",
    catalogue="us_caps",
    style=STYLE,
    top=132,
    panel_height=18,
    row_height=12.5,
    moment="%m/%d/%Y / %H:%M EDT",
    sexes=("F", "M", "X"),
    yes_no=("Y", "N"),
    statuses=("Preliminary", "Final", "Corrected", "Amended"),
    page=(
        Text(36, 30, 8, "Report Status: {status}"),
        Text(380, 30, 10, "NORTHFELL DIAGNOSTICS", "bold"),
        Text(36, 44, 10, "{upper_name}", "bold"),
        Text(36, 60, 7, "DOB: {born}"),
        Text(120, 60, 7, "AGE: {age}"),
        Text(250, 60, 7, "Specimen: {specimen}"),
        Text(430, 60, 7, "Client #: 99999999"),
        Text(36, 70, 7, "Gender: {sex}"),
        Text(120, 70, 7, "Fasting: {fasting}"),
        Text(250, 70, 7, "Requisition: 0012043"),
        Text(430, 70, 7, "EXAMPLE, PROVIDER"),
        Text(36, 80, 7, "Patient ID: {number}"),
        Text(250, 80, 7, "Collected: {collected}"),
        Text(250, 90, 7, "Received: {received}"),
        Text(250, 100, 7, "Reported: {reported}"),
        Text(36, 120, 8, "Test Name"),
        Text(250, 120, 8, "In Range"),
        Text(330, 120, 8, "Out Of Range"),
        Text(420, 120, 8, "Reference Range"),
        Text(560, 120, 8, "Lab"),
        Text(36, 752, 6, "CLIENT SERVICES: 800.555.0100"),
        Text(200, 752, 6, "SPECIMEN: {specimen}"),
        Text(330, 752, 6, "PAGE {page} OF {pages}"),
        Text(36, 762, 6, NOTE),
    ),
    panel=(Text(36, 12, 8, "{panel}", "bold"), Text(560, 12, 7, "NF1")),
    row=(
        Text(46, 9, 8, "{name}"),
        Text(250, 9, 8, "{in_range}"),
        Text(330, 9, 8, "{out_of_range}", "bold"),
        Text(420, 9, 8, "{ranged_unit}"),
    ),
)
