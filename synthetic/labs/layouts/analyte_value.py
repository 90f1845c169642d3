"""American, in two columns Analyte and Value; the unit ends the text of the interval, a little lower."""

from synthetic.labs.layouts.layout import NOTE, Layout, Text
from synthetic.labs.printing import Style

STYLE = Style(
    at_most="< OR = {high}",
    at_least="> OR = {low}",
    gaps={"not_performed": "TNP", "insufficient": "QNS", "not_reported": "DNR", "cancelled": "CANCELLED"},
)

LAYOUT = Layout(
    name="analyte_value",
    catalogue="us_caps",
    style=STYLE,
    top=112,
    panel_height=26,
    row_height=13.5,
    page=(
        Text(372, 43, 9, "HOLLOWMERE DIAGNOSTICS", "bold"),
        Text(54, 54, 12, "{upper_name}", "bold"),
        Text(54, 66, 6, "DOB: {born}"),
        Text(130, 66, 6, "AGE: {age}"),
        Text(175, 66, 6, "Gender: {sex}"),
        Text(225, 66, 6, "Patient ID: {number}"),
        Text(310, 66, 6, "Specimen: {specimen}"),
        Text(54, 74, 6, "Collected: {collected}"),
        Text(160, 74, 6, "Received: {received}"),
        Text(266, 74, 6, "Reported: {reported}"),
        Text(372, 74, 6, "Report Status: {status}"),
        Text(54, 82, 6, NOTE),
        Text(54, 100, 7.8, "FASTING:{fasting}", where="first"),
        Text(54, 724, 7.8, "Performing Sites", "bold", where="last"),
        Text(
            54, 734, 6, "HM1 Hollowmere Diagnostics, 14 Sample Street, Exampleville, CT 06000", where="last"
        ),
        Text(54, 752, 6, "{upper_name} ({specimen})"),
        Text(300, 752, 6, "PAGE {page} / {pages}"),
        Text(420, 752, 6, "H = High"),
        Text(470, 752, 6, "L = Low"),
    ),
    panel=(
        Text(57, 10, 9.6, "{panel}", "bold"),
        Text(57, 23, 7.8, "Analyte"),
        Text(331, 23, 7.8, "Value"),
    ),
    row=(
        Text(63, 9, 7.8, "{name}"),
        Text(331, 9, 7.8, "{value} {flag}", "marked"),
        Text(400, 10.2, 6.6, "Reference Range: {ranged_unit}"),
    ),
)
