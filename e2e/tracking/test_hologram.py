"""Trackers behind Hologram's cloud: the real server, a real `homeward-tracker`, and a replacement for the cloud between
them."""

import base64
import json
import re
import time
import urllib.error
import urllib.request
from datetime import datetime

import pytest
from playwright.sync_api import expect

from support.buckets import NAME, Bucket
from support.cloud_tracker import SECRET, Clock, CloudTracker, kinds
from support.hologram import Hologram
from support.pages import card, open_list
from support.patience import wait_until
from support.server import Person


def taken_at(fix):
    return datetime.fromisoformat(fix["at"]).timestamp()


class HologramFixture:
    """A person with an item whose tracker uses a SIM card."""

    def __init__(self, server, cloud, tracker, folder):
        self.server = server
        self.cloud = cloud
        self.bucket = folder / "bucket"
        self.clock = Clock(server)
        self.someone = Person(server)
        self.item = self.someone.add_item("Keys")
        self.path = f"/tracking/items/{self.item['id']}"
        self.tracker = tracker
        self.moves = 0

    def later(self, readings):
        """Brings readings forward. A changed phone position makes the server check its clock."""
        self.clock.age_readings(readings)
        self.moves += 1
        self.someone.is_at(50.7 + self.moves / 1000, 6.0)

    def fixes(self, since=0):
        """Returns the fixes that are not older than `since`, in seconds since 1970."""
        found = self.someone.call("GET", f"{self.path}/fixes?limit=200", expect=200)["items"]
        return [fix for fix in found if taken_at(fix) >= since]

    def leave_the_second(self):
        """Waits for the next second: a compact fix has a precision of one second, so two fixes of one second count as
        one."""
        newest = max(map(taken_at, self.fixes()), default=0)
        wait_until(lambda: time.time() >= newest + 1, 5, lambda: f"the newest fix is of {newest}")

    def status(self):
        return self.someone.call("GET", self.path, expect=200)["tracker"]

    def commands(self):
        return [(one["kind"], one["state"])
                for one in self.someone.call("GET", f"{self.path}/commands?limit=50", expect=200)["items"]]

    def objects(self):
        return sorted(path for path in self.bucket.rglob("*.json"))

    def make_operator(self):
        done = self.server.command("account", "operator", self.someone.email)
        assert done.returncode == 0, done.stderr

    def refusals(self):
        """Returns the reasons of the quarantined messages, as an operator sees them."""
        return [one["reason"] for one in self.someone.call("GET", "/tracking/quarantine", expect=200)["items"]]

    def wait_fixes(self, count, seconds=40, since=0):
        return wait_until(lambda: len(self.fixes(since)) >= count and self.fixes(since), seconds, lambda: (
            f"{len(self.fixes(since))} positions; {self.commands()}\n{self.server.log_text()[-2000:]}"))


@pytest.fixture
def cloud():
    stand_in = Hologram()
    yield stand_in
    stand_in.close()


@pytest.fixture
def hologram(own_server, cloud, tmp_path):
    """`webhook`, `bucket` and `log` select how the server receives the cloud's messages."""
    made = []

    def make(webhook=False, bucket=False, log=False, s3=None):
        environment = cloud.environment(HOMEWARD_HOLOGRAM_WEBHOOK_SECRETS=SECRET, HOMEWARD_LOG_LEVEL="debug")
        if bucket:
            environment["HOMEWARD_HOLOGRAM_BUCKET"] = f"folder:{tmp_path / 'bucket'}"
            cloud.route_to_folder(tmp_path / "bucket")
        if s3:
            # With a separate prefix and the vendor's object names.
            environment |= s3.environment(HOMEWARD_OBJECTS=f"folder:{tmp_path / 'objects'}")
            environment["HOMEWARD_HOLOGRAM_BUCKET"] = f"s3://{NAME}/mail?endpoint={s3.endpoint}&region=eu-test-1"
            cloud.route_to_bucket(lambda key, content: s3.write(f"mail/{key}", content))
        cloud.keeps_log = log
        server = own_server(environment=environment)
        if webhook:
            cloud.route_to_webhook(f"{server.url}/ingest/hologram/{SECRET}")
        tracker = CloudTracker(server, cloud, tmp_path)
        made.append(tracker)
        hologram = HologramFixture(server, cloud, tracker, tmp_path)
        tracker.pair(hologram.someone, hologram.item)
        hologram.leave_the_second()
        return hologram

    yield make
    for tracker in made:
        tracker.stop()


