"""Samples by the second say the same as the minutes; the phone counts what was walked."""

from collections.abc import Iterator

import numpy as np
import polars as pl
import pytest

from synthetic.life.heart_samples import NO_CONTACT_BPM, heart_rate_samples, no_contact_minutes
from synthetic.life.recording import Recording, record
from synthetic.people.casting import Casting
from synthetic.people.persona import make_person

DAYS, STEPS = 12, (1, 5, 10, 15, 60)


@pytest.fixture(scope="module")
def recording() -> Recording:
    return record(make_person(16, DAYS, 9, Casting(effect_free=True)), 9)


def samples_of(recording: Recording) -> Iterator[tuple[int, int, pl.DataFrame]]:
    for every in STEPS:
        for day in range(DAYS):
            yield every, day, heart_rate_samples(recording, day, every)


def test_minute_means_are_the_minutes(recording: Recording) -> None:
    for every, day, samples in samples_of(recording):
        piece = recording.days.minutes_of(day)
        means = (
            samples.filter(pl.col("confidence") > 0)
            .group_by(minute=pl.col("utc_second") // 60, maintain_order=True)
            .agg(pl.mean("bpm"), pl.len())
        )
        worn = recording.minutes.worn[piece]
        assert means["minute"].to_list() == recording.days.utc_minute[piece][worn].tolist()
        assert means["bpm"].to_list() == recording.minutes.heart_rate[piece][worn].tolist()
        assert (means["len"] == 60 // every).all()


def test_samples_come_in_time_order_and_differ_within_a_minute(recording: Recording) -> None:
    for every, _, samples in samples_of(recording):
        assert (samples["utc_second"].diff().drop_nulls() > 0).all()
        assert samples["bpm"].is_between(30, 220).all()
        if every < 60 and samples.height:
            spread = samples.group_by(pl.col("utc_second") // 60).agg(pl.col("bpm").std())["bpm"]
            assert 0.5 < spread.mean() < 3


def test_right_after_the_device_came_off_it_says_seventy_with_confidence_0(recording: Recording) -> None:
    places = no_contact_minutes(recording)
    assert len(places)
    assert not recording.minutes.worn[places].any()
    for every, day, samples in samples_of(recording):
        off = samples.filter(pl.col("confidence") == 0)
        here = places[recording.days.day[places] == day]
        assert off.height == len(here) * (60 // every)
        assert (off["bpm"] == NO_CONTACT_BPM).all()
        assert set(off["utc_second"] // 60) == set(recording.days.utc_minute[here].tolist())


def test_confidence_is_mostly_firm_and_loose_for_whole_minutes(recording: Recording) -> None:
    samples = pl.concat([heart_rate_samples(recording, day, 5) for day in range(DAYS)])
    worn = samples.filter(pl.col("confidence") > 0)
    assert 0.12 < (worn["confidence"] == 1).mean() < 0.18
    minutes = worn.group_by(pl.col("utc_second") // 60).agg((pl.col("confidence") == 1).mean())
    assert minutes["confidence"].is_in([0.0, 1.0]).all()
    assert set(worn["confidence"]) == {1, 2, 3}


def test_a_day_is_the_same_whichever_were_asked_for_before(recording: Recording) -> None:
    alone = heart_rate_samples(recording, 3, 5)
    heart_rate_samples(recording, 2, 5)
    assert heart_rate_samples(recording, 3, 5).equals(alone)
    assert not alone["bpm"].equals(heart_rate_samples(recording, 4, 5)["bpm"])


def test_a_day_that_was_not_worn_has_none() -> None:
    recording = record(make_person(5, 60, 7), 7)
    unworn = int(np.flatnonzero(recording.wear == 0)[0])
    assert heart_rate_samples(recording, unworn, 5).is_empty()


def test_a_step_that_does_not_divide_a_minute_is_refused(recording: Recording) -> None:
    with pytest.raises(ValueError, match="divide"):
        heart_rate_samples(recording, 0, 7)


def test_a_phone_counts_part_of_what_was_walked_also_without_the_watch() -> None:
    people = [make_person(number, 30, 9) for number in range(12, 40)]
    carriers = [record(person, 9) for person in people if person.has_phone_recorder][:6]
    assert carriers
    for recording in carriers:
        phone, minutes = recording.phone_steps, recording.minutes
        assert 0.35 < phone.sum() / minutes.walked.sum() < 0.75
        assert (phone[minutes.walked == 0] == 0).all()
        assert not phone[~recording.arrived].any()
        assert [device.kind for device in recording.devices].count("phone") == 1
    assert any(recording.phone_steps[~recording.minutes.worn].any() for recording in carriers)


def test_without_a_phone_recorder_there_are_no_phone_steps(recording: Recording) -> None:
    person = next(p for p in (make_person(n, 10, 9) for n in range(12, 40)) if not p.has_phone_recorder)
    assert not record(person, 9).phone_steps.any()
