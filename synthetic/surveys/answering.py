"""How a person answers each form: by profile, body and health, with chance of their own."""

from collections.abc import Callable, Mapping
from datetime import timedelta

import numpy as np

from synthetic.people.persona import Person
from synthetic.people.profiles import PROFILES, Profile, index_of
from synthetic.randomness import generator

Values = dict[str, str | frozenset[int]]

FREE_TEXT_CANARY = "seven lanterns over the quiet harbour"
WISH_CANARY = 'amber gate, "north" ; <b>kettle</b>\nand =1+1 rivers'
MEDICINE_CANARY = "brass feather drops"
SEX_CODES = {"female": "1", "male": "2", "intersex": "3", "unknown": "9"}
SMOKING_CODES = {"never": "0", "former": "1", "current": "2"}
CONDITION_OF_PROFILE = {"type_2_diabetes": 1, "hypertension": 2, "dyslipidaemia": 3, "hypothyroidism": 4}
GOAL_OF_PROFILE = {"sleep_trouble": 1, "healthy_sedentary": 2, "overweight": 3, "stress_low_mood": 4}
REVERSED_STRESS_ITEMS = (4, 5, 7, 8)


def profile_of(person: Person) -> Profile:
    """The profile behind a person."""
    return PROFILES[index_of(person.profile)]


def identifiers_of(person: Person) -> dict[str, str]:
    """Items that say who it is; each is a canary."""
    return {
        "full_name": person.name,
        "contact_email": f"{person.name.replace(' ', '.').lower()}@example.org",
        "contact_phone": f"(555) 0100-{1000 + person.number}",
        "invited_as": f"{person.name} of Lantern Row",
    }


def demographics(person: Person, rng: np.random.Generator) -> Values:
    """Who they are; height and weight to a tenth, the index worked out of what they wrote."""
    height, weight = person.health.height_cm, person.health.weight_kg
    values: Values = {
        **identifiers_of(person),
        "sex_at_birth": SEX_CODES[person.sex],
        "gender": _gender(person, rng),
        "schooling": str(int(rng.choice((1, 2, 3, 4), p=(0.25, 0.3, 0.28, 0.17)))),
        "height_cm": f"{height:.1f}",
        "weight_kg": f"{weight:.1f}",
        "bmi": f"{weight / (height / 100) ** 2:.1f}",
        "smoking": SMOKING_CODES[person.health.smoking],
        "consent_copy": "[document]",
    }
    if person.health.smoking == "current":
        values["cigarettes_a_day"] = str(int(rng.integers(2, 25)))
    return values


def _gender(person: Person, rng: np.random.Generator) -> str:
    """Mostly as the sex; who is intersex or does not say answers freely, as a few others do."""
    if person.sex in ("female", "male") and rng.random() >= 0.02:
        return SEX_CODES[person.sex]
    return str(int(rng.choice((1, 2, 3, 9))))


def low_mood(stem: str, count: int) -> Callable[[Person, np.random.Generator], Values]:
    """Items of PHQ-9, PHQ-8 or GAD-7: each about the profile's mood; item 9 as planted."""

    def answered(person: Person, rng: np.random.Generator) -> Values:
        values = rng.binomial(3, min(profile_of(person).mood / 3, 0.9), count)
        items: Values = {f"{stem}_{n}": str(int(value)) for n, value in enumerate(values, start=1)}
        return items | ({"phq9_9": str(person.planted.phq_item_9)} if stem == "phq9" else {})

    return answered


def stress(person: Person, rng: np.random.Generator) -> Values:
    """PSS-10: stress goes with mood; positively worded items are answered the other way round."""
    share = min(0.22 + 0.3 * profile_of(person).mood, 0.85)
    values = rng.binomial(4, share, 10)
    return {
        f"pss10_{n}": str(4 - int(value) if n in REVERSED_STRESS_ITEMS else int(value))
        for n, value in enumerate(values, start=1)
    }


def alcohol(person: Person, rng: np.random.Generator) -> Values:
    """AUDIT-C."""
    return {f"auditc_{n}": str(int(rng.choice(5, p=(0.5, 0.32, 0.13, 0.04, 0.01)))) for n in (1, 2, 3)}


def activity(person: Person, rng: np.random.Generator) -> Values:
    """IPAQ of the last seven days: exercise days hard, a share of the steps walked in bouts."""
    body = person.body
    sitting = np.clip(rng.normal(430 - body.steps / 50, 60), 90, 840)
    hard = int(min(7, rng.poisson(0.6 * body.exercises_per_week)))
    moderate = int(min(7, rng.poisson(0.3 + 0.5 * body.exercises_per_week)))
    walked = int(np.clip(rng.normal(body.steps / 1300, 1), 0, 7))
    values: Values = {"ipaq_sitting_minutes": str(10 * round(float(sitting) / 10))}
    told = (
        ("vigorous", hard, 40.0),
        ("moderate", moderate, 35.0),
        ("walking", walked, body.steps / 150),
    )
    for effort, days, minutes in told:
        values[f"ipaq_{effort}_days"] = str(days)
        if days:
            long = minutes * float(np.exp(rng.normal(0, 0.4)))
            values[f"ipaq_{effort}_minutes"] = str(5 * max(1, round(long / 5)))
    return values


