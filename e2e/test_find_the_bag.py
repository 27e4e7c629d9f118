"""The whole way at once: a real gpsd under the real daemon, Bluetooth on a real D-Bus, Hologram's cloud by its stand-in, a real S3
server; and somebody who watches in a browser."""

import re

import pytest
from playwright.sync_api import expect

from support.bluetooth import Chooser
from support.board import GPSD, START, Board, Receiver
from support.buckets import Bucket
from support.cloud_tracker import SECRET, kinds
from support.hologram import Hologram
from support.pages import card, name_field, open_add, open_list, save, words
from support.pairing import pair_by_code
from support.patience import wait_until
from support.program_clock import ProgramClock
from support.server import Person, free_port
from test_tracking_items import delete_in_page


@pytest.fixture(scope="module")
def chromium(chromium_with_bluetooth):
    return chromium_with_bluetooth


@pytest.fixture
def parts(own_server, broker, tmp_path):
    """Everything around the tracker, closed in the order in which it came; server, tracker and receiver live by one clock."""
    made = []
    clock = ProgramClock(tmp_path)

    def keep(thing):
        made.append(thing)
        return thing

    cloud, bucket, receiver = keep(Hologram()), keep(Bucket()), keep(Receiver(clock))
    gpsd = keep(GPSD(receiver))
    server = own_server(environment={
        **cloud.environment(HOMEWARD_HOLOGRAM_WEBHOOK_SECRETS=SECRET), **bucket.environment(), **clock.environment})
    cloud.route_to_webhook(f"{server.url}/ingest/hologram/{SECRET}")
    card_in_it = cloud.add_device(free_port())
    bag = keep(Board(
        server.url, gpsd, "--bluetooth", "on", "--road", "hologram", "--poll", "86400", "--interval", "86400",
        "--hologram-key", card_in_it.key, "--hologram-device", str(card_in_it.number),
        "--hologram-socket", cloud.socket_address, "--hologram-listen", f"127.0.0.1:{card_in_it.port}",
        environment={"DBUS_SYSTEM_BUS_ADDRESS": broker.address, **clock.environment}))
    yield server, cloud, bucket, receiver, bag, clock
    for thing in reversed(made):
        thing.close()


@pytest.mark.spec("T-1-5-2", "T-1-5-4", "T-2-1-1", "T-2-1-2", "T-3-2-1", "T-3-6-2", "T-3-6-3")
def test_a_thing_is_paired_located_switched_and_deleted_over_all_roads(parts, broker, sign_in):
    server, cloud, bucket, receiver, bag, clock = parts
    someone = Person(server)
    bag.start()
    code = bag.code()
    device = broker.tracker()
    name = device.name

    # Added and paired by Bluetooth; it is activated by itself, and its first position comes over the phone.
    page = sign_in(someone)
    page.chooser = Chooser(page, device.name)
    open_add(page)
    name_field(page).fill("Bag")
    save(page)
    page.get_by_role("dialog", name=re.compile("pair a tracker", re.I)).get_by_text(words("Bluetooth")).click()
    page.get_by_role("button", name=words("Pair by Bluetooth")).click()
    expect(page.get_by_text("Connected by Bluetooth", exact=True)).to_be_visible(timeout=20_000)
    item = someone.call("GET", "/tracking/items")["items"][0]
    path = f"/tracking/items/{item['id']}"

    def fixes():
        return someone.call("GET", f"{path}/fixes", expect=200)["items"]

    def tracker():
        return someone.call("GET", path, expect=200)["tracker"]

    wait_until(lambda: tracker()["state"] == "active" and fixes(), 30, lambda: bag.log.read_text()[-3000:])
    assert cloud.sent == [] and cloud.received == [], "nothing had to go through the cloud"

    # Located on schedule: ten minutes later the cloud asks, and the answer appears by itself.
    device.hide()
    wait_until(lambda: "isUp=false" in bag.log.read_text(), 20, "out of reach, there is no link")
    page.goto(path)
    rows = page.locator("[data-fix-id]")
    wait_until(lambda: rows.count() == len(fixes()), 10, "all positions are listed", pause=lambda: page.wait_for_timeout(50))
    known = rows.count()
    clock.forward(10 * 60)
    someone.is_at(*START)
    cloud.wait_sent(1)
    assert kinds(cloud) == ["locate"]
    expect(rows).to_have_count(known + 1, timeout=20_000)
    assert cloud.received, "it came through the cloud"
    assert receiver.was_at(fixes()[0]), "where the recorded walk was in that second"
    wait_until(lambda: not tracker()["pending"], 20)

    # Off and on, through the cloud, as the list shows it.
    open_list(page)
    switch = card(page, "Bag").get_by_role("switch")
    for state, kind, checked in (("off", "off", "false"), ("active", "on", "true")):
        switch.click()
        expect(switch).to_have_attribute("aria-checked", checked)
        wait_until(lambda: tracker()["state"] == state and not tracker()["pending"], 30, lambda: bag.log.read_text()[-3000:])
        assert kinds(cloud)[-1] == kind

    # What it said is in the bucket; deleted on the page, nothing is.
    server.command("fixes", "archive")
    wait_until(lambda: bucket.keys(f"home/fixes/{item['id']}/"), 60, lambda: bucket.keys())
    delete_in_page(page, item).get_by_role("button", name=re.compile("^delete", re.I)).click()
    expect(page.get_by_role("heading", name=words("Items"), level=1)).to_be_visible()
    expect(card(page, "Bag")).to_have_count(0)
    someone.call("GET", path, expect=404)
    free = bag.code()
    assert free != code, "off, released, with a new code"
    assert kinds(cloud)[-1] == "releaseOff"
    wait_until(lambda: not bucket.keys(f"home/fixes/{item['id']}/"), 60, lambda: bucket.keys())
    wait_until(lambda: device.name != name, 20, "it shows itself under a new name")

    # The tracker is free again: another thing gets it, by its new code, and it goes on from there.
    open_add(page)
    name_field(page).fill("Bicycle")
    save(page)
    page.get_by_role("dialog", name=re.compile("pair a tracker", re.I)).get_by_text(words("Code")).click()
    pair_by_code(page, free)
    # While it waits for an owner it looks once a minute; when it is switched on, at once.
    bag.stop()
    bag.start()
    item = someone.call("GET", "/tracking/items")["items"][0]
    path = f"/tracking/items/{item['id']}"
    wait_until(lambda: tracker()["state"] == "active" and fixes(), 30, lambda: bag.log.read_text()[-3000:])
    open_list(page)
    expect(card(page, "Bicycle").get_by_role("switch")).to_have_attribute("aria-checked", "true")