@pytest.mark.spec("T-2-1-2", "T-2-1-3")
def test_positions_arrive_once_by_webhook_and_bucket_and_broken_objects_do_not_block(hologram, cloud, sign_in):
    here = hologram(webhook=True, bucket=True)
    here.make_operator()
    known, received = len(here.fixes()), len(cloud.received)
    page = sign_in(here.someone)
    page.goto(here.path)
    rows = page.locator("[data-fix-id]")
    page.get_by_role("button", name=re.compile("locate", re.I)).click()
    expect(rows).to_have_count(known + 1, timeout=20_000)
    # The tracker sent the fix and the acknowledgement in one message, which the cloud stored unchanged.
    assert kinds(cloud)[-1] == "locate"
    assert len(cloud.wait_received(received + 1)) == received + 1
    assert cloud.received[-1]["tags"] == ["homeward"] and cloud.received[-1]["device"] == here.tracker.device.number
    wait_until(lambda: here.commands()[0] == ("locate", "applied"), 20, here.commands)
    # The webhook and the bucket deliver the same message.
    here.later(readings=600)
    wait_until(lambda: not here.objects(), 90, lambda: f"{here.objects()} {here.server.log_text()[-2000:]}")
    assert len(here.fixes()) == known + 1
    assert here.refusals() == [], "each was believed"

    # By the bucket alone, behind a broken object.
    cloud.webhooks.clear()
    (here.bucket / "000-broken.json").write_text("this is no message")
    here.leave_the_second()
    here.someone.call("POST", f"{here.path}/commands", {"kind": "locate"}, expect=202)
    wait_until(lambda: len(here.objects()) > 1, 20, here.commands)
    here.later(readings=600)
    wait_until(lambda: len(here.fixes()) == known + 2, 60, lambda: (
        f"{len(here.fixes())} {here.objects()} {here.commands()} {here.server.log_text()[-2000:]}"))
    expect(rows).to_have_count(known + 2)
    assert here.commands()[0] == ("locate", "applied"), "the acknowledgement came by the bucket, too"
    # The same message again, in the bucket and to the webhook.
    cloud.route_to_webhook(f"{here.server.url}/ingest/hologram/{SECRET}")
    cloud.repeat()
    here.later(readings=600)
    wait_until(lambda: [path.name for path in here.objects()] == ["000-broken.json"], 90, here.objects)
    assert len(here.fixes()) == known + 2
    assert here.refusals() == ["unexpected_shape"]
    page.goto("/tracking/quarantine")
    expect(page.get_by_role("main")).to_contain_text("It isn’t what this app sends")
    assert cloud.API_KEY not in here.server.log_text() and SECRET not in here.server.log_text()


@pytest.fixture
def s3():
    bucket = Bucket()
    yield bucket
    bucket.close()


@pytest.mark.spec("T-2-1-3")
def test_objects_in_an_s3_bucket_are_deleted_once_read(hologram, cloud, s3):
    here = hologram(s3=s3)
    known = len(here.fixes())
    here.someone.call("POST", f"{here.path}/commands", {"kind": "locate"}, expect=202)
    found = wait_until(lambda: s3.keys("mail/"), 20, here.commands)
    # Unlike S3, this bucket lists an object while it is still being written.
    stored = wait_until(lambda: s3.read(found[0]), 20, here.commands)
    assert json.loads(stored)["tags"][0] == "homeward", "an object holds the same as the webhook's body"
    here.later(readings=600)
    here.wait_fixes(known + 1)
    wait_until(lambda: here.commands()[0] == ("locate", "applied"), 20, here.commands)
    wait_until(lambda: not s3.keys("mail/"), 20, lambda: (s3.keys(), here.server.log_text()[-2000:]))


