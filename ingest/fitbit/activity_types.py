"""English names of the vendor's activity types: a name in a file is in the account's language, or private.

Only types whose number was seen beside its English name; any other keeps its number and has no name.
"""

NAMES: dict[int, str] = {
    1071: "Outdoor Bike",
    2040: "Circuit Training",
    2131: "Weights",
    3000: "Workout",
    3001: "Aerobic Workout",
    15000: "Sport",
    20047: "Elliptical",
    52000: "Yoga",
    90001: "Bike",
    90009: "Run",
    90013: "Walk",
    90024: "Swim",
}

# Names the vendor itself gives in English files; any other may be a person's own words and is not published.
ENGLISH_NAMES = frozenset(
    {
        *NAMES.values(),
        "Bootcamp",
        "Hike",
        "Interval Workout",
        "Kickboxing",
        "Martial Arts",
        "Outdoor Run",
        "Outdoor Walk",
        "Pilates",
        "Rowing",
        "Spinning",
        "Stair Climber",
        "Structured Workout",
        "Swimming",
        "Tennis",
        "Treadmill",
        "Treadmill Run",
        "Walking",
    }
)
