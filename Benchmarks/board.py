"""The resources of the tracker's daemon: bytes on the wire for a position, data per month, memory, processor time."""

import base64
import http.client
import json
import os
import statistics
import time
from pathlib import Path

from processes import memory_mib
from support.board import GPSD, START, Network, Receiver, TrackerDaemon
from support.cloud_tracker import SECRET, Clock
from support.hologram import Hologram
from support.patience import wait_until
from support.server import Person, Server, free_port

FIXES_A_MONTH = 30 * 24 * 6  # every ten minutes
HOURS_A_MONTH = 30 * 24
POLLS_A_MONTH = HOURS_A_MONTH * 60  # every minute
IDLE_SECONDS = 125  # includes two polls for commands
LOCATES = 5


def request_bytes(network, method, path, body=None, headers=None):
    """The bytes of one request and its response with a plain client."""
    before = network.bytes
    connection = http.client.HTTPConnection("127.0.0.1", network.port, timeout=10)
    connection.request(method, path, body=body, headers=headers or {})
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 200, answer.status
    connection.close()
    return network.bytes - before


def times(someone, path):
    return len(someone.call("GET", f"{path}/fixes?format=csv").decode().splitlines()) - 1


def sums(network, someone, path, ticks):
    """The bytes and positions within a time span."""
    before, known = network.bytes, times(someone, path)
    time.sleep(ticks)
    return network.bytes - before, times(someone, path) - known


def processor_seconds(process):
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def paired(board, someone, name, is_seen=True):
    item = someone.add_item(name)
    path = f"/tracking/items/{item['id']}"
    someone.call("PUT", f"{path}/tracker", {"code": board.code()}, expect=200)
    wait_until(lambda: someone.call("GET", path)["tracker"]["state"] == "active", 20)
    if is_seen:
        wait_until(lambda: times(someone, path) >= 1, 30)
    return path


def by_others(server, network, someone):
    """The bytes of OwnTracks' JSON and OsmAnd's query for a similar position."""
    item = someone.add_item("Phone")
    osmand = someone.call("POST", "/tracking/sources", {"kind": "osmand", "itemId": item["id"]}, expect=201)
    at = int(time.time())
    query = (f"/ingest/osmand?id={osmand['secret']}&timestamp={at}&lat=50.7753001&lon=6.0839001&speed=1.40&bearing=45.0"
             "&altitude=35.0&accuracy=9.0&batt=87.0")
    owntracks = someone.call("POST", "/tracking/sources", {"kind": "owntracks", "itemId": None}, expect=201)
    message = json.dumps({"_type": "location", "acc": 9, "alt": 35, "batt": 87, "conn": "m", "lat": 50.7753001,
                          "lon": 6.0839001, "t": "t", "tid": "ab", "tst": at, "vac": 2, "vel": 5, "cog": 45})
    login = base64.b64encode(f"{owntracks['user']}:{owntracks['secret']}".encode()).decode()
    headers = {"Authorization": f"Basic {login}", "Content-Type": "application/json"}
    return (request_bytes(network, "GET", query),
            request_bytes(network, "POST", "/ingest/owntracks", message.encode(), headers))


def restarted(board, **settings):
    """Restarts the daemon with other settings."""
    board.stop()
    for name, value in settings.items():
        board.arguments[board.arguments.index(f"--{name}") + 1] = str(value)
    return board.start()


def through_cloud(server, cloud, gpsd, someone, boards):
    """The bytes of a position's frame, of its message with the cloud's response, and of a complete locate: the command,
    the position and the acknowledgement."""
    sim = cloud.add_device(free_port())
    carried = TrackerDaemon(
        server.url, gpsd, "--bluetooth", "off", "--road", "hologram", "--interval", "86400", "--poll", "1",
        "--hologram-key", sim.key, "--hologram-device", str(sim.number), "--hologram-socket", cloud.socket_address,
        "--hologram-listen", f"127.0.0.1:{sim.port}").start()
    boards.append(carried)
    path = paired(carried, someone, "Keys")

    def is_settled():
        return not someone.call("GET", path)["tracker"]["pending"]

    def look():
        found = cloud.received[-1]
        return base64.b64decode(found["text"]), sim.bytes

    wait_until(is_settled, 30)
    # From here on it doesn't call the server on its own.
    restarted(carried, poll=86_400, interval=3)
    time.sleep(3)
    frames, messages = [], []
    for _ in range(LOCATES):
        known, before = len(cloud.received), sim.bytes
        cloud.wait_received(known + 1)
        payload, after = look()
        assert payload[0] == 0xF1 and len(cloud.received) == known + 1, payload
        frames.append(len(payload))
        messages.append(after - before)
    restarted(carried, interval=86_400)
    time.sleep(3)
    located = []
    for number in range(LOCATES):
        time.sleep(3)  # a second position within the same second isn't stored
        sent, known, before = len(cloud.sent), len(cloud.received), sim.bytes
        Clock(server).age_questions(10 * 60)
        someone.is_at(START[0] + number / 1000, START[1])  # makes the server check its pending requests
        cloud.wait_sent(sent + 1)
        cloud.wait_received(known + 1)
        wait_until(is_settled, 30)
        payload, after = look()
        assert payload[0] == 0xF1, "no position with the confirmation"
        located.append(after - before)
    carried.stop()
    return statistics.median(frames), statistics.median(messages), statistics.median(located)


