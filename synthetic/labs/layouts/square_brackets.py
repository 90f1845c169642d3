"""British: SI units, typewriter letters, a star as the only flag, intervals in square brackets."""

from synthetic.labs.layouts.layout import A4_PAGE, NOTE, Layout, Text
from synthetic.labs.printing import Style

STYLE = Style(
    thousands=",",
    between="[{low} - {high}]",
    at_most="[<={high}]",
    below="[<{high}]",
    at_least="[>={low}]",
    above="[>{low}]",
    flags={"L": ("*", "A"), "H": ("*", "A"), "critical": ("**", "critical")},
    gaps={"haemolysed": "Haemolysed", "insufficient": "Insufficient", "pending": "To follow"},
)

LAYOUT = Layout(
    name="square_brackets",
    catalogue="uk",
    style=STYLE,
    size=A4_PAGE,
    top=112,
    panel_height=20,
    row_height=13,
    foot=70,
    day="%d/%m/%Y",
    moment="%d/%m/%Y %H:%M",
    sexes=("F", "M", "U"),
    statuses=("Preliminary", "Final", "Corrected", "Amended"),
    comment_x=56,
    page=(
        Text(40, 36, 12, "Aldermere Pathology", "bold"),
        Text(40, 48, 7, "UKAS accredited medical laboratory No. 0000"),
        Text(330, 48, 7, "Report status: {status}"),
        Text(40, 62, 9, "Name: {surname}, {given}"),
        Text(250, 62, 9, "D.O.B: {born}"),
        Text(370, 62, 9, "Sex: {sex}"),
        Text(420, 62, 9, "Patient ID: {number}"),
        Text(40, 76, 9, "Requestor: Dr E Example, The Surgery"),
        Text(330, 76, 9, "Lab No: {specimen}"),
        Text(40, 90, 9, "Collected: {collected}"),
        Text(210, 90, 9, "Received: {received}"),
        Text(375, 90, 9, "Reported: {reported}"),
        Text(40, 806, 7, "Page {page} of {pages}"),
        Text(130, 806, 7, "* = outside reference interval"),
        Text(300, 806, 7, NOTE),
    ),
    panel=(Text(40, 14, 10, "{panel}", "bold"),),
    row=(
        Text(46, 10, 9, "{name}", "mono"),
        Text(240, 10, 9, "{value} {flag}", "mono"),
        Text(330, 10, 9, "{unit}", "mono"),
        Text(450, 10, 9, "{range}", "mono"),
    ),
)
