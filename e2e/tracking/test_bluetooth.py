"""Pairing over Bluetooth and messages over that connection: T-1-5-1 to T-1-5-4, T-2-2-1, T-2-2-2, T-3-6-3. The tracker
is the real program with its GATT server. A broker connects it to the browser."""

import base64
import re

import pytest
from playwright.sync_api import expect

from support.bluetooth import Chooser, Phone
from support.frames import kind_of, packed
from support.items import METRE
from support.keys import Keyboard
from support.layout_checks import SMALL, flaws
from support.pages import name_field, open_add, save, until, words
from support.pairing import (
    LINKED,
    chromium,
    commands,
    expect_free,
    expect_linked,
    expect_problem,
    fixes,
    owner,
    pair,
    path_of,
    request_for,
    stored,
    switch,
    tracker,
)
from support.patience import wait_until
from support.peripherals import DROP
from support.program_clock import ProgramClock
from support.tracker_process import PATIENCE_SECONDS

# Pairing


@pytest.mark.spec("T-1-5-1", "T-1-5-2", "T-1-5-3", "T-1-5-4", "T-3-2-1")
def test_tracker_is_paired_by_bluetooth_after_a_save_starts_automatically_and_is_switched(
        engine, server, person, sign_in, tracker):
    one = tracker()
    # The smallest packets carry all messages.
    one.device.mtu = 23
    someone = person()
    page = sign_in(someone)
    page.chooser = Chooser(page, one.device.name)
    open_add(page)
    name_field(page).fill("Keys")
    save(page)
    sheet = page.get_by_role("dialog", name=re.compile("pair a tracker", re.I))
    expect(sheet).to_be_visible()
    for choice in ("Code", "Later"):
        expect(sheet.get_by_text(words(choice))).to_be_visible()
    sheet.get_by_text(words("Bluetooth")).click()
    pair(page)
    expect_linked(page)
    assert "R" in {kind_of(frame) for direction, frame in one.device.passed if direction == "in"}
    item = someone.call("GET", "/tracking/items")["items"][0]
    expect(page.locator("#tracker").get_by_text(words("On")).first).to_be_visible()
    # The tracker has no network, so all its data came through the page.
    kept = stored(someone, item)
    assert kept["id"] == one.identity()["id"]
    assert kept["state"] == "active"
    assert [(command["kind"], command["state"]) for command in commands(someone, item)] == [("activate", "applied")]
    wait_until(lambda: len(fixes(someone, item)) >= 2, PATIENCE_SECONDS)
    assert all(fix["source"] == "tracker" for fix in fixes(someone, item))

    expect(switch(page)).to_have_attribute("aria-checked", "true")
    until(page, "() => Boolean(document.querySelector('.switch-form')['htmx-internal-data'])")
    for is_on, state in ((False, "off"), (True, "active")):
        switch(page).click()
        expect(switch(page)).to_have_attribute("aria-checked", "true" if is_on else "false")
        wait_until(lambda state=state: stored(someone, item)["state"] == state
                   and not stored(someone, item)["pending"], PATIENCE_SECONDS)
        expect(page.get_by_text(re.compile("Turning (on|off)…"))).to_have_count(0)
    expect(page.get_by_text(LINKED, exact=True)).to_be_visible()
    assert one.device.connections == 1, "the page stayed, and the link with it"
    said = [frame for direction, frame in one.device.passed if direction == "out"]
    assert {kind_of(frame) for frame in said} >= {"A", "U"}
    assert max(len(frame) for frame in said) == 20


@pytest.mark.spec("T-1-5-4")
def test_repeated_pairing_response_starts_the_tracker_once(person, server, tracker):
    one, someone = tracker(), person()
    item = someone.add_item("Keys")
    phone = Phone(one.device)
    kind, answer = phone.ask(request_for(someone, item, phone.identity())[0])
    assert kind == "A"
    pairing = {"pairing": base64.b64encode(answer).decode()}
    first = someone.call("PUT", f"{path_of(item)}/tracker", pairing, expect=200)
    second = someone.call("PUT", f"{path_of(item)}/tracker", pairing, expect=200)
    assert first["id"] == second["id"] == packed(answer)[0]
    assert [command["kind"] for command in commands(someone, item)] == ["activate"]