def board(say):
    cloud = Hologram()
    server = Server(environment=cloud.environment(HOMEWARD_HOLOGRAM_WEBHOOK_SECRETS=SECRET)).start()
    cloud.route_to_webhook(f"{server.url}/ingest/hologram/{SECRET}")
    network, receiver = Network(server.port), Receiver()
    gpsd = GPSD(receiver)
    someone = Person(server)
    boards = []
    try:
        osmand, owntracks = by_others(server, network, someone)
        bag = TrackerDaemon(network.url, gpsd, "--bluetooth", "off", "--interval", "2", "--poll", "1").start()
        boards.append(bag)
        item_path = paired(bag, someone, "Bag")
        restarted(bag, poll=3_600)
        time.sleep(3)
        worked = processor_seconds(bag.process)
        spent, fixes = sums(network, someone, item_path, 20)
        worked = processor_seconds(bag.process) - worked
        signed = spent / max(1, fixes)
        # Without data to send: the cost of polling for commands.
        restarted(bag, interval=3_600, poll=1)
        time.sleep(3)
        before, polls = network.bytes, network.requests
        time.sleep(10)
        poll = (network.bytes - before) / (network.requests - polls)
        bag.stop()

        compact, wrapped, located = through_cloud(server, cloud, gpsd, someone, boards)

        say("bytes for one position: compact frame", compact, "bytes", owntracks, "(baseline: OwnTracks over HTTP)")
        say("the same in Hologram's socket, with its answer", wrapped, "bytes", owntracks)
        say("a locate by Hologram: command, position, confirmation", located, "bytes", owntracks)
        say("signed JSON over HTTP, with its answer", signed, "bytes", owntracks)
        say("OsmAnd query, with its answer", osmand, "bytes", owntracks)
        say("OwnTracks JSON over HTTP, with its answer", owntracks, "bytes")
        megabytes = 1_000_000
        say("a month, every 10 minutes: compact by Hologram", wrapped * FIXES_A_MONTH / megabytes, "MB")
        say("and a locate by Hologram every 10 minutes", located * FIXES_A_MONTH / megabytes, "MB")
        say("a month, every 10 minutes: signed JSON", signed * FIXES_A_MONTH / megabytes, "MB")
        say("and looking for commands once a minute", poll * POLLS_A_MONTH / megabytes, "MB")
        say("or once an hour, the default with Hologram", poll * HOURS_A_MONTH / megabytes, "MB")
        say("a month, every 10 minutes: OsmAnd", osmand * FIXES_A_MONTH / megabytes, "MB")
        say("a month, every 10 minutes: OwnTracks", owntracks * FIXES_A_MONTH / megabytes, "MB")

        # Normal use: a position every ten minutes, a poll for commands every minute.
        restarted(bag, interval=600, poll=60)
        time.sleep(5)
        before, polls = processor_seconds(bag.process), network.requests
        time.sleep(IDLE_SECONDS)
        used, polls = processor_seconds(bag.process) - before, network.requests - polls
        assert polls >= 2, polls
        say("the daemon's memory", memory_mib(bag.process), "MiB")
        say(f"its processor time when idle, {polls} polls in {IDLE_SECONDS} s", used / IDLE_SECONDS * 100, "percent")
        say("its processor time for a position", worked / max(1, fixes) * 1000, "ms")
    finally:
        for one in boards:
            one.close()
        gpsd.close()
        receiver.close()
        network.close()
        server.close()
        cloud.close()
