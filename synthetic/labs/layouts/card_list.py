"""The same portal printed: one column of cards, the value behind a label ``Value``."""

from dataclasses import replace

from synthetic.labs.layouts import card_pairs
from synthetic.labs.layouts.layout import Text

LAYOUT = replace(
    card_pairs.LAYOUT,
    name="card_list",
    columns=(0.0,),
    row_height=72,
    row=(
        Text(36, 12, 9, "{name}", "bold"),
        Text(36, 24, 7.5, "Normal range: {ranged_unit}"),
        Text(36, 35, 7.5, "Value"),
        Text(36, 47, 11, "{value} {flag}", "marked"),
        Text(44, 59, 6, "{low}"),
        Text(44.3, 59, 6, "{low}"),
        Text(420, 59, 6, "{high}"),
        Text(420.3, 59, 6, "{high}"),
    ),
)
