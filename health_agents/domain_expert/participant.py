"""The participant's summary by templates: plain words, no diagnosis, no alarm, when to ask a clinician."""

from collections.abc import Iterator

from health_agents.domain_expert.labs import participant_labs
from health_agents.domain_expert.phrases import long_date, plain_units, stated, window_words
from health_agents.domain_expert.sections import Section, Sentence, section
from health_agents.domain_expert.view import Row, View

# What a participant is told of, in their words. Other measures stay on the clinician's page.
PLAIN_MEASURES = {
    "resting_heart_rate": "your usual resting heart rate was {value}",
    "heart_rate_variability": "your heart rate usually varied by {value} at night",
    "steps": "you usually took {value} a day",
    "active_zone_minutes": "you usually had {value} of brisk activity a day",
    "sleep_minutes": "you usually slept {value} a night",
    "deep_sleep_minutes": "you usually had {value} of deep sleep a night",
    "rem_sleep_minutes": "you usually had {value} of dream (REM) sleep a night",
    "bed_minute": "you usually went to bed at {value}",
    "wake_up_minute": "you usually woke up at {value}",
}
_AMOUNTS = {"min": ("more", "less"), "steps": ("more", "fewer")}
_URGENT = ("critical", "high")


def participant_sections(view: View) -> list[Section]:
    """All sections but the sources."""
    measures = [
        section(f"analysis.{topic}", "participant", _measures(view, topic))
        for topic in ("heart", "activity", "sleep")
    ]
    return [
        section("overall", "participant", _overall(view)),
        *measures,
        section("analysis.labs", "participant", participant_labs(view)),
        section("analysis.surveys", "participant", _surveys(view)),
        section("missing", "participant", _missing(view)),
        section("actions", "participant", _actions(view)),
    ]


def _overall(view: View) -> Iterator[Sentence]:
    yield Sentence("This page shows what your device and your tests recorded for the study.")
    days = view.get("data.valid_days.last_30_days")
    if days is not None and days["window_end"]:
        yield stated(
            f"Your data reach to {long_date(days['window_end'])}; "
            f"you wore your device enough on {days['rendered']}",
            days,
        )
    else:
        yield Sentence("There are not enough recent data from your device to say how your last days went.")
    if any(row["topic"] == "peers" for row in view.facts.values()):
        yield Sentence(
            "A percentile tells how many people of a group have a smaller value than you; "
            "it does not say what is good for you."
        )


def _measures(view: View, topic: str) -> Iterator[Sentence]:
    for metric in view.metrics(topic):
        if metric in PLAIN_MEASURES:
            yield from _measure(view, metric)


def _measure(view: View, metric: str) -> Iterator[Sentence]:
    lead = view.medians(metric)[0]
    window = lead["window"]
    words = PLAIN_MEASURES[metric].format(value=plain_units(lead["rendered"]))
    yield stated(f"Over {window_words(window)} {words}", lead)
    change = view.get(f"{metric}.change.{window}")
    if change is not None:
        begin = "There is" if change["rendered"].startswith("no ") else "That is"
        yield stated(f"{begin} {plain_change(change)}", change)
    peer = view.get(f"peer.{metric}.{window}")
    if peer is not None:
        at = "" if peer["rendered"].startswith(("above", "below")) else "at the "
        yield stated(f"Among others, this is {at}{peer['rendered']}", peer)


def plain_change(change: Row) -> str:
    """The change in plain units; a steady one without its size; times and counts are more or less."""
    words = plain_units(change["rendered"]).partition(" (")[0]
    more, less = _AMOUNTS.get(change["unit"], ("higher", "lower"))
    return words.replace(" higher than", f" {more} than").replace(" lower than", f" {less} than")


def _surveys(view: View) -> Iterator[Sentence]:
    for row in view.of_topic("surveys"):
        yield stated(f"{row['label']}: {row['rendered']}", row)


def _missing(view: View) -> Iterator[Sentence]:
    missing = view.with_outcome("insufficient")
    if missing:
        yield stated(
            f"There was not enough information to look at: {view.names(missing)}", *view.named(missing)
        )


def _actions(view: View) -> Iterator[Sentence]:
    fired = view.with_outcome("fired")
    soon = [row for row in fired if row["severity"] in _URGENT]
    told = {row["subject"] for row in soon}
    later = [row for row in fired if row["subject"] not in told]
    if soon:
        yield stated(f"Please talk to a clinician soon about: {view.names(soon)}", *view.named(soon))
    if later:
        about = view.names(later)
        yield stated(f"At your next visit, please talk to a clinician about: {about}", *view.named(later))
    yield Sentence("If you feel unwell, talk to a clinician; do not wait for this page.")
    yield Sentence("This page does not replace the advice of a clinician who knows you.")
