"""What the wearable says of each day of the observation period."""

import dataframely as dy
import polars as pl

from schemas.columns import day, flag, local_time, number, text, whole
from schemas.table import Table, TableInfo


class DailySummary(Table):
    """What the wearable says of each day of the observation period."""

    info = TableInfo(
        name="daily_summary",
        one_row_is="a date of a participant's observation period, also one without data",
        warnings=(
            "a null on a worn day means that the device gave none",
            "sleep of a night stands on the day of waking",
            "no trend may cross a day with break_before",
        ),
    )
    participant_id = text("The study's id of the participant.", key=True)
    date = day("Local calendar day; a night stands on the day of waking.", key=True)
    study_day = whole("Days since enrolment, the day of enrolment is 0.", "days")
    day_state = text(
        "worn, partly_worn, not_worn, not_arrived or set_aside (docs/dates.md).",
        null=False,
        allowed=("worn", "partly_worn", "not_worn", "not_arrived", "set_aside"),
    )
    utc_offset_minutes = whole(
        "Offset of local time from UTC when the clock showed noon; null where it never did or did twice (a "
        "journey), or where no file shows the moment of a move.",
        "minutes",
        low=-720,
        high=840,
    )
    steps = whole("Steps, reconciled over devices.", "count", low=0, high=200000)
    distance_m = number("Distance covered.", "m", 1, low=0)
    calories_kcal = number("Energy spent, resting included.", "kcal", 1, low=0)
    floors = whole("Floors climbed.", "count", low=0)
    sedentary_minutes = whole("Sedentary minutes, sleep left out.", "minutes", low=0, high=1440)
    lightly_active_minutes = whole("Lightly active minutes.", "minutes", low=0, high=1440)
    fairly_active_minutes = whole("Fairly (moderately) active minutes.", "minutes", low=0, high=1440)
    very_active_minutes = whole("Very active minutes.", "minutes", low=0, high=1440)

    active_zone_minutes = whole(
        "Active zone minutes: cardio and peak minutes count twice.", "minutes", low=0, high=2880
    )
    fatburn_active_zone_minutes = whole(
        "Active zone minutes earned in the fat-burn zone.", "minutes", low=0, high=1440
    )
    cardio_active_zone_minutes = whole(
        "Active zone minutes earned in the cardio zone (two a minute).", "minutes", low=0, high=2880
    )
    peak_active_zone_minutes = whole(
        "Active zone minutes earned in the peak zone (two a minute).", "minutes", low=0, high=2880
    )
    resting_heart_rate = number("Resting heart rate.", "bpm", 2, low=25, high=150)
    resting_heart_rate_method = text("How the device or we came to the resting heart rate.")
    heart_rate_variability = number(
        "Heart rate variability of the night: RMSSD, never SDNN.", "ms", 2, low=1, high=400
    )
    heart_rate_variability_method = text("Which file and definition it came from.")
    respiratory_rate = number("Breaths per minute while asleep.", "breaths/min", 2, low=4, high=60)
    spo2_avg = number("Mean blood oxygen saturation of the night.", "%", 1, low=51, high=100)
    spo2_min = number("Lower bound of the night as the device states it.", "%", 1, low=51, high=100)
    spo2_max = number("Upper bound of the night as the device states it.", "%", 1, low=51, high=100)
    skin_temperature_variation = number(
        "Night's skin temperature against the personal baseline.", "degC", 2, low=-20, high=20
    )
    sleep_minutes = whole(
        "Minutes asleep over all logs of the wake date. NOT time in bed.", "minutes", low=0, high=1440
    )
    nap_minutes = whole("Minutes asleep of logs other than the main sleep.", "minutes", low=0, high=1440)
    time_in_bed_minutes = whole("Minutes in bed over all logs of the wake date.", "minutes", low=0, high=1440)
    deep_sleep_minutes = whole("Deep sleep, where the night has stages.", "minutes", low=0, high=1440)
    rem_sleep_minutes = whole("REM sleep, where the night has stages.", "minutes", low=0, high=1440)
    light_sleep_minutes = whole("Light sleep, where the night has stages.", "minutes", low=0, high=1440)
    awake_minutes = whole("Minutes awake during the sleep logs.", "minutes", low=0, high=1440)

    bed_time = local_time("Start of the main sleep, local.")
    wake_up_time = local_time("End of the main sleep, local.")
    bed_minute = whole(
        "Start of the main sleep in minutes from 00:00 of the date: -75 is 22:45 the evening before.",
        "minutes",
        low=-1440,
        high=1440,
    )
    wake_up_minute = whole(
        "End of the main sleep in minutes from 00:00 of the date.", "minutes", low=-1440, high=1440
    )
    sleep_score = whole("The vendor's sleep score.", "score", low=0, high=100)
    stress_management_score = whole("The vendor's stress score; higher is calmer.", "score", low=0, high=100)
    readiness_score = whole("The vendor's readiness score.", "score", low=0, high=100)
    vo2max = number("Cardio fitness estimate.", "mL/kg/min", 1, low=5, high=100)
    weight_kg = number("Last weight of the day.", "kg", 2, low=20, high=400)
    wear_minutes = whole(
        "Distinct local minutes with a heart-rate row of confidence 1 or more.", "minutes", low=0, high=2880
    )
    wear_from_steps = flag(
        "True where wear was judged by steps, as no heart-rate row exists that day.", null=False
    )
    valid_day = flag("True on a worn day; null where wear can't be known.")
    device = text("Device type of the day.")
    break_before = flag("True on the first day after a change of device, algorithm or source.", null=False)
    tz_change = flag(
        "True where the local day had not 24 hours: a change of clocks or a journey took or gave time (of a "
        "journey of unknown moment, where it may have).",
        null=False,
    )
    is_partial = flag(
        "True where the day is not whole: the newest day of an export, or told by a damaged file alone.",
        null=False,
    )

    @dy.rule()
    def bed_time_before_wake_up_time(cls) -> pl.Expr:
        """A night ends after it begins."""
        return cls.bed_time.col < cls.wake_up_time.col

    @dy.rule()
    def zones_sum_to_active_zone_minutes(cls) -> pl.Expr:
        """The three zones are parts of the total."""
        parts = (
            cls.fatburn_active_zone_minutes.col
            + cls.cardio_active_zone_minutes.col
            + cls.peak_active_zone_minutes.col
        )
        return parts == cls.active_zone_minutes.col
