"""Offline: a shared tablet shows the day of all children, and their reports wait in order (F-40)."""

import datetime

import pytest
from playwright.sync_api import expect

from support.children import home
from support.offline import go_offline, go_online, is_kept, waits, with_worker
from support.pages import words
from support.tablets import SIZE, card, entry, open_child, pair, tap_pictures

pytestmark = pytest.mark.service_worker


@pytest.mark.spec("F-40-N")
def test_reports_on_a_tablet_wait_for_the_connection_and_are_sent_once_in_order(engine, server, home, phone):
    dishes, trash = home.parent.chore("Dishes"), home.parent.chore("Trash")
    today = str(datetime.datetime.now(datetime.UTC).date())
    for chore, children in [(dishes, [home.mia, home.ben]), (trash, [home.ben])]:
        body = {"childIds": [child["id"] for child in children], "startsOn": today, "rule": "FREQ=DAILY"}
        home.parent.call("PUT", f"/family/chores/{chore['id']}/schedule", body, expect=200)
    home.parent.call("PUT", f"/family/children/{home.mia['id']}/picture-pin", {"pin": "3-1-3"}, expect=200)
    tablet = with_worker(pair(phone(server, viewport=SIZE), home.parent))
    tablet.goto("/family/tablet")
    for child in (home.mia, home.ben):
        is_kept(tablet, f"/family/tablet/children/{child['id']}")
    go_offline(tablet)
    open_child(tablet, "Ben")
    for chore in ("Trash", "Dishes"):
        entry(tablet, chore).get_by_role("button", name=words(f"I have done “{chore}”")).click()
    waits(tablet, 2)
    open_child(tablet, "Mia")
    tap_pictures(tablet, "Fox", "Cat", "Fox")
    entry(tablet, "Dishes").get_by_role("button", name=words("I have done “Dishes”")).click()
    waits(tablet, 3)
    go_online(tablet)
    waits(tablet, 0)
    waiting = home.parent.call("GET", "/family/requests", expect=200)["items"]
    assert [(one["childId"], one["name"]) for one in waiting] == [
        (home.ben["id"], "Trash"), (home.ben["id"], "Dishes"), (home.mia["id"], "Dishes")]
    tablet.goto("/family/tablet")
    expect(card(tablet, "Ben")).to_contain_text("2 of 2 done")
