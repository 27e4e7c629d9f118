"""Pairing over Bluetooth, and what goes over it: T-1-5-1 to T-1-5-4, T-2-2-1, T-2-2-2, T-3-6-3. The tracker is the real
program with its GATT server; a broker stands between it and the browser."""

import base64
import json
import re

import pytest
from playwright.sync_api import expect

from support.bluetooth import Chooser, Phone, RadioTracker, kind_of, packed
from support.bluez import DROP, IDENTITY, INBOX, OUTBOX
from support.pages import name_field, open_add, save, until, words
from test_devices import eventually
from test_lock import set_passcode, unlock
from test_tracking_items import METRE

LINKED = "Connected by Bluetooth"
HEART_RATE = "0000180d-0000-1000-8000-00805f9b34fb"


@pytest.fixture(scope="module")
def chromium(chromium_with_bluetooth):
    return chromium_with_bluetooth


@pytest.fixture
def tracker(broker, tmp_path):
    """Makes trackers; without a server they have no network."""
    made = []

    def make(server=None, *arguments, **options):
        folder = tmp_path / f"tracker-{len(made)}"
        folder.mkdir()
        made.append(RadioTracker(broker, folder, server, *arguments, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def owner(server, person, sign_in):
    """Someone with an item, on the page where its tracker is paired; the window chooses what `chooser.name` says."""
    def make(name="Keys", device=None, **options):
        someone = person()
        item = someone.add_item(name)
        page = sign_in(someone, **options)
        page.chooser = Chooser(page, device and device.name)
        page.goto(f"{path_of(item)}/tracker")
        return someone, item, page
    return make


def path_of(item):
    return f"/tracking/items/{item['id']}"


def pair(page):
    page.get_by_role("button", name=words("Pair by Bluetooth")).click()


def again(page):
    page.get_by_role("button", name=words("Try again")).click()


def expect_linked(page):
    expect(page.get_by_text(LINKED, exact=True)).to_be_visible(timeout=20_000)


def expect_problem(page, title, text=None):
    """Something went wrong and is told, with a way on."""
    alert = page.locator("#bluetooth").get_by_role("alert")
    expect(alert).to_contain_text(title, timeout=25_000)
    if text:
        expect(alert).to_contain_text(text)


def expect_free(someone, item):
    """Nothing is half bound: the item has no tracker, and nothing waits for one."""
    assert someone.call("GET", path_of(item))["tracker"] is None
    assert commands(someone, item) == []


def stored(someone, item):
    return someone.call("GET", path_of(item))["tracker"]


def commands(someone, item):
    return someone.call("GET", f"{path_of(item)}/commands")["items"]


def fixes(someone, item):
    return someone.call("GET", f"{path_of(item)}/fixes")["items"]


def request_for(someone, item, identity):
    asked = {name: identity[name] for name in ("publicKey", "codeHash", "challenge")}
    answer = someone.call("POST", f"{path_of(item)}/registration", asked, expect=201)
    return base64.b64decode(answer["request"]), answer


def switch(page):
    return page.get_by_role("main").get_by_role("switch")


# The way through


@pytest.mark.smoke
@pytest.mark.spec("T-1-5-1", "T-1-5-3", "T-1-5-4")
def test_after_a_save_a_tracker_is_paired_by_bluetooth_and_begins_by_itself(engine, server, person, sign_in, tracker):
    one = tracker()
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
    # The tracker has no network: whatever is known of it came by way of the page.
    kept = stored(someone, item)
    assert kept["id"] == one.identity()["id"]
    assert kept["state"] == "active"
    assert [(command["kind"], command["state"]) for command in commands(someone, item)] == [("activate", "applied")]
    eventually(lambda: len(fixes(someone, item)) >= 2)
    assert all(fix["source"] == "tracker" for fix in fixes(someone, item))


@pytest.mark.spec("T-1-5-4")
def test_a_tracker_paired_by_code_is_told_to_begin_once_over_the_network(server, owner, tracker):
    one = tracker(server)
    someone, item, page = owner("Keys")
    page.get_by_label(re.compile("claim code", re.I)).fill(one.code())
    page.get_by_role("button", name=words("Pair")).click()
    page.wait_for_url(lambda url: not url.endswith("/tracker"))
    expect(page.locator("#item").get_by_text(words("On")).first).to_be_visible(timeout=20_000)
    eventually(lambda: len(fixes(someone, item)) >= 2)
    assert [(command["kind"], command["state"]) for command in commands(someone, item)] == [("activate", "applied")]
    assert one.device.connections == 0


@pytest.mark.spec("T-1-5-4")
def test_pairing_again_with_the_same_answer_does_not_begin_twice(person, server, tracker):
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


@pytest.mark.spec("T-3-2-1")
def test_off_and_on_are_confirmed_over_the_link(owner, tracker):
    one = tracker()
    someone, item, page = owner("Keys", one.device)
    pair(page)
    expect_linked(page)
    expect(switch(page)).to_have_attribute("aria-checked", "true")
    until(page, "() => Boolean(document.querySelector('.switch-form')['htmx-internal-data'])")
    for is_on, state in ((False, "off"), (True, "active")):
        switch(page).click()
        expect(switch(page)).to_have_attribute("aria-checked", "true" if is_on else "false")
        eventually(lambda: stored(someone, item)["state"] == state and not stored(someone, item)["pending"], seconds=5)
        expect(page.get_by_text(re.compile("Turning (on|off)…"))).to_have_count(0)
    expect(page.get_by_text(LINKED, exact=True)).to_be_visible()
    assert one.device.connections == 1, "the page stayed, and the link with it"


@pytest.mark.spec("T-1-5-3")
def test_one_tracker_serves_one_item_whichever_comes_first(person, server, owner, tracker):
    known, unknown = tracker(server), tracker()
    code = known.code()
    # The tracker was there first, and shows its code; Bluetooth finds the same one.
    someone, item, page = owner("Keys", known.device)
    pair(page)
    expect_linked(page)
    assert someone.call("PUT", f"{path_of(someone.add_item('Other'))}/tracker", {"code": code}, expect=422)
    page.get_by_role("button", name=words("Disconnect")).click()
    # A second item doesn't get it, whoever asks.
    for asker in (someone, person()):
        other = asker.add_item("Bag")
        refused = asker.call("POST", f"{path_of(other)}/registration", {
            **{name: known.identity()[name] for name in ("publicKey", "codeHash", "challenge")}}, expect=409)
        assert refused["error"]["code"] == "conflict"
    # The item doesn't get a second one.
    refused = someone.call("POST", f"{path_of(item)}/registration", {
        **{name: unknown.identity()[name] for name in ("publicKey", "codeHash", "challenge")}}, expect=409)
    assert refused["error"]["code"] == "conflict"
    assert stored(someone, item)["id"] == known.identity()["id"]


@pytest.mark.spec("T-1-5-3")
def test_another_item_is_told_that_the_tracker_is_taken(owner, tracker):
    one = tracker()
    someone, _, page = owner("Keys", one.device)
    pair(page)
    expect_linked(page)
    page.get_by_role("button", name=words("Disconnect")).click()
    eventually(lambda: not one.device.is_connected)
    stranger, bag, page = owner("Bag", one.device)
    pair(page)
    expect_problem(page, "This tracker can't be paired")
    expect_free(stranger, bag)


# What the tracker refuses


@pytest.fixture
def asked(person, tracker):
    """A phone next to a tracker, with a request for an item of its owner's."""
    one, someone = tracker(), person()
    item = someone.add_item("Keys")
    phone = Phone(one.device)
    return someone, item, phone, request_for(someone, item, phone.identity())[0]


@pytest.mark.spec("T-1-5-2")
def test_the_tracker_binds_itself_and_answers(asked):
    someone, item, phone, request = asked
    before = phone.identity()
    assert (before["state"], before["id"]) == ("unbound", None)
    identity, body, _ = packed(request)
    kind, answer = phone.ask(request)
    assert kind == "A"
    said = json.loads(packed(answer)[1])
    assert (said["tracker"], said["state"]) == (identity, "bound")
    assert (said["binding"], said["challenge"]) == (json.loads(body)["binding"], json.loads(body)["challenge"])
    after = phone.identity()
    assert (after["state"], after["id"]) == ("bound", identity)
    assert after["challenge"] != before["challenge"], "spent"
    # Until the server hears of it, nothing is bound there.
    expect_free(someone, item)


def altered(content, place, by=1):
    return content[:place] + bytes([content[place] ^ by]) + content[place + 1:]


@pytest.mark.spec("T-1-5-2")
@pytest.mark.parametrize("spoil, reason", [
    (lambda request: b"", "malformed"),
    (lambda request: request[:60], "malformed"),
    (lambda request: request.replace(b'"version":1', b'"version":2'), "malformed"),
    (lambda request: request.replace(b'"expiresAt":"2', b'"expiresAt":"3'), "signature"),
    (lambda request: altered(request, len(request) - 1), "signature"),
    (lambda request: altered(request, 3), "foreign"),
], ids=["empty", "cut", "version", "longer life", "signature", "another tracker's"])
def test_what_is_malformed_or_wrongly_signed_is_refused_with_a_reason(asked, spoil, reason):
    someone, item, phone, request = asked
    assert spoil(request) != request
    assert phone.ask(spoil(request)) == ("E", reason.encode())
    assert phone.identity()["state"] == "unbound"
    expect_free(someone, item)
    # The next honest one is taken.
    assert phone.ask(request_for(someone, item, phone.identity())[0])[0] == "A"


@pytest.mark.spec("T-1-5-2")
def test_a_replayed_request_is_refused(asked):
    someone, item, phone, request = asked
    assert phone.ask(altered(request, len(request) - 1)) == ("E", b"signature")
    assert phone.ask(request) == ("E", b"replayed"), "its challenge is spent"
    phone.leave()
    phone = Phone(phone.device)
    phone.identity()
    assert phone.ask(request) == ("E", b"replayed"), "and not the next connection's"
    assert phone.identity()["state"] == "unbound"


@pytest.mark.spec("T-1-5-2")
def test_a_bound_tracker_refuses_another_owner_and_answers_its_own_again(asked, person):
    someone, item, phone, request = asked
    kind, answer = phone.ask(request)
    # The server has not heard of it yet, and would let a stranger ask.
    stranger = person()
    theirs, _ = request_for(stranger, stranger.add_item("Bag"), phone.identity())
    assert phone.ask(theirs) == ("E", b"bound")
    assert phone.ask(request_for(someone, item, phone.identity())[0])[0] == "A"
    someone.call("PUT", f"{path_of(item)}/tracker", {"pairing": base64.b64encode(answer).decode()}, expect=200)
    asking = {name: phone.identity()[name] for name in ("publicKey", "codeHash", "challenge")}
    stranger.call("POST", f"{path_of(stranger.add_item('Bike'))}/registration", asking, expect=409)


@pytest.mark.spec("T-1-5-2")
def test_another_servers_request_is_refused(asked, own_server):
    from support.server import Person

    someone, item, phone, request = asked
    assert phone.ask(request)[0] == "A"
    elsewhere = Person(own_server())
    theirs, _ = request_for(elsewhere, elsewhere.add_item("Mine"), phone.identity())
    assert phone.ask(theirs) == ("E", b"foreign")
    assert phone.identity()["state"] == "bound"


@pytest.mark.spec("T-1-5-2")
def test_the_page_says_why_the_tracker_refused_and_the_next_try_succeeds(owner, tracker):
    one = tracker()
    someone, item, page = owner("Keys", one.device)

    under_way = []

    def spoil(direction, frame):
        # The request ends with the signature.
        if direction == "in" and frame[0] & 0x80:
            under_way[:] = kind_of(frame)
        return altered(frame, len(frame) - 1) if direction == "in" and frame[0] & 0x40 and under_way == ["R"] else frame

    one.device.passing = spoil
    pair(page)
    expect_problem(page, "The tracker refused", "isn't signed by the server that it knows")
    expect_free(someone, item)
    one.device.passing = None
    again(page)
    expect_linked(page)


# What goes wrong


@pytest.mark.spec("T-1-5-1")
def test_bluetooth_that_is_off_is_told_and_the_code_is_a_way_on(server, broker, owner, tracker):
    one = tracker(server)
    someone, item, page = owner("Keys", one.device)
    broker.have_adapter(False)
    try:
        pair(page)
        expect_problem(page, "Bluetooth is off", "Turn on Bluetooth")
    finally:
        broker.have_adapter(True)
    page.get_by_role("button", name=words("Use the code")).click()
    expect(page.get_by_label(re.compile("claim code", re.I))).to_be_focused()
    page.get_by_label(re.compile("claim code", re.I)).fill(one.code())
    page.get_by_role("button", name=words("Pair")).click()
    page.wait_for_url(lambda url: not url.endswith("/tracker"))
    eventually(lambda: stored(someone, item)["state"] == "active")


@pytest.mark.spec("T-1-5-1")
def test_while_bluetooth_is_turned_off_the_page_asks_for_it_and_goes_on_by_itself(broker, owner, tracker):
    one = tracker()
    someone, item, page = owner("Keys", one.device)
    broker.power(False)
    try:
        pair(page)
        expect(page.get_by_text("Turn on Bluetooth and come nearer")).to_be_visible()
        expect_free(someone, item)
        # Whoever doesn't want to wait takes the code.
        page.get_by_role("button", name=words("Cancel")).click()
        expect(page.get_by_label(re.compile("claim code", re.I))).to_be_visible()
        page.reload()
        pair(page)
        expect(page.locator("#bluetooth").get_by_role("status")).to_have_text("Step 1 of 5: Choose the tracker")
    finally:
        broker.power(True)
    expect_linked(page)


@pytest.mark.spec("T-1-5-1")
def test_a_browser_without_bluetooth_says_so_and_pairs_by_code(server, owner, sign_in, tracker):
    one = tracker(server)
    someone, item, page = owner("Keys")
    page.add_init_script("delete Navigator.prototype.bluetooth")
    page.goto(f"{path_of(item)}/tracker?by=bluetooth")
    expect(page.get_by_text("on iPhone and iPad none can")).to_be_visible()
    expect(page.get_by_role("button", name=words("Pair by Bluetooth"))).to_be_hidden()
    page.get_by_label(re.compile("claim code", re.I)).fill(one.code())
    page.get_by_role("button", name=words("Pair")).click()
    page.wait_for_url(lambda url: "/tracker" not in url)
    eventually(lambda: stored(someone, item)["state"] == "active")


@pytest.mark.spec("T-1-5-1")
def test_a_browser_that_may_not_use_bluetooth_says_what_to_do(owner):
    someone, item, page = owner("Keys")
    page.evaluate("""() => {
        Bluetooth.prototype.requestDevice = () => Promise.reject(new DOMException("no", "NotAllowedError"));
    }""")
    pair(page)
    expect_problem(page, "The browser may not use Bluetooth", "Allow it")
    expect_free(someone, item)


@pytest.mark.spec("T-1-5-1")
def test_without_script_there_is_the_code(server, person, sign_in, tracker):
    one, someone = tracker(server), person()
    item = someone.add_item("Keys")
    page = sign_in(someone, java_script_enabled=False)
    page.goto(f"{path_of(item)}/tracker?by=bluetooth")
    expect(page.locator("#bluetooth")).to_be_hidden()
    page.get_by_label(re.compile("claim code", re.I)).fill(one.code())
    page.get_by_role("button", name=words("Pair")).click()
    eventually(lambda: (stored(someone, item) or {}).get("state") == "active")


@pytest.mark.spec("T-1-5-1")
def test_a_window_that_is_closed_without_a_choice_changes_nothing(owner, tracker):
    one = tracker()
    someone, item, page = owner("Keys")
    pair(page)
    expect_problem(page, "No tracker was chosen")
    expect_free(someone, item)
    assert one.device.connections == 0
    page.chooser.name = one.device.name
    again(page)
    expect_linked(page)


@pytest.mark.spec("T-1-5-1")
def test_a_tracker_out_of_reach_is_told_and_found_again(owner, tracker):
    one = tracker()
    someone, item, page = owner("Keys", one.device)
    one.device.out_of_reach()
    pair(page)
    expect_problem(page, "The tracker can't be reached", "next to this device")
    expect_free(someone, item)
    one.device.out_of_reach(False)
    again(page)
    expect_linked(page)


@pytest.mark.spec("T-1-5-1")
@pytest.mark.parametrize("service, characteristics", [
    (HEART_RATE, []),
    (None, [(IDENTITY, ["read"], b"hello"), (INBOX, ["write"], b""), (OUTBOX, ["notify"], b"")]),
    (None, [(IDENTITY, ["read"], b"{}")]),
], ids=["no such service", "no identity", "half a tracker"])
def test_a_device_that_is_no_tracker_is_told(broker, owner, service, characteristics):
    fake = broker.impostor("Homeward FAKE", characteristics=characteristics, **({"service": service} if service else {}))
    try:
        someone, item, page = owner("Keys", fake)
        pair(page)
        expect_problem(page, "This is no Homeward tracker")
        expect_free(someone, item)
        eventually(lambda: not fake.is_connected)
    finally:
        broker.forget(fake)


@pytest.mark.spec("T-1-5-2")
@pytest.mark.parametrize("moment", ["before the tracker bound itself", "after it"])
def test_a_link_that_is_lost_half_way_binds_nothing_and_the_next_try_does(owner, tracker, moment):
    one = tracker()
    someone, item, page = owner("Keys", one.device)
    direction = "in" if moment.startswith("before") else "out"
    one.device.passing = lambda way, frame: DROP if way == direction and kind_of(frame) in "RA" and kind_of(frame) else frame
    pair(page)
    expect_problem(page, "The connection broke off", "Nothing was paired")
    expect_free(someone, item)
    one.device.passing = None
    assert one.identity()["state"] == ("unbound" if direction == "in" else "bound")
    again(page)
    expect_linked(page)
    assert stored(someone, item)["state"] == "active"


@pytest.mark.spec("T-1-5-2")
def test_a_tracker_whose_pairing_never_reached_the_server_is_free_again(server, person, tracker):
    one, someone = tracker(server), person()
    one.code()
    item = someone.add_item("Keys")
    phone = Phone(one.device)
    assert phone.ask(request_for(someone, item, phone.identity())[0])[0] == "A"
    phone.leave()
    assert one.code(), "it shows its code again"
    eventually(lambda: one.identity()["state"] == "registering")
    expect_free(someone, item)


@pytest.mark.spec("T-1-5-1")
def test_a_server_that_is_out_of_reach_is_told_and_nothing_is_lost(owner, tracker):
    one = tracker()
    someone, item, page = owner("Keys", one.device)
    for path in ("registration", "tracker"):
        page.route(f"**/{path}", lambda route: route.abort() if route.request.method in ("POST", "PUT") else route.fallback())
        pair(page) if path == "registration" else again(page)
        expect_problem(page, "The server can't be reached")
        expect_free(someone, item)
        page.unroute(f"**/{path}")
    again(page)
    expect_linked(page)
    assert stored(someone, item)["state"] == "active"
    assert [command["kind"] for command in commands(someone, item)] == ["activate"]


@pytest.mark.spec("T-1-5-1")
def test_an_app_that_is_locked_meanwhile_says_so_and_goes_on_after_unlocking(owner, tracker):
    one = tracker()
    someone, item, page = owner("Keys", one.device)
    set_passcode(someone)

    def lock(direction, frame):
        # Just before the tracker's answer arrives.
        if direction == "out" and kind_of(frame) == "A" and not locked:
            locked.append(page.context.cookies())
            cookies = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in locked[0])
            status, _, _ = someone.server.request("DELETE", "/lock/unlocking", headers={"Cookie": cookies})
            assert status == 204
        return frame

    locked = []
    # The page would be covered as soon as the stream tells it: what is asked in between is what counts here.
    page.route("**/lock", lambda route: route.abort())
    one.device.passing = None
    page.route("**/registration", lambda route: (lock("out", b"\x80A"), route.continue_()))
    pair(page)
    expect_problem(page, "The app is locked", "Unlock the app")
    expect_free(someone, item)
    page.unroute("**/lock")
    page.unroute("**/registration")
    page.get_by_role("link", name=words("Open the app again")).click()
    unlock(page)
    pair(page)
    expect_linked(page)


@pytest.mark.spec("T-1-5-1")
def test_cancelling_half_way_leaves_nothing(owner, tracker):
    one = tracker()
    someone, item, page = owner("Keys", one.device)
    one.device.passing = lambda direction, frame: None if direction == "out" else frame
    pair(page)
    expect(page.locator("#bluetooth").get_by_role("status")).to_have_text("Step 4 of 5: Pair")
    expect(page.get_by_label(re.compile("claim code", re.I))).to_be_hidden()
    page.get_by_role("button", name=words("Cancel")).click()
    expect(page.get_by_role("button", name=words("Pair by Bluetooth"))).to_be_visible()
    eventually(lambda: not one.device.is_connected)
    expect_free(someone, item)


# The link afterwards


@pytest.mark.spec("T-1-5-4")
def test_a_lost_link_comes_back_by_itself_and_a_later_page_has_it_without_asking(owner, tracker):
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
    assert len(page.chooser.seen) == before, "nobody was asked"
    count = len(fixes(someone, item))
    eventually(lambda: len(fixes(someone, item)) > count)
    expect(page.locator("#positions li").first).to_be_visible()


@pytest.mark.spec("T-1-5-3")
def test_another_tracker_is_not_taken_for_the_paired_one(owner, tracker):
    mine, other = tracker(), tracker()
    someone, item, page = owner("Keys", mine.device)
    pair(page)
    expect_linked(page)
    page.get_by_role("button", name=words("Disconnect")).click()
    page.reload()
    page.chooser.name = other.device.name
    page.get_by_role("button", name=words("Connect by Bluetooth")).click()
    expect_problem(page, "This is another tracker")
    assert other.identity()["state"] == "unbound"


# Near and far


def mode_shown(page):
    return page.locator("#item .row", has_text="Link").locator(".row-value")


@pytest.mark.spec("T-2-2-1", "T-2-2-2")
def test_near_means_bluetooth_far_the_mobile_network_and_nothing_flaps_between(server, person, sign_in, tracker):
    one, someone = tracker(server), person()
    item = someone.add_item("Keys")
    someone.call("PUT", f"{path_of(item)}/tracker", {"code": one.code()}, expect=200)
    eventually(lambda: fixes(someone, item))
    place = someone.call("GET", path_of(item))["lastFix"]
    page = sign_in(someone)
    page.goto(path_of(item))

    def stand(metres):
        someone.is_at(place["latitude"] + metres * METRE, place["longitude"])

    stand(50)
    expect(mode_shown(page)).to_have_text("Mobile network", timeout=30_000)
    stand(15)
    expect(mode_shown(page)).to_have_text("Bluetooth", timeout=30_000)
    assert stored(someone, item)["mode"] == "bluetooth"
    # To and fro across the line, out of step with the tracker's looks, longer than a change takes.
    seen = []
    for step in range(9):
        stand(38 if step % 2 else 22)
        page.wait_for_timeout(1_700)
        seen.append(stored(someone, item)["mode"])
    assert set(seen) == {"bluetooth"}
    stand(50)
    expect(mode_shown(page)).to_have_text("Mobile network", timeout=30_000)


# Let go


@pytest.mark.spec("T-3-6-3")
def test_after_its_item_was_deleted_the_tracker_is_off_and_free_with_a_new_code(server, owner, tracker):
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
    eventually(lambda: one.device.name.endswith(after["publicKey"][:4].upper()))
    bag = someone.add_item("Bag")
    page.goto(f"{path_of(bag)}/tracker")
    page.chooser.name = one.device.name
    pair(page)
    expect_linked(page)
    assert stored(someone, bag)["state"] == "active"


@pytest.mark.spec("T-3-6-3")
def test_until_it_has_confirmed_nobody_can_pair_it(server, owner, tracker):
    one = tracker(server)
    one.code()
    someone, item, page = owner("Keys", one.device)
    pair(page)
    expect_linked(page)
    one.stop()
    someone.call("DELETE", path_of(item), expect=204)
    # It comes back without a network, and knows nothing of it yet.
    one.server = None
    one.start()
    bag = someone.add_item("Bag")
    page.goto(f"{path_of(bag)}/tracker")
    page.chooser.name = one.device.name
    pair(page)
    expect_problem(page, "This tracker can't be paired")
    expect_free(someone, bag)
    one.stop()
    one.start(server)
    one.code()
    eventually(lambda: one.device.name.endswith(one.identity()["publicKey"][:4].upper()))
    page.chooser.name = one.device.name
    again(page)
    expect_linked(page)


# How it looks and is used


@pytest.mark.spec("T-1-5-1")
def test_it_is_used_by_keyboard_and_told_to_a_screen_reader(owner, tracker):
    one = tracker()
    someone, item, page = owner("Keys")
    button = page.get_by_role("button", name=words("Pair by Bluetooth"))
    button.focus()
    page.keyboard.press("Enter")
    expect_problem(page, "No tracker was chosen")
    expect(page.get_by_role("heading", name=words("Bluetooth"))).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name=words("Try again"))).to_be_focused()
    page.chooser.name = one.device.name
    page.keyboard.press("Enter")
    expect_linked(page)
    expect(page.locator("#bluetooth").get_by_role("status")).to_have_text("The tracker is paired and on.")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name=words("Disconnect"))).to_be_focused()


@pytest.mark.parametrize("scheme, locale", [("light", "en-GB"), ("dark", "de-DE")])
def test_each_state_is_accessible_fits_a_small_phone_and_has_large_targets(owner, tracker, scheme, locale):
    from axe_playwright_python.sync_playwright import Axe
    from test_layout import CLIPPED, TOO_SMALL

    one = tracker()
    someone, item, page = owner("Keys", color_scheme=scheme, locale=locale)
    page.set_viewport_size({"width": 320, "height": 568})
    problems = {}

    def look(state):
        expect(page.locator(f"#bluetooth[data-state={state}]")).to_be_visible(timeout=25_000)
        found = [(violation["id"], violation["nodes"][0]["html"][:160])
                 for violation in Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]})
                 .response["violations"]]
        found += page.evaluate(CLIPPED) + page.evaluate(TOO_SMALL)
        if page.evaluate("document.documentElement.scrollWidth") > 320:
            found.append("scrolls sideways")
        if found:
            problems[state] = found

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
    assert not problems
