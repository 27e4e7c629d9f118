"""The tracker on its hardware: positions from a real gpsd, phones over Bluetooth, an unreliable network, kill -9."""

import json
import os
import random
import re
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from itertools import pairwise

import pytest

from support.bluez import Broker
from support.board import GPSD, START, Network, Receiver, TrackerDaemon, metres, server_at, shown
from support.layout_checks import flaws
from support.patience import wait_until
from support.program_clock import ProgramClock
from support.server import Person

NON_OWNER = "8e0c0001-1d68-fb92-bf61-48377421680e"
FINDERS_UUID = "0000fcb2-0000-1000-8000-00805f9b34fb"
NEAR_OWNER, SEPARATED = {FINDERS_UUID: bytes.fromhex("ff01")}, {FINDERS_UUID: bytes.fromhex("ff00")}
KILLS = max(10, int(os.environ.get("ROUNDS", "2")) * 5)
FAST = ("--interval", "1", "--poll", "1", "--fix-timeout", "10")


@pytest.fixture
def receiver():
    playing = Receiver()
    yield playing
    playing.close()


@pytest.fixture
def gpsd(receiver):
    running = GPSD(receiver)
    yield running
    running.close()


@pytest.fixture
def network(server):
    way = Network(server.port)
    yield way
    way.close()


