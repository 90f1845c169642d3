"""Ten health profiles. List and numbers are ours: plausible shifts, not estimates of any population."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Profile:
    """What a profile shifts against the average person of the same sex and age.

    bmi in kg/m2, resting_heart_rate in bpm, sleep_minutes in minutes; *_factor multiply; exercises a week;
    mood is the mean of PHQ-9 and GAD-7 items on their scale of 0-3; spo2 in percent; desaturation is how far
    oxygen falls in its dips, in percent; systolic in mmHg on treatment; *_treated are shares of the people.
    """

    name: str
    ages: tuple[int, int]
    bmi: float = 26.0
    steps_factor: float = 1.0
    resting_heart_rate: float = 0.0
    rmssd_factor: float = 1.0
    exercises: float = 2.0
    sleep_minutes: float = 0.0
    bed_time_sd: float = 40.0
    wake_share: float = 0.11
    vo2max: float = 0.0
    mood: float = 0.35
    glucose: float = 0.0
    insulin_factor: float = 1.0
    ldl: float = 0.0
    triglycerides_factor: float = 1.0
    hdl: float = 0.0
    tsh_factor: float = 1.0
    crp_factor: float = 1.0
    spo2: float = 0.0
    desaturation: float = 1.5
    systolic: float = 0.0
    pressure_treated: float = 0.05
    statin_treated: float = 0.05
    diabetes_treated: float = 0.0


PROFILES: tuple[Profile, ...] = (
    Profile(
        "healthy_training",
        (24, 55),
        bmi=23.0,
        steps_factor=1.45,
        resting_heart_rate=-8,
        rmssd_factor=1.25,
        exercises=5.0,
        bed_time_sd=30,
        vo2max=7,
        mood=0.2,
        insulin_factor=0.6,
        triglycerides_factor=0.75,
        hdl=8,
        crp_factor=0.5,
        pressure_treated=0.0,
        statin_treated=0.0,
        systolic=-4,
    ),
    Profile(
        "stress_low_mood",
        (21, 60),
        steps_factor=0.85,
        resting_heart_rate=4,
        rmssd_factor=0.85,
        exercises=1.0,
        sleep_minutes=-20,
        bed_time_sd=60,
        wake_share=0.13,
        mood=1.2,
    ),
    Profile(
        "hypertension",
        (48, 79),
        bmi=29.0,
        steps_factor=0.9,
        resting_heart_rate=2,
        rmssd_factor=0.85,
        exercises=1.5,
        insulin_factor=1.2,
        crp_factor=1.3,
        systolic=16,
        pressure_treated=0.8,
        statin_treated=0.3,
    ),
    Profile(
        "prediabetes",
        (35, 72),
        bmi=30.0,
        steps_factor=0.85,
        resting_heart_rate=3,
        rmssd_factor=0.85,
        exercises=1.2,
        vo2max=-3,
        glucose=17,
        insulin_factor=1.7,
        triglycerides_factor=1.3,
        hdl=-5,
        crp_factor=1.6,
        systolic=5,
        pressure_treated=0.25,
        statin_treated=0.25,
        diabetes_treated=0.1,
    ),
    Profile(
        "sleep_trouble",
        (30, 70),
        steps_factor=0.95,
        resting_heart_rate=2,
        rmssd_factor=0.9,
        sleep_minutes=-45,
        bed_time_sd=55,
        wake_share=0.19,
        mood=0.7,
        spo2=-1.3,
        desaturation=5.0,
        systolic=3,
        pressure_treated=0.15,
    ),
    Profile(
        "overweight",
        (28, 65),
        bmi=31.5,
        steps_factor=0.85,
        resting_heart_rate=3,
        rmssd_factor=0.9,
        exercises=1.2,
        vo2max=-4,
        glucose=5,
        insulin_factor=1.5,
        triglycerides_factor=1.2,
        hdl=-4,
        crp_factor=1.8,
        systolic=4,
        pressure_treated=0.12,
        spo2=-0.2,
        desaturation=2.5,
    ),
    Profile(
        "type_2_diabetes",
        (42, 76),
        bmi=32.0,
        steps_factor=0.75,
        resting_heart_rate=6,
        rmssd_factor=0.7,
        exercises=0.8,
        vo2max=-5,
        glucose=58,
        insulin_factor=2.0,
        triglycerides_factor=1.5,
        hdl=-7,
        crp_factor=2.0,
        systolic=9,
        pressure_treated=0.55,
        statin_treated=0.55,
        diabetes_treated=0.85,
        desaturation=2.5,
    ),
    Profile(
        "dyslipidaemia",
        (38, 75),
        bmi=27.5,
        exercises=1.8,
        ldl=52,
        triglycerides_factor=1.6,
        hdl=-6,
        pressure_treated=0.2,
        statin_treated=0.4,
    ),
    Profile(
        "healthy_sedentary",
        (21, 60),
        bmi=24.5,
        steps_factor=0.62,
        resting_heart_rate=3,
        exercises=0.3,
        vo2max=-3,
    ),
    Profile(
        "hypothyroidism",
        (30, 72),
        bmi=28.0,
        steps_factor=0.88,
        resting_heart_rate=-4,
        exercises=1.2,
        mood=0.6,
        ldl=18,
        tsh_factor=4.2,
    ),
)


def index_of(name: str) -> int:
    """Place of a profile in PROFILES."""
    return [profile.name for profile in PROFILES].index(name)
