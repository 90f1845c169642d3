"""A patient portal: results as cards in two columns, with a gauge whose end numbers are printed twice."""

from synthetic.labs.layouts.layout import NOTE, Layout, Text
from synthetic.labs.printing import Style

STYLE = Style(
    between="{low} - {high}",
    at_least="above >={low}",
    above="above >{low}",
    at_most="below <={high}",
    below="below <{high}",
    flags={"L": ("Low", "L"), "H": ("High", "H"), "critical": ("Critical", "critical")},
    gaps={"not_performed": "Not performed", "pending": "Pending"},
)
PAGE = (
    Text(36, 24, 7, "{viewed}"),
    Text(240, 24, 7, "Larkspur Valley Portal - Test Details"),
    Text(36, 62, 8, "Collected on {collected}"),
    Text(230, 62, 8, "Patient: {given} {surname}"),
    Text(380, 62, 8, "DOB: {born}"),
    Text(480, 62, 8, "Legal Sex: {sex}"),
    Text(36, 80, 11, "Results", "bold", where="first"),
    Text(36, 730, 7, "Authorizing provider: Example Provider, MD"),
    Text(36, 741, 7, "Result status: {status}"),
    Text(180, 741, 7, "Resulting lab: LARKSPUR VALLEY HOSPITAL LAB"),
    Text(36, 754, 6, "https://portal.example/test-results/details"),
    Text(540, 754, 6, "{page}/{pages}"),
    Text(36, 764, 6, NOTE),
)
GAUGE = (
    Text(44, 51, 6, "{low}"),
    Text(44.3, 51, 6, "{low}"),
    Text(200, 51, 6, "{high}"),
    Text(200.3, 51, 6, "{high}"),
)

LAYOUT = Layout(
    name="card_pairs",
    catalogue="us_portal",
    style=STYLE,
    top=90,
    panel_height=26,
    row_height=66,
    columns=(0.0, 280.0),
    comment_x=36,
    day="%m/%d/%Y",
    moment="%b %d, %Y %I:%M %p",
    sexes=("Female", "Male", "Unknown"),
    statuses=("Preliminary", "Final", "Corrected", "Amended"),
    page=PAGE,
    panel=(Text(36, 16, 12, "{panel}", "bold"),),
    row=(
        Text(36, 12, 9, "{name}", "bold"),
        Text(36, 24, 7.5, "Normal range: {ranged_unit}"),
        Text(36, 39, 11, "{value} {flag}", "marked"),
        *GAUGE,
    ),
)