@pytest.fixture
def board():
    made = []

    def make(*arguments, **options):
        made.append(TrackerDaemon(*arguments, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


def paired(board, someone, name="Bag"):
    """Pairs the tracker by its code."""
    item = someone.add_item(name)
    someone.call("PUT", f"/tracking/items/{item['id']}/tracker", {"code": board.code()}, expect=200)
    return item, f"/tracking/items/{item['id']}"


def times(someone, path):
    csv = someone.call("GET", f"{path}/fixes?format=csv").decode()
    return [line.split(",")[1] for line in csv.splitlines()[1:]]


def is_settled(someone, path, state):
    tracker = someone.call("GET", path)["tracker"]
    return tracker["state"] == state and not tracker["pending"]


def test_walk_recorded_by_gpsd_becomes_the_history(engine, server, person, receiver, gpsd, network, board):
    someone = person()
    bag = board(network.url, gpsd, *FAST, "--bluetooth", "off").start()
    _, path = paired(bag, someone)
    wait_until(lambda: is_settled(someone, path, "active"), 20)
    wait_until(lambda: len(times(someone, path)) >= 4, 20)
    stored = someone.call("GET", f"{path}/fixes", expect=200)["items"]
    assert len({fix["at"] for fix in stored}) == len(stored)
    for fix in stored:
        assert receiver.was_at(fix), "a moment of the recording, at its time"
        assert fix["battery"] == 87 and 0 < fix["accuracy"] < 100
    ends = [(fix["latitude"], fix["longitude"]) for fix in (stored[0], stored[-1])]
    assert metres(*ends) > 1, "it went along"

    bag.charge(42)
    wait_until(lambda: someone.call("GET", path)["tracker"]["battery"] == 42, 20)

    someone.call("POST", f"{path}/commands", {"kind": "off"}, expect=202)
    wait_until(lambda: is_settled(someone, path, "off"), 20)
    count = len(times(someone, path))
    someone.call("POST", f"{path}/commands", {"kind": "ring"}, expect=202)
    wait_until(lambda: bag.sounder.read_text() == "1", 20, "it made no noise")
    assert len(times(someone, path)) == count, "switched off, it takes no positions"
    someone.call("POST", f"{path}/commands", {"kind": "on"}, expect=202)
    wait_until(lambda: len(times(someone, path)) > count, 20)

    someone.call("DELETE", path, expect=204)
    assert bag.code(), "off and released, it shows a new code"
    assert bag.recorded()


def test_locate_fails_without_a_fix_and_works_again_with_one(
        engine, server, person, receiver, gpsd, network, board):
    someone = person()
    bag = board(network.url, gpsd, "--interval", "3600", "--poll", "1", "--fix-timeout", "3", "--bluetooth",
                "off").start()
    _, path = paired(bag, someone)
    wait_until(lambda: len(times(someone, path)) == 1, 20, "the first position of the schedule")
    receiver.has_fix = False

    def locate():
        return someone.call("POST", f"{path}/commands", {"kind": "locate"}, expect=202)["id"]

    def outcome(command):
        found = [one for one in someone.call("GET", f"{path}/commands")["items"] if one["id"] == command]
        return found and found[0]["state"]

    lost = locate()
    wait_until(lambda: outcome(lost) == "failed", 20)
    receiver.has_fix = True
    found = locate()
    wait_until(lambda: outcome(found) == "applied", 20)
    assert len(times(someone, path)) == 2


def test_gpsd_may_start_late_and_stop(engine, server, person, receiver, network, board):
    first = GPSD(receiver)
    port, someone = first, person()
    first.close()
    bag = board(network.url, port, *FAST, "--bluetooth", "off").start()
    _, path = paired(bag, someone)
    wait_until(lambda: is_settled(someone, path, "active"), 20)
    assert times(someone, path) == []
    second = GPSD(receiver, port=first.port)
    try:
        wait_until(lambda: len(times(someone, path)) >= 2, 30)
    finally:
        second.close()


def test_kill_9_neither_loses_nor_duplicates_stored_positions(
        engine, server, person, receiver, gpsd, network, board):
    someone = person()
    bag = board(network.url, gpsd, *FAST, "--bluetooth", "off").start()
    _, path = paired(bag, someone)
    wait_until(lambda: len(times(someone, path)) >= 1, 20)
    chance = random.Random(20260301)
    stopping = threading.Event()

    def toggle_network():
        while not stopping.wait(chance.uniform(0.2, 1.5)):
            network.cut()
            if stopping.wait(chance.uniform(0.1, 1.2)):
                break
            network.restore()

    weather = threading.Thread(target=toggle_network)
    weather.start()
    try:
        for _ in range(KILLS):
            time.sleep(chance.uniform(0.3, 1.7))  # the exact moment matters here
            bag.kill()
            bag.start()
    finally:
        stopping.set()
        weather.join()
    network.restore()
    kept = set(bag.recorded())
    assert len(kept) >= KILLS / 2, "there was something to lose"
    wait_until(lambda: kept <= set(times(someone, path)), 60,
               lambda: f"lost: {sorted(kept - set(times(someone, path)))}")
    stored = times(someone, path)
    assert len(stored) == len(set(stored)), "each is there once"
    print(f"{KILLS} kills, {len(kept)} positions kept, {len(stored)} stored")


def test_code_command_shows_the_pairing_code(
        engine, server, person, receiver, gpsd, network, board):
    bag = board(network.url, gpsd, *FAST, "--bluetooth", "off")
    status, printed, complaint = bag.show_code()
    assert (status, printed) == (1, "") and "There is no tracker in" in complaint
    network.cut()
    bag.start()
    wait_until((bag.folder / "state" / "tracker.json").exists, 20)
    status, early, complaint = bag.show_code()
    assert status == 0 and "hasn't reached its server yet" in complaint, complaint
    someone = person()
    item = someone.add_item("Bag")
    path = f"/tracking/items/{item['id']}"
    refused, _, _ = server.request("PUT", f"{path}/tracker", {"code": early.strip()}, someone.token)
    assert 400 <= refused < 500, "the server doesn't know it yet"

    network.restore()
    assert bag.code(60) == early.strip(), "what it says by itself"
    assert bag.show_code() == (0, early, ""), "and now there is nothing to add"
    someone.call("PUT", f"{path}/tracker", {"code": early.strip()}, expect=200)
    wait_until(lambda: is_settled(someone, path, "active"), 20)
    status, printed, complaint = bag.show_code()
    assert (status, printed) == (1, "") and "has an owner" in complaint, complaint


def test_self_test_reports_what_is_missing(engine, server, receiver, gpsd, board):
    bag, lost = board(server.url, gpsd, "--bluetooth", "off"), board("http://127.0.0.1:9", gpsd, "--bluetooth", "off")
    with ThreadPoolExecutor() as pool:
        # Beside the others, because its tries to reach the server take ten seconds.
        missing = pool.submit(lost.selftest, "--gpsd", "127.0.0.1:9", "--patience", "1")
        check_receiver(bag, receiver)
        status, text = missing.result()
    assert status == 1 and "MISSING gpsd" in text and "MISSING server" in text
    assert "without clock: can't be compared" in text


def check_receiver(bag, receiver):
    """Runs the self-test of a complete tracker, then with the receiver's problems."""
    status, text = bag.selftest("--patience", "10")
    assert status == 0, text
    lines = dict(line[8:].split(": ", 1) for line in text.splitlines())
    assert "a position, accuracy" in lines["gpsd"]
    assert lines["battery"] == "87 %" and "answers" in lines["server"] and lines["clock"] == "as the server's"
    receiver.board_ahead_seconds = 3_600
    status, text = bag.selftest("--patience", "3")
    assert status == 0 and "only positions that are old by this board's clock" in text, text
    receiver.board_ahead_seconds = 0
    receiver.has_fix = False
    status, text = bag.selftest("--patience", "2")
    assert status == 0 and "no position within 2 s" in text


@pytest.mark.parametrize("ahead, said", [
    (3_600, r"MISSING clock: 3\d\d\d s ahead of the server's"),
    (-3_600, r"without clock: 3\d\d\d s behind the server's")])
def test_self_test_compares_the_clock_with_the_server(engine, server, receiver, gpsd, board, ahead, said):
    with server_at(time.time() - ahead) as address:
        _, text = board(address, gpsd, "--bluetooth", "off").selftest("--patience", "1")
    assert re.search(said, text), text


def test_no_setting_hides_a_tracker_from_people_nearby(receiver, gpsd, board):
    bag = board("http://127.0.0.1:9", gpsd, "--bluetooth", "off")
    # A new option must be added here, after checking that it can't be used to stalk the carrier of another person's
    # tracker.
    known = {
        "config", "server", "state", "road", "poll", "interval", "gpsd", "fix-timeout", "fix-age", "battery", "sounder",
        "button", "bluetooth", "megabytes", "hologram-key", "hologram-device", "hologram-socket", "hologram-listen",
        "log-level", "help", "version"}
    _, text, _ = bag.command("run", "--help")
    assert set(re.findall(r"--([a-z0-9-]+)", text)) <= known, text
    settings = bag.folder / "settings.conf"
    for name in ("SAFETY", "SEPARATION", "STEALTH", "ADVERTISE", "ALARM"):
        settings.write_text(f"HOMEWARD_TRACKER_{name}=off\n")
        status, _, complaint = bag.command("run", *bag.arguments, "--config", settings)
        assert status != 0 and "there is no such setting" in complaint, complaint
        status, _, complaint = bag.command("run", *bag.arguments, f"--{name.lower()}", "off")
        assert status != 0 and "Unknown option" in complaint, complaint


class TestBluetooth:
    @pytest.fixture
    def broker(self):
        bus = Broker().start()
        yield bus
        bus.close()

    def test_tracker_advertises_again_after_bluetooth_restarts(
            self, engine, server, receiver, gpsd, board, broker):
        environment = {"DBUS_SYSTEM_BUS_ADDRESS": broker.address}
        bag = board(server.url, gpsd, *FAST, "--bluetooth", "on", environment=environment).start()
        bag.code()
        first = broker.tracker()
        assert first.name.startswith("Homeward ")
        first.connect()
        identity = first.read("7e5a0002-6b1c-4c1f-9a53-686f6d657764")
        assert len(identity) <= 512 and b'"state":"registering"' in identity
        again = first.read("7e5a0002-6b1c-4c1f-9a53-686f6d657764")
        assert again == identity, "one challenge a connection"
        first.drop()
        first.connect()
        assert first.read("7e5a0002-6b1c-4c1f-9a53-686f6d657764") != identity, "another connection, another challenge"
        # bluetoothd is killed and started again, without any state.
        broker.run(broker.bus.release_name("org.bluez"))
        broker.peripherals.clear()
        wait_until(lambda: "state=noDaemon" in bag.log.read_text(), 10)
        broker.run(broker.bus.request_name("org.bluez"))
        assert broker.tracker().name == first.name

    def test_adapter_added_later_is_used(self, receiver, gpsd, board, broker):
        broker.is_plugged_in = False
        bag = board("http://127.0.0.1:9", gpsd, "--bluetooth", "on",
                    environment={"DBUS_SYSTEM_BUS_ADDRESS": broker.address}).start()
        wait_until(lambda: "state=noAdapter" in bag.log.read_text(), 20, lambda: bag.log.read_text()[-2000:])
        broker.plug_in()
        assert broker.tracker().name.startswith("Homeward ")

    def test_bus_that_denies_access_is_logged_once_and_retried_with_back_off(self, receiver, gpsd, board, tmp_path):
        tries = []
        with socket.socket(socket.AF_UNIX) as bus:
            bus.bind(str(tmp_path / "bus"))
            bus.listen()
            bus.settimeout(20)
            bag = board("http://127.0.0.1:9", gpsd, "--bluetooth", "on",
                        environment={"DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={tmp_path / 'bus'}"}).start()
            while len(tries) < 3:
                refused, _ = bus.accept()
                tries.append(time.monotonic())
                refused.close()
        pauses = [after - before for before, after in pairwise(tries)]
        assert all(pause > 0.9 * 2 ** number for number, pause in enumerate(pauses)), pauses
        log = bag.log.read_text()
        assert log.count("there is no bus") == 1 and "no signals" not in log, log[-3000:]

    def test_stranger_cannot_sound_a_tracker_near_its_owner(
            self, engine, server, person, receiver, gpsd, board, broker):
        someone = person()
        environment = {"DBUS_SYSTEM_BUS_ADDRESS": broker.address}
        bag = board(server.url, gpsd, *FAST, "--bluetooth", "on", environment=environment).start()
        _, path = paired(bag, someone)
        wait_until(lambda: len(times(someone, path)) >= 1, 20)
        device = broker.tracker().connect()
        broker.run(broker.listen(device, device.characteristic(NON_OWNER), True))
        device.write(NON_OWNER, bytes.fromhex("0003"))
        kind, answer = device.received.get(timeout=10)
        assert (kind, answer) == (NON_OWNER, bytes.fromhex("02030003ffff"))
        assert bag.sounder.read_text() == "0"
        # The next message is the response to a second request: nothing else came.
        device.write(NON_OWNER, bytes.fromhex("0003"))
        assert device.received.get(timeout=10) == (NON_OWNER, bytes.fromhex("02030003ffff"))
        assert bag.sounder.read_text() == "0"
        assert "isUp=true" not in bag.log.read_text(), "a stranger is no link"

    def test_advertisement_shows_whether_the_owner_is_near(
            self, own_server, receiver, gpsd, board, broker, tmp_path):
        clock = receiver.clock = ProgramClock(tmp_path)
        server = own_server(environment=clock.environment)
        someone = Person(server)
        environment = {"DBUS_SYSTEM_BUS_ADDRESS": broker.address, **clock.environment}
        bag = board(server.url, gpsd, *FAST, "--bluetooth", "on", environment=environment).start()
        code = bag.code()
        device = broker.tracker()
        assert device.service_data == {}, "without an owner it never advertises as separated"
        item = someone.add_item("Bag")
        path = f"/tracking/items/{item['id']}"
        someone.call("PUT", f"{path}/tracker", {"code": code}, expect=200)
        wait_until(lambda: device.is_advertised and device.service_data == NEAR_OWNER, 20)
        name, services = device.name, device.uuids

        clock.forward(29 * 60)
        known = len(times(someone, path))
        wait_until(lambda: len(times(someone, path)) > known + 1, 20, "it goes on")
        assert device.service_data == NEAR_OWNER, "not even half an hour"
        clock.forward(2 * 60)
        wait_until(lambda: device.is_advertised and device.service_data == SEPARATED, 20, lambda: device.service_data)
        assert (device.name, device.uuids) == (name, services), "the rest stays"
        bag.stop()
        bag.start()
        again = broker.tracker(but=[device])
        assert again.service_data == SEPARATED, "switched off and on, it hides nothing"
        someone.is_at(*START)
        wait_until(lambda: again.is_advertised and again.service_data == NEAR_OWNER, 20, lambda: again.service_data)
        someone.is_at(START[0] + 0.1, START[1])
        clock.forward(31 * 60)
        wait_until(lambda: again.is_advertised and again.service_data == SEPARATED, 20, lambda: again.service_data)

    def test_long_separated_tracker_can_be_sounded_by_anyone(
            self, engine, server, person, receiver, gpsd, board, broker):
        someone = person()
        bag, device = self.left_alone(server, someone, gpsd, board, broker)
        assert self.ask(broker, device, "0003") == bytes.fromhex("020300030000")
        wait_until(lambda: bag.sounder.read_text() == "1", 10, "it made no noise")
        assert self.ask(broker, device, "0103") == bytes.fromhex("020301030000")
        wait_until(lambda: bag.sounder.read_text() == "0", 10, "it goes on")
        assert device.received.get(timeout=10)[1] == bytes.fromhex("0303"), "it says when the sound is over"

    @pytest.mark.spec("T-3-6-3")
    def test_finder_holding_the_button_sees_only_the_masked_owner(
            self, engine, server, person, receiver, gpsd, board, broker, phone):
        someone = person()
        bag, device = self.left_alone(server, someone, gpsd, board, broker)
        assert self.ask(broker, device, "0500") == bytes.fromhex("0508") + b"homeward-tracker"
        assert self.ask(broker, device, "0800") == bytes.fromhex("080809000000"), "sound and identifier"
        assert self.ask(broker, device, "0404") == bytes.fromhex("02030404ffff"), "its button isn't held"
        bag.button.write_text("1")
        wait_until(lambda: bag.sounder.read_text() == "1", 20, "it didn't beep")
        bag.button.write_text("0")
        answers = [self.ask(broker, device, "0404") for _ in range(2)]
        assert all(answer[:2] == bytes.fromhex("0504") for answer in answers)
        address, other = (answer[2:].decode() for answer in answers)
        assert address.startswith(f"{server.url}/found?e=") and address != other
        finder = phone(server)
        assert finder.goto(address).status == 200
        assert finder.locator("#contact").inner_text() == "p•••@e•••.org"
        assert finder.locator("#identifier").inner_text() == shown(bag)["id"]
        assert not flaws(finder)
        page = finder.content()
        for secret in ("person-", "example.org", "Ada", "Bag"):
            assert secret not in page, secret
        stale = finder.goto(address[:-4] + "AAAA")
        assert stale.status == 404, "altered"
        finder.get_by_text("read it again").wait_for()

    def left_alone(self, server, someone, gpsd, board, broker):
        """A paired tracker that has been away from its owner for more than half an hour, and a stranger's connection to
        it."""
        environment = {"DBUS_SYSTEM_BUS_ADDRESS": broker.address}
        bag = board(server.url, gpsd, *FAST, "--bluetooth", "on", environment=environment).start()
        _, path = paired(bag, someone)
        wait_until(lambda: len(times(someone, path)) >= 1, 20)
        bag.stop()
        state = bag.folder / "state" / "tracker.json"
        record = json.loads(state.read_text())
        near = "ownerNearAt"
        assert abs(datetime.fromisoformat(record["safety"][near]).timestamp() - time.time()) < 60
        record["safety"][near] = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - 1_801))
        state.write_text(json.dumps(record))
        before = list(broker.peripherals)
        bag.start()
        device = broker.tracker(but=before).connect()
        broker.run(broker.listen(device, device.characteristic(NON_OWNER), True))
        return bag, device

    def ask(self, broker, device, digits):
        device.write(NON_OWNER, bytes.fromhex(digits))
        return device.received.get(timeout=10)[1]
