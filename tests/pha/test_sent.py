"""pha sent: what was sent about a participant, word for word, and nothing a terminal would act on."""

import json
from pathlib import Path

from click.testing import CliRunner

from health_agents.model.sent import Sender, Sent, audit_folder
from pha.cli import cli
from schemas.errors import PhaError

URL = "https://models.example.org/v1/models/m:generateContent?key=never"
BODY = '{"contents": [{"parts": [{"text": "Sex: female, née … 3 facts"}]}]}'


def audit(out: Path) -> Sent:
    return Sent(audit_folder(out / "store" / "_answers"))


def sender(participant_id: str, *, left: bool = True) -> Sender:
    return Sender(participant_id, "domain_expert", "gemini-2.5-flash", left, "digest-1")


def shown(out: Path, *options: str) -> str:
    done = CliRunner().invoke(cli, ["sent", "--out", str(out), *options])
    assert done.exit_code == 0, done.output
    return done.output


def test_every_time_something_was_sent_is_shown_word_for_word(tmp_path: Path) -> None:
    kept = audit(tmp_path)
    kept.keep(sender("P-1"), URL, BODY.encode())
    kept.keep(sender("P-1"), URL, BODY.encode())
    kept.keep(sender("P-1", left=False), "http://127.0.0.1:1/v1", b'{"second": 2}')
    kept.keep(sender("P-2"), URL, b'{"of": "another"}')
    text = shown(tmp_path, "--participant", "P-1")
    assert text.startswith("P-1: 3 requests to a model; 2 of them left this machine.")
    assert text.count(BODY) == 2
    assert text.index(BODY) < text.index('{"second": 2}')
    assert "domain_expert -> gemini-2.5-flash  https://models.example.org" in text
    assert "stayed on this machine" in text
    assert "never" not in text, "a key in an address is not kept"
    assert "another" not in text


def test_as_json_the_bodies_are_the_bytes_that_were_sent(tmp_path: Path) -> None:
    audit(tmp_path).keep(sender("P-1"), URL, BODY.encode())
    (one,) = json.loads(shown(tmp_path, "--participant", "P-1", "--json"))
    assert one["body"] == BODY
    assert one["left_machine"] is True
    assert one["request_digest"] == "digest-1"
    assert one["url"].endswith(":generateContent")


def test_nothing_was_sent(tmp_path: Path) -> None:
    (tmp_path / "store" / "core" / "P-9").mkdir(parents=True)
    assert shown(tmp_path, "--participant", "P-9").startswith("P-9: 0 requests")
    assert json.loads(shown(tmp_path, "--participant", "P-9", "--json")) == []


def test_of_somebody_no_run_knows_it_is_not_said_that_nothing_was_sent(tmp_path: Path) -> None:
    for made, code in ((False, "release_missing"), (True, "participant_unknown")):
        if made:
            (tmp_path / "store" / "core" / "P-9").mkdir(parents=True)
        for asked in ("P-8", "P-*", "../core/P-9", ""):
            words = ["sent", "--out", str(tmp_path), "--participant", asked]
            fault = CliRunner().invoke(cli, words, standalone_mode=False).exception
            assert isinstance(fault, PhaError)
            assert fault.code.name == code
        assert (tmp_path / "store").exists() == made, "asking writes nothing"


def test_what_a_terminal_would_act_on_is_spelled_out(tmp_path: Path) -> None:
    audit(tmp_path).keep(sender("P-1"), URL, b'{"text": "\x1b[2J\x7f \xff\xc2\x9b"}')
    text = shown(tmp_path, "--participant", "P-1")
    assert r"\x1b[2J\x7f \xff\x9b" in text
    assert "\x1b" not in text