@pytest.mark.spec("T-1-5-3")
def test_one_tracker_serves_one_item(person, server, owner, tracker):
    known, unknown = tracker(server), tracker()
    code = known.code()
    # The tracker already ran and shows its code. Bluetooth finds the same tracker.
    someone, item, page = owner("Keys", known.device)
    pair(page)
    expect_linked(page)
    assert someone.call("PUT", f"{path_of(someone.add_item('Other'))}/tracker", {"code": code}, expect=422)
    page.get_by_role("button", name=words("Disconnect")).click()
    # It can't be paired with a second item.
    for asker in (someone, person()):
        other = asker.add_item("Bag")
        refused = asker.call("POST", f"{path_of(other)}/registration", {
            **{name: known.identity()[name] for name in ("publicKey", "codeHash", "challenge")}}, expect=409)
        assert refused["error"]["code"] == "conflict"
    # The item can't get a second tracker.
    refused = someone.call("POST", f"{path_of(item)}/registration", {
        **{name: unknown.identity()[name] for name in ("publicKey", "codeHash", "challenge")}}, expect=409)
    assert refused["error"]["code"] == "conflict"
    page.reload()
    page.chooser.name = unknown.device.name
    page.get_by_role("button", name=words("Connect by Bluetooth")).click()
    expect_problem(page, "This is another tracker")
    assert unknown.identity()["state"] == "unbound"
    assert stored(someone, item)["id"] == known.identity()["id"]


@pytest.mark.spec("T-1-5-3")
def test_pairing_a_tracker_of_another_item_is_rejected(person, owner, tracker):
    one, someone = tracker(), person()
    item = someone.add_item("Keys")
    phone = Phone(one.device)
    _, answer = phone.ask(request_for(someone, item, phone.identity())[0])
    pairing = {"pairing": base64.b64encode(answer).decode()}
    someone.call("PUT", f"{path_of(item)}/tracker", pairing, expect=200)
    phone.leave()
    wait_until(lambda: not one.device.is_connected, PATIENCE_SECONDS)
    stranger, bag, page = owner("Bag", one.device)
    pair(page)
    expect_problem(page, "This tracker can’t be paired")
    expect_free(stranger, bag)


# The connection after pairing


@pytest.mark.spec("T-1-5-4")
def test_lost_connection_is_restored_and_reused_by_later_pages(owner, tracker):
    one = tracker()
    someone, item, page = owner("Keys", one.device)
    pair(page)
    expect_linked(page)
    one.device.drop()
    expect(page.get_by_text("Not connected at the moment")).to_be_visible()
    page.get_by_role("button", name=words("Connect again")).click()
    expect_linked(page)
    before = len(page.chooser.seen)
    page.goto(path_of(item))
    expect_linked(page)
    assert len(page.chooser.seen) == before, "the owner wasn't asked"
    count = len(fixes(someone, item))
    wait_until(lambda: len(fixes(someone, item)) > count, PATIENCE_SECONDS)
    expect(page.locator("#positions li").first).to_be_visible()


# Near and far


def mode_shown(page):
    return page.locator("#item .row", has_text="Link").locator(".row-value")


@pytest.mark.spec("T-2-2-1", "T-2-2-2")
def test_near_tracker_uses_bluetooth_and_far_tracker_the_mobile_network(
        server, person, sign_in, tracker, tmp_path):
    clock = ProgramClock(tmp_path)
    one, someone = tracker(server, clock=clock), person()
    item = someone.add_item("Keys")
    someone.call("PUT", f"{path_of(item)}/tracker", {"code": one.code()}, expect=200)
    wait_until(lambda: fixes(someone, item), PATIENCE_SECONDS)
    place = someone.call("GET", path_of(item))["lastFix"]
    page = sign_in(someone)
    page.goto(path_of(item))

    def stand(metres):
        """Moves the phone and waits for two reports of the tracker: the response to a report contains the distance."""
        someone.is_at(place["latitude"] + metres * METRE, place["longitude"])
        for _ in range(2):
            before = stored(someone, item)["lastSeenAt"]
            wait_until(lambda before=before: stored(someone, item)["lastSeenAt"] != before, PATIENCE_SECONDS)

    def stay(metres, mode):
        # Two reports don't cause a change, because they must be ten seconds apart.
        before = mode_shown(page).inner_text()
        stand(metres)
        expect(mode_shown(page)).to_have_text(before)
        clock.forward(10)
        expect(mode_shown(page)).to_have_text(mode, timeout=30_000)

    expect(mode_shown(page)).to_have_text("Mobile network")
    stay(15, "Bluetooth")
    assert stored(someone, item)["mode"] == "bluetooth"
    stay(50, "Mobile network")


# Release


@pytest.mark.spec("T-3-6-3")
def test_deleting_the_item_turns_the_tracker_off_and_gives_it_a_new_code(server, owner, tracker):
    one = tracker(server)
    code = one.code()
    someone, item, page = owner("Keys", one.device)
    pair(page)
    expect_linked(page)
    before = one.identity()
    page.goto(f"{path_of(item)}/delete")
    page.get_by_role("button", name=re.compile("^delete", re.I)).click()
    expect(page.get_by_role("heading", name=words("Items"), level=1)).to_be_visible()
    assert one.code() != code
    after = one.identity()
    assert after["state"] == "registering"
    assert after["publicKey"] != before["publicKey"]
    wait_until(lambda: one.device.name.endswith(after["publicKey"][:4].upper()), PATIENCE_SECONDS)
    bag = someone.add_item("Bag")
    page.goto(f"{path_of(bag)}/tracker")
    page.chooser.name = one.device.name
    pair(page)
    expect_linked(page)
    assert stored(someone, bag)["state"] == "active"


