"""What the tracker's daemon needs: bytes on the wire for a position, data in a month, memory, processor."""

import base64
import http.client
import json
import os
import re
import time
from pathlib import Path

from support.board import GPSD, Board, Network, Receiver
from support.hologram import Hologram
from support.patience import wait_until
from support.server import Person, Server, free_port

FIXES_A_MONTH = 30 * 24 * 6  # every ten minutes
POLLS_A_MONTH = 30 * 24 * 60  # every minute
IDLE_SECONDS = 30


def request_bytes(network, method, path, body=None, headers=None):
    """Bytes of one request and its answer, as a plain client sends it."""
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
    """Bytes and positions of a stretch of time."""
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
    """OwnTracks' JSON and OsmAnd's query for the same kind of position."""
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


def board(say):
    cloud = Hologram()
    server = Server(environment=cloud.environment()).start()
    network, receiver = Network(server.port), Receiver()
    gpsd = GPSD(receiver)
    someone = Person(server)
    boards = []
    try:
        osmand, owntracks = by_others(server, network, someone)
        bag = Board(network.url, gpsd, "--bluetooth", "off", "--interval", "2", "--poll", "1").start()
        boards.append(bag)
        item_path = paired(bag, someone, "Bag")
        bag.stop()
        bag.arguments[-1] = "3600"
        bag.start()
        time.sleep(3)
        spent, fixes = sums(network, someone, item_path, 20)
        signed = spent / max(1, fixes)
        bag.stop()
        # Nothing to say: what looking for commands costs.
        bag.arguments[bag.arguments.index("--interval") + 1] = "3600"
        bag.arguments[-1] = "1"
        bag.start()
        time.sleep(3)
        before, since = network.bytes, time.monotonic()
        time.sleep(10)
        poll = (network.bytes - before) / (time.monotonic() - since)
        bag.stop()

        sim = cloud.add_device(free_port())
        carried = Board(
            server.url, gpsd, "--bluetooth", "off", "--road", "hologram", "--interval", "2",
            "--hologram-key", sim.key, "--hologram-device", str(sim.number), "--hologram-socket", cloud.socket_address,
            "--hologram-listen", f"127.0.0.1:{sim.port}", "--poll", "1").start()
        boards.append(carried)
        paired(carried, someone, "Keys", is_seen=False)
        cloud.wait_received(1)
        compact = 31
        wrapped = len(json.dumps({"k": sim.key, "d": "A" * 44, "t": ["homeward"]}, separators=(",", ":"))) + 2 + len("[0,0]")
        carried.stop()

        say("bytes for one position: compact frame", compact, "bytes", owntracks, "(baseline: OwnTracks over HTTP)")
        say("the same in Hologram's socket, with its answer", wrapped, "bytes", owntracks)
        say("signed JSON over HTTP, with its answer", signed, "bytes", owntracks)
        say("OsmAnd query, with its answer", osmand, "bytes", owntracks)
        say("OwnTracks JSON over HTTP, with its answer", owntracks, "bytes")
        megabytes = 1_000_000
        say("a month, every 10 minutes: compact by Hologram", wrapped * FIXES_A_MONTH / megabytes, "MB")
        say("a month, every 10 minutes: signed JSON", signed * FIXES_A_MONTH / megabytes, "MB")
        say("and looking for commands once a minute", poll * POLLS_A_MONTH / megabytes, "MB")
        say("a month, every 10 minutes: OsmAnd", osmand * FIXES_A_MONTH / megabytes, "MB")
        say("a month, every 10 minutes: OwnTracks", owntracks * FIXES_A_MONTH / megabytes, "MB")

        # As it comes: a position every ten minutes, a look for commands every minute.
        bag.arguments[bag.arguments.index("--interval") + 1] = "600"
        bag.arguments[-1] = "60"
        bag.start()
        time.sleep(5)
        before = processor_seconds(bag.process)
        time.sleep(IDLE_SECONDS)
        used = processor_seconds(bag.process) - before
        status = Path(f"/proc/{bag.process.pid}/status").read_text()
        say("the daemon's memory", int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024, "MiB")
        say("its processor time when idle", used / IDLE_SECONDS * 100, "percent")
    finally:
        for one in boards:
            one.close()
        gpsd.close()
        receiver.close()
        network.close()
        server.close()
        cloud.close()
