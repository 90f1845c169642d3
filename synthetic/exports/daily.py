"""What forms with a row a day show of a day: totals over the recording, whole and unrounded."""

import numpy as np
import polars as pl

from synthetic.life.activity import CARDIO, FAT_BURN, INTENSITIES, PEAK, ZONE_MULTIPLIER, per_day
from synthetic.life.recording import Recording


def daily_totals(recording: Recording) -> pl.DataFrame:
    """A row a local day, with the columns of ``recording.nightly`` behind.

    date, steps, distance_cm, floors, energy and basal energy in kcal, wear and each of INTENSITIES in
    minutes, zone minutes as fat_burn, cardio and peak.
    """
    days, measures = recording.days, recording.measures
    energy = measures.energy_tenths
    totals = pl.DataFrame(
        {
            "date": days.dates,
            "steps": per_day(days, recording.minutes.steps),
            "distance_cm": per_day(days, measures.distance_cm),
            "floors": per_day(days, measures.floors),
            "energy": energy.sum(axis=1) / 10,
            "basal": (energy > 0).sum(axis=1) * energy[energy > 0].min() / 10,
            "wear": recording.wear,
            **{name: recording.intensity[name] for name in INTENSITIES},
            **{
                name: per_day(days, measures.zone == zone) * int(ZONE_MULTIPLIER[zone])
                for name, zone in (("fat_burn", FAT_BURN), ("cardio", CARDIO), ("peak", PEAK))
            },
        }
    )
    assert np.array_equal(totals["date"].to_numpy(), recording.nightly["date"].to_numpy())
    return totals.hstack(recording.nightly.drop("date"))