@pytest.mark.spec("T-3-6-3")
def test_tracker_released_while_offline_is_freed_over_bluetooth_and_paired_again(server, owner, tracker):
    one = tracker(server)
    one.code()
    someone, item, page = owner("Keys", one.device)
    pair(page)
    expect_linked(page)
    one.stop()
    # A page of the deleted item would open the list and interrupt the next navigation.
    page.goto("/tracking/items")
    someone.call("DELETE", path_of(item), expect=204)
    # It restarts without a network and doesn't know of the release yet.
    one.server = None
    one.start()
    bag = someone.add_item("Bag")
    page.goto(f"{path_of(bag)}/tracker")
    page.chooser.name = one.device.name
    before = one.identity()
    assert before["state"] in ("bound", "active")
    # A connection lost during the release frees nothing and binds nothing.
    one.device.passing = lambda direction, frame: DROP if direction == "in" and kind_of(frame) == "D" else frame
    pair(page)
    expect_problem(page, "The connection broke off")
    expect_free(someone, bag)
    one.device.passing = None
    # Chromium connects again on a new page without the time-out that the test of a stuck connection shows.
    page.reload()
    pair(page)
    expect_linked(page)
    after = one.identity()
    assert after["publicKey"] != before["publicKey"], "as one that is new"
    assert stored(someone, bag)["id"] == after["id"]
    # A stranger who only delivers the release message learns nothing else.
    kinds = [kind_of(frame) for direction, frame in one.device.passed if kind_of(frame) in ("K", "U", "R")]
    assert kinds[:2] == ["K", "U"] and "R" in kinds[2:]


# Accessibility


@pytest.mark.spec("T-1-5-1")
def test_pairing_works_by_keyboard_and_is_announced_to_screen_readers(owner, tracker):
    one = tracker()
    someone, item, page = owner("Keys")
    keys = Keyboard(page)
    keys.enter(page.get_by_role("button", name=words("Pair by Bluetooth")))
    expect_problem(page, "No tracker was chosen")
    expect_free(someone, item)
    assert one.device.connections == 0
    expect(page.get_by_role("heading", name=words("Bluetooth"))).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name=words("Try again"))).to_be_focused()
    page.chooser.name = one.device.name
    keys.enter()
    expect_linked(page)
    expect(page.locator("#bluetooth").get_by_role("status")).to_have_text("The tracker is paired and on.")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name=words("Disconnect"))).to_be_focused()
    keys.enter()
    expect(page.get_by_role("heading", name=words("Bluetooth"))).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name=words("Connect by Bluetooth"))).to_be_focused()


def test_each_state_is_accessible_fits_a_small_phone_and_has_large_targets(owner, tracker):
    # The report interval is so long that no message interrupts the release.
    one = tracker(None, "--poll", "3600", "--interval", "3600")
    _, item, page = owner("Keys", locale="de-DE", viewport=SMALL)
    problems = {}

    def reach(state):
        expect(page.locator(f"#bluetooth[data-state={state}]")).to_be_visible(timeout=25_000)

    def look(state, name=None):
        reach(state)
        if found := flaws(page):
            problems[name or state] = found

    look("idle")
    start = page.locator("[data-bluetooth-start]:visible, [data-bluetooth-next=again]:visible")
    start.click()
    look("problem")
    page.chooser.name = one.device.name
    one.device.passing = lambda direction, frame: None if direction == "out" else frame
    start.click()
    expect(page.locator("[data-step=bind][data-mark=now]")).to_be_visible()
    look("working")
    page.locator("[data-bluetooth-stop]:visible").click()
    one.device.passing = None
    start.click()
    look("linked")
    one.device.drop()
    look("apart")
    page.goto(f"{path_of(item)}/edit")
    page.locator("[data-sheet=delete]").click()
    look("linked", "deletion")
    page.evaluate("localStorage.clear()")
    page.reload()
    page.locator("[data-sheet=delete]").click()
    look("ready", "deletion without a link")
    page.goto(f"{path_of(item)}/tracker")
    start.click()
    reach("linked")
    one.device.passing = lambda direction, frame: None if kind_of(frame) == "F" else frame
    page.locator("form[data-lets-go] button").click()
    page.locator("dialog [data-yes]").click()
    expect(page.locator("dialog[open]")).to_have_count(0)
    look("parting")
    # Otherwise the page waits ten seconds for the confirmation before it can be closed.
    one.device.drop()
    assert not problems