def breathing(person: Person, rng: np.random.Generator) -> Values:
    """Berlin: snoring with weight and sleep trouble, tiredness with a wakeful night."""
    profile, body = profile_of(person), person.body
    snores = bool(rng.random() < np.clip(0.05 * (body.bmi - 20), 0.05, 0.75))
    tired = 5 - rng.binomial(4, min(0.9, 0.05 + 4 * max(0.0, profile.wake_share - 0.09)), 2)
    pressure = person.profile == "hypertension" or bool(person.health.antihypertensives)
    values: Values = {
        "berlin_1": "1" if snores else "2",
        "berlin_5": str(int(rng.choice((1, 2), p=(0.5, 0.5)))) if snores and rng.random() < 0.15 else "5",
        "berlin_6": str(int(tired[0])),
        "berlin_7": str(int(tired[1])),
        "berlin_8": "2",
        "berlin_10": "1" if pressure else "2",
    }
    if snores:
        values |= {
            "berlin_2": str(int(rng.integers(1, 5))),
            "berlin_3": str(int(rng.integers(1, 6))),
            "berlin_4": str(int(rng.integers(1, 4))),
        }
    if rng.random() < 0.04:
        values |= {"berlin_8": "1", "berlin_9": str(int(rng.integers(2, 5)))}
    return values


def health_history(person: Person, rng: np.random.Generator) -> Values:
    """What a doctor told them, and a phrase that must not leave the file."""
    has = CONDITION_OF_PROFILE.get(person.profile)
    return {
        "conditions": frozenset() if has is None else frozenset({has}),
        "comments": f"{FREE_TEXT_CANARY} {person.number}",
    }


def body_measures(person: Person, rng: np.random.Generator) -> Values:
    """Waist and blood pressure as measured at the visit."""
    health = person.health
    return {
        "waist_cm": f"{health.waist_cm:.1f}",
        "systolic": str(health.systolic),
        "diastolic": str(health.diastolic),
    }


def home_pressure(person: Person, rng: np.random.Generator) -> Values:
    """One reading at home, about the one of the visit."""
    health = person.health
    return {
        "home_systolic": str(health.systolic + round(float(rng.normal(-3, 5)))),
        "home_diastolic": str(health.diastolic + round(float(rng.normal(-2, 4)))),
    }


def reproductive_health(person: Person, rng: np.random.Generator) -> Values:
    """Asked of those who may be pregnant: who gave female or intersex as sex at birth."""
    return {"pregnant": str(int(person.health.pregnant))} if person.sex in ("female", "intersex") else {}


def medication(person: Person, rng: np.random.Generator) -> Values:
    """Classes of drugs, with thyroid hormone for those who lack it; the names go into free text."""
    health = person.health
    drugs = [*health.antihypertensives, health.statin, health.diabetes_drug]
    takes = (
        bool(health.antihypertensives),
        health.statin is not None,
        health.diabetes_drug is not None,
        person.profile == "hypothyroidism",
    )
    classes = frozenset(code for code, taken in enumerate(takes, start=1) if taken)
    return {
        "medicines": classes or frozenset({-9}),
        "other_medicines": ", ".join([*(drug for drug in drugs if drug), MEDICINE_CANARY]),
    }


def health_insights(person: Person, rng: np.random.Generator) -> Values:
    """How they see their own health, sleep and activity; a goal by profile."""
    profile, body = profile_of(person), person.body

    def rating(mean: float) -> str:
        return str(1 + int(rng.binomial(4, float(np.clip((mean - 1) / 4, 0.05, 0.95)))))

    bed = round(body.bed_minute / 15) * 15 % 1440
    goal = GOAL_OF_PROFILE.get(person.profile)
    return {
        "view_health": rating(4.2 - 1.2 * profile.mood),
        "view_sleep": rating(5.5 - 16 * profile.wake_share),
        "view_activity": rating(1 + body.steps / 3000),
        "view_energy": str(int(np.clip(rng.normal(75 - 25 * profile.mood, 12), 0, 100))),
        "usual_bed_time": f"{bed // 60:02d}:{bed % 60:02d}",
        "last_check_up": (person.enrolled_on - timedelta(days=int(rng.integers(20, 500)))).isoformat(),
        "goals": frozenset({1 + int(rng.integers(4))} | ({goal} if goal else set())),
        "insight_wish": f"{WISH_CANARY} {person.number}",
    }


ANSWERING: Mapping[str, Callable[[Person, np.random.Generator], Values]] = {
    "demographics": demographics,
    "phq9": low_mood("phq9", 9),
    "phq8": low_mood("phq8", 8),
    "gad7": low_mood("gad7", 7),
    "pss10": stress,
    "auditc": alcohol,
    "ipaq": activity,
    "berlin": breathing,
    "health_history": health_history,
    "body_measures": body_measures,
    "home_pressure": home_pressure,
    "reproductive_health": reproductive_health,
    "medication": medication,
    "health_insights": health_insights,
}


def answer(person: Person, form: str, event: str, instance: int, seed: int) -> Values:
    """All answers of one filling, from a generator of its own: another form shifts none of them."""
    rng = generator(seed, f"survey {form} {event} {instance}", person.number)
    return ANSWERING[form](person, rng)
