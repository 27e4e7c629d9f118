"""The checker of the fault tests finds each kind of error."""

import pytest

from support.cluster_history import Attempt, Event, History, as_time

FIXES = ("Ada", "fixes")
RENAMED = Event("item", "/tracking/items/1", 3)
MOVED = Event("fix", "/tracking/items/1", at="2026-03-01T12:00:00.500Z")


@pytest.fixture
def history():
    history = History()
    for key in ("12:00", "12:01"):
        history.acknowledge(*FIXES, key)
    for event in (RENAMED, MOVED):
        history.announce("Ada", event)
    return history


def compare(history, fixes=("12:00", "12:01"), balance=7, events=(RENAMED, MOVED)):
    return history.compare({FIXES: list(fixes)}, {"Ada": (7, balance)}, {("Ada", "phone"): list(events)})


def test_complete_content_has_no_findings(history):
    assert compare(history).are_clean


def test_a_lost_write_is_found(history):
    assert compare(history, fixes=["12:01"]).lost == [(*FIXES, "12:00")]


def test_a_list_that_was_not_read_counts_as_lost(history):
    assert len(history.compare({}, {}, {}).lost) == 2


def test_a_person_without_a_listener_missed_every_event(history):
    assert [event for _, _, event in history.compare({}, {}, {}).missed] == [RENAMED, MOVED]


def test_a_doubled_write_is_found(history):
    assert compare(history, fixes=["12:00", "12:00", "12:01"]).doubled == [(*FIXES, "12:00")]


def test_an_entry_without_an_acknowledgement_is_a_doubled_write(history):
    assert compare(history, fixes=["12:00", "12:01", "12:02"]).doubled == [(*FIXES, "12:02")]


@pytest.mark.parametrize("events, missed", [
    ([MOVED], RENAMED),
    ([RENAMED], MOVED),
    ([Event(*RENAMED.subject, 2), MOVED], RENAMED),
    ([RENAMED, Event(*MOVED.subject, at="2026-03-01T12:00:00.499Z")], MOVED),
])
def test_a_missed_event_is_found(history, events, missed):
    assert compare(history, events=events).missed == [("Ada", "phone", missed)]


def test_a_later_event_replaces_an_earlier_one(history):
    later = [Event(*RENAMED.subject, 4), Event(*MOVED.subject, at="2026-03-01T12:00:01.000Z")]
    assert compare(history, events=later).are_clean


def test_a_wrong_balance_is_found(history):
    assert compare(history, balance=6).wrong_balances == [("Ada", 7, 6)]


def test_the_longest_silence_is_that_of_the_slowest_operation():
    history = History()
    for operation, ended in (("fix", 1), ("fix", 2), ("fix", 3), ("points", 1), ("points", 2.5)):
        history.record(Attempt(operation, ended, 0.1, 200, True))
    history.record(Attempt("points", 1.5, 0.1, 503, False))
    assert history.longest_silence(since=1, until=3) == 1.5
    assert history.longest_silence(since=2.5, until=5) == 2.5


def test_times_compare_as_text_with_those_of_the_api():
    assert as_time(0.0019) == "1970-01-01T00:00:00.001Z"
