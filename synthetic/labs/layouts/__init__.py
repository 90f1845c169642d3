"""The layouts of laboratory reports, each a module of data. Names are ours; laboratories are made up."""

from synthetic.labs.layouts import (
    analyte_value,
    card_list,
    card_pairs,
    current_previous,
    decimal_comma,
    in_out_of_range,
    methods,
    round_brackets,
    si_columns,
    site_last,
    square_brackets,
)
from synthetic.labs.layouts.layout import Layout

LAYOUTS: dict[str, Layout] = {
    module.LAYOUT.name: module.LAYOUT
    for module in (
        analyte_value,
        in_out_of_range,
        current_previous,
        site_last,
        card_pairs,
        card_list,
        square_brackets,
        round_brackets,
        si_columns,
        methods,
        decimal_comma,
    )
}
