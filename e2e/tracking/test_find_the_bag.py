"""All parts together: a real gpsd with the real tracker daemon, Bluetooth over a real D-Bus, the replacement for
Hologram's cloud, a real S3 server, and a browser."""

import re

import pytest
from playwright.sync_api import expect

from support.bluetooth import Chooser
from support.board import GPSD, START, Receiver, TrackerDaemon
from support.buckets import Bucket
from support.cloud_tracker import SECRET, kinds
from support.hologram import Hologram
from support.items import delete_in_page
from support.pages import card, name_field, open_add, open_list, save, words
from support.patience import wait_until
from support.program_clock import ProgramClock
from support.server import Person, free_port


@pytest.fixture(scope="module")
def chromium(chromium_with_bluetooth):
    return chromium_with_bluetooth


@pytest.fixture
def parts(own_server, broker, tmp_path):
    """Starts everything around the tracker and closes it in reverse order. Server, tracker and receiver share one
    clock."""
    made = []
    clock = ProgramClock(tmp_path)

    def keep(part):
        made.append(part)
        return part

    cloud, bucket, receiver = keep(Hologram()), keep(Bucket()), keep(Receiver(clock))
    gpsd = keep(GPSD(receiver))
    server = own_server(environment={
        **cloud.environment(HOMEWARD_HOLOGRAM_WEBHOOK_SECRETS=SECRET), **bucket.environment(), **clock.environment})
    cloud.route_to_webhook(f"{server.url}/ingest/hologram/{SECRET}")
    card_in_it = cloud.add_device(free_port())
    bag = keep(TrackerDaemon(
        server.url, gpsd, "--bluetooth", "on", "--road", "hologram", "--poll", "86400", "--interval", "86400",
        "--hologram-key", card_in_it.key, "--hologram-device", str(card_in_it.number),
        "--hologram-socket", cloud.socket_address, "--hologram-listen", f"127.0.0.1:{card_in_it.port}",
        environment={"DBUS_SYSTEM_BUS_ADDRESS": broker.address, **clock.environment}))
    yield server, cloud, bucket, receiver, bag, clock
    for part in reversed(made):
        part.close()


@pytest.mark.spec("T-1-5-2", "T-1-5-4", "T-2-1-1", "T-2-1-2", "T-3-2-1", "T-3-6-2", "T-3-6-3")
def test_item_is_paired_located_switched_and_deleted_over_all_transports(parts, broker, sign_in):
    server, cloud, bucket, receiver, bag, clock = parts
    someone = Person(server)
    bag.start()
    code = bag.code()
    device = broker.tracker()
    name = device.name

    # The item is added and its tracker paired by Bluetooth. It is activated automatically, and its first position
    # arrives through the phone.
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

    # Scheduled locating: after ten minutes the server sends a request through the cloud, and the response appears live.
    device.hide()
    wait_until(lambda: "isUp=false" in bag.log.read_text(), 20, "out of reach, there is no link")
    page.goto(path)
    rows = page.locator("[data-fix-id]")
    wait_until(lambda: rows.count() == len(fixes()), 10, "all positions are listed",
               pause=lambda: page.wait_for_timeout(50))
    known = rows.count()
    clock.forward(10 * 60)
    someone.is_at(*START)
    cloud.wait_sent(1)
    assert kinds(cloud) == ["locate"]
    expect(rows).to_have_count(known + 1, timeout=20_000)
    assert cloud.received, "it came through the cloud"
    assert receiver.was_at(fixes()[0]), "where the recorded walk was in that second"
    wait_until(lambda: not tracker()["pending"], 20)

    # The list switches the tracker off and on through the cloud.
    open_list(page)
    switch = card(page, "Bag").get_by_role("switch")
    for state, kind, checked in (("off", "off", "false"), ("active", "on", "true")):
        switch.click()
        expect(switch).to_have_attribute("aria-checked", checked)
        wait_until(lambda state=state: tracker()["state"] == state and not tracker()["pending"], 30,
                   lambda: bag.log.read_text()[-3000:])
        assert kinds(cloud)[-1] == kind

    # Its positions are in the bucket. After deleting the item on the page, none are.
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
