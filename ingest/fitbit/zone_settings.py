"""``UserDemographicData``: what an account was set to, since when. Its zones alone are read."""

from dataclasses import replace

import polars as pl

from ingest.archive import Content
from ingest.clocks.steps import is_zone
from ingest.fitbit.csv_rows import digits, read_csv
from ingest.fitbit.reading import Reading, Rule, missing, sift

_ZONE = "timezone"


def read_zone_settings(content: Content, _name: str) -> Reading:
    """``since`` (UTC digits), ``zone`` (an IANA name). Other settings are personal: ignored by that rule."""
    rows = read_csv(content, ["value_time", "setting_name", "setting_value"])
    settings, values = rows.frame["setting_name"], rows.frame["setting_value"]
    zones = [name for name in values.filter(settings == _ZONE).drop_nulls().unique() if is_zone(name)]
    is_zone_row = pl.col("setting_name") == _ZONE
    frame = rows.frame.select(
        "row",
        digits(rows.frame["value_time"]).alias("since"),
        pl.when(is_zone_row & pl.col("setting_value").is_in(zones)).then("setting_value").alias("zone"),
        is_zone_row.fill_null(False).alias("is_zone_row"),
    )
    other = Rule("other_setting", ~pl.col("is_zone_row"))
    # What is no name of the data base tells nothing, and makes no file wrong.
    unknown = Rule("unknown_zone", pl.col("zone").is_null())
    reading = sift(rows.like(frame), (missing("since"),), (other, unknown))
    return replace(reading, frame=reading.frame.drop("is_zone_row"))