@pytest.mark.spec("T-2-1-3")
def test_messages_missed_while_the_server_was_down_are_read_from_the_cloud_log(hologram, cloud):
    here = hologram(log=True)
    here.tracker.restart(lambda: here.status()["lastSeenAt"], interval=1)
    here.server.stop()
    stopped, received = time.time(), len(cloud.received)
    # The first of these fixes may have an older position.
    cloud.wait_received(received + 5, 40)
    here.tracker.stop()
    here.server.start()
    # The log may be due at the start, or when the test brings it forward.
    here.later(readings=600)
    here.wait_fixes(4, 60, since=stopped)
    # More may arrive after these four.
    wait_until(lambda: here.someone.call("GET", here.path)["lastFix"]["at"] == here.fixes()[0]["at"], 20)
    times = [one["at"] for one in here.fixes()]
    assert times == sorted(times, reverse=True) and len(set(times)) == len(times)


@pytest.mark.spec("T-3-2-1")
def test_switch_is_pending_until_confirmed_and_reports_failure(hologram, cloud, sign_in):
    here = hologram(webhook=True)
    page = sign_in(here.someone)
    open_list(page)
    switch = card(page, "Keys").get_by_role("switch")
    expect(switch).to_have_attribute("aria-checked", "true")
    # The cloud holds the tracker's response.
    cloud.holding = True
    received = len(cloud.received)
    switch.click()
    expect(card(page, "Keys")).to_contain_text(re.compile("pending", re.I))
    cloud.wait_received(received + 1)
    assert kinds(cloud)[-1] == "off"
    assert here.status()["pending"] is True and here.commands()[0] == ("off", "sent")
    expect(card(page, "Keys")).to_contain_text(re.compile("pending", re.I))
    cloud.release()
    expect(card(page, "Keys")).not_to_contain_text(re.compile("pending", re.I), timeout=20_000)
    expect(switch).to_have_attribute("aria-checked", "false")
    wait_until(lambda: here.status()["state"] == "off", 20, here.status)
    # Out of range: the cloud accepts the command, and no response arrives.
    here.tracker.device.reachable = False
    sent = len(cloud.sent)
    switch.click()
    cloud.wait_sent(sent + 1)
    expect(card(page, "Keys")).to_contain_text(re.compile("pending", re.I))
    here.clock.age_commands(20 * 60)
    here.server.restart()
    page.reload()
    expect(card(page, "Keys")).to_contain_text(re.compile("has not answered", re.I))
    expect(card(page, "Keys")).not_to_contain_text(re.compile("pending", re.I))
    assert here.commands()[0] == ("on", "expired")
    # Back in range: a second press works.
    here.tracker.device.reachable = True
    card(page, "Keys").get_by_role("switch").click()
    expect(card(page, "Keys")).to_contain_text(re.compile("pending", re.I))
    wait_until(lambda: here.status()["state"] == "active", 30, here.status)
    expect(card(page, "Keys").get_by_role("switch")).to_have_attribute("aria-checked", "true")
    expect(card(page, "Keys")).not_to_contain_text(re.compile("pending|not answered", re.I), timeout=20_000)


def test_stand_in_accepts_only_documented_requests(cloud):
    device = cloud.add_device(1)

    def post(**changes):
        message = {"deviceids": [device.number], "protocol": "TCP", "port": 4010, "base64data": "AQI=",
                   "encrypted": False}
        request = urllib.request.Request(
            f"{cloud.url}/devices/messages", json.dumps({**message, **changes}).encode(),
            {"Authorization": "Basic " + base64.b64encode(f"apikey:{cloud.API_KEY}".encode()).decode()})
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    assert post() == 200
    for wrong in ({"port": "4010"}, {"deviceids": ["1000000"]}, {"deviceids": [1]}, {"base64data": "A" * 10_001},
                  {"protocol": "tcp"}, {"base64data": "%"}):
        assert post(**wrong) == 400, wrong
