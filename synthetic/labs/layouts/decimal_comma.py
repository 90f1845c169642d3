"""German: decimal comma, thousands point, plus and minus as flags, conventional and SI units together."""

from synthetic.labs.layouts.layout import A4_PAGE, NOTE, Layout, Text
from synthetic.labs.printing import Style

STYLE = Style(
    decimal=",",
    thousands=".",
    between="{low} - {high}",
    at_most="<= {high}",
    below="< {high}",
    at_least=">= {low}",
    above="> {low}",
    bound="{sign} {bound}",
    flags={"L": ("-", "L"), "H": ("+", "H"), "critical": ("++", "critical")},
    gaps={"haemolysed": "hämolytisch", "insufficient": "Mat. fehlt", "pending": "folgt"},
)

LAYOUT = Layout(
    name="decimal_comma",
    catalogue="de",
    style=STYLE,
    size=A4_PAGE,
    top=140,
    panel_height=22,
    row_height=13.2,
    foot=70,
    day="%d.%m.%Y",
    moment="%d.%m.%Y %H:%M",
    sexes=("weiblich", "männlich", "divers"),
    yes_no=("ja", "nein"),
    statuses=("Teilbefund", "Endbefund", "Korrigierter Befund", "Ergänzter Befund"),
    comment_x=60,
    rule=(42, 555, 19),
    page=(
        Text(42, 40, 13, "Labor Lindenau MVZ", "bold"),
        Text(380, 40, 9, "{status}"),
        Text(42, 62, 9, "Patient: {surname}, {given}"),
        Text(250, 62, 9, "Geburtsdatum: {born}"),
        Text(400, 62, 9, "Geschlecht: {sex}"),
        Text(42, 75, 9, "Patientennummer: {number}"),
        Text(250, 75, 9, "Auftragsnummer: {specimen}"),
        Text(400, 75, 9, "Nüchtern: {fasting}"),
        Text(42, 88, 9, "Entnahme: {collected}"),
        Text(250, 88, 9, "Eingang: {received}"),
        Text(400, 88, 9, "Befund: {reported}"),
        Text(50, 125, 9, "Untersuchung", "bold"),
        Text(240, 125, 9, "Ergebnis", "bold"),
        Text(320, 125, 9, "Einheit", "bold"),
        Text(420, 125, 9, "Referenzbereich", "bold"),
        Text(42, 806, 7, NOTE),
        Text(500, 806, 7, "Seite {page} von {pages}"),
    ),
    panel=(Text(42, 15, 10.5, "{panel}", "bold"),),
    row=(
        Text(50, 10, 9, "{name}"),
        Text(240, 10, 9, "{value}"),
        Text(290, 10, 9, "{flag}", "bold"),
        Text(320, 10, 9, "{unit}"),
        Text(420, 10, 9, "{range}"),
    ),
)
