"""The participant's summary by templates: plain words, no diagnosis, no alarm, when to ask a clinician."""

from collections.abc import Iterator

from health_agents.domain_expert.labs import participant_labs
from health_agents.domain_expert.phrases import long_date, plain_units, short_label, stated, window_words
from health_agents.domain_expert.sections import Section, Sentence, section
from health_agents.domain_expert.view import MAIN_WINDOW, URGENT, Row, View

# What a participant is told of, by topic, in their words; the first of a topic with its rank. All else
# stands in the tables of their page.
PLAIN_MEASURES = {
    "sleep": {"sleep_minutes": "You usually slept {value} a night"},
    "activity": {
        "steps": "You usually took {value} a day",
        "active_zone_minutes": "You usually had {value} of brisk activity a day",
    },
    "heart": {
        "resting_heart_rate": "Your usual resting heart rate was {value}",
        "heart_rate_variability": "Your heart rate usually varied by {value} at night",
    },
}
_AMOUNTS = {"min": ("more", "less"), "steps": ("more", "fewer")}
_TOO_FEW = ("insufficient_days", "break")
_ARRIVAL, _WEAR = "data_gap", "adherence"


def participant_sections(view: View) -> list[Section]:
    """All sections but the sources."""
    return [
        section("overall", "participant", _overall(view)),
        section("analysis.sleep", "participant", [*_measures(view, "sleep"), *_bedtime(view)]),
        section("analysis.activity", "participant", _measures(view, "activity")),
        section("analysis.heart", "participant", _measures(view, "heart")),
        section("analysis.labs", "participant", participant_labs(view)),
        section("missing", "participant", _missing(view)),
        section("actions", "participant", _actions(view)),
    ]


def _overall(view: View) -> Iterator[Sentence]:
    days = view.get("data.valid_days.last_30_days")
    if days is not None and days["window_end"]:
        yield stated(
            f"Your data reach to {long_date(days['window_end'])}; "
            f"you wore your device enough on {days['rendered']}",
            days,
        )
        if view.frame["fact_id"].str.ends_with(f".median.{MAIN_WINDOW}").any():
            yield Sentence("What is called usual here is the middle value of those days.")
    else:
        yield Sentence("There are not enough recent data from your device to say how your last days went.")
    if any(row["topic"] == "peers" and row["window"] == MAIN_WINDOW for row in view.facts.values()):
        yield Sentence(
            "A percentile tells how many people of a group have a smaller value than you; "
            "it does not say what is good for you."
        )


# How ranks begin that are no single percentile, or have their article.
_WITHOUT_ARTICLE = ("above", "below", "about", "lower", "higher")


def _measures(view: View, topic: str) -> Iterator[Sentence]:
    ranked = False
    for metric, words in PLAIN_MEASURES[topic].items():
        medians = view.medians(metric)
        if not medians:
            continue
        yield _measure(view, metric, medians[0], words)
        peer = view.get(f"peer.{metric}.{medians[0]['window']}")
        if peer is not None and not ranked:
            at = "" if peer["rendered"].startswith(_WITHOUT_ARTICLE) else "the "
            yield stated(f"That is {at}{peer['rendered']}", peer)
            ranked = True


def _measure(view: View, metric: str, lead: Row, words: str) -> Sentence:
    """Value and change in one sentence; the window only where it is not the one of the whole page."""
    text = words.format(value=plain_units(lead["rendered"]))
    if lead["window"] != MAIN_WINDOW:
        text += f" over {window_words(lead['window'])}"
    change = view.get(f"{metric}.change.{lead['window']}")
    if change is None:
        return stated(text, lead)
    return stated(f"{text}, {_with(plain_change(change))}", lead, change)


def _with(change: str) -> str:
    return f"with {change}" if change.startswith("no ") else change


def _bedtime(view: View) -> Iterator[Sentence]:
    """To bed and up; when that clearly moved, by how much."""
    times = [view.get(f"{metric}.median.{MAIN_WINDOW}") for metric in ("bed_minute", "wake_up_minute")]
    bed, up = times
    if bed is not None and up is not None:
        yield stated(f"You usually went to bed at {bed['rendered']} and got up at {up['rendered']}", bed, up)
    for metric, words in (("bed_minute", "You went to bed"), ("wake_up_minute", "You got up")):
        change = view.get(f"{metric}.change.{MAIN_WINDOW}")
        if change is not None and change["direction"] != "steady":
            yield stated(f"{words} {plain_change(change)}", change)


def plain_change(change: Row) -> str:
    """The change in plain units; a steady one without its size; times and counts are more or less."""
    words = plain_units(change["rendered"]).partition(" (")[0]
    more, less = _AMOUNTS.get(change["unit"], ("higher", "lower"))
    return words.replace(" higher than", f" {more} than").replace(" lower than", f" {less} than")


def _missing(view: View) -> Iterator[Sentence]:
    """Only what the page does not tell by another window all the same."""
    told = {
        short_label(view.medians(name)[0])
        for names in PLAIN_MEASURES.values()
        for name in names
        if view.medians(name)
    }
    few = [
        row
        for row in view.with_outcome("insufficient")
        if row["reason"] in _TOO_FEW and view.names([row]) not in told
    ]
    if few:
        yield stated(f"There were not enough days with data to look at: {view.names(few)}", *view.named(few))


def _actions(view: View) -> Iterator[Sentence]:
    fired = view.with_outcome("fired")
    soon = [row for row in fired if row["severity"] in URGENT]
    told = {_ARRIVAL, _WEAR, *(row["subject"] for row in soon)}
    later = [row for row in fired if row["severity"] != "info" and row["subject"] not in told]
    if soon:
        yield stated(f"Please talk to your clinician soon about: {view.names(soon)}", *view.named(soon))
    if later:
        about = view.names(later)
        yield stated(f"At your next visit, talk to your clinician about: {about}", *view.named(later))
    subjects = {row["subject"] for row in fired}
    if _ARRIVAL in subjects:
        yield Sentence("Please sync your device and send a new export, so that this page can be renewed.")
    if _WEAR in subjects:
        yield Sentence("Wear your device as often as you can, so that this page can tell how your days go.")
    yield Sentence("This page does not replace the advice of a clinician who knows you.")
