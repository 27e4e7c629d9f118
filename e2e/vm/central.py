"""Runs inside the virtual machine: a controller that the kernel finds at /dev/vhci, a phone in radio range, and the
server that the phone can reach. The test pairs the tracker, which has no network, locates it, switches it, loses it and
releases it, twice."""

import asyncio
import base64
import time

from bumble.controller import Controller
from bumble.transport import open_transport

from phone import SMALLEST, Phone, RadioLink, until
from support.frames import FRAME_BYTES
from support.server import Person, Server

# An emulated machine is slow.
SERVER_SECONDS = 150
ALL_SECONDS = 300
LATITUDE, LONGITUDE = 50.7753, 6.0839  # the position that `inside` gives the tracker


def say(text):
    # Linux counts from the start of the machine.
    print(f"{time.monotonic():4.0f} s: {text}", flush=True)


class TrackedItem:
    """An item on the server."""

    def __init__(self, owner, item):
        self.owner, self.path = owner, f"/tracking/items/{item['id']}"

    @classmethod
    async def new(cls, owner, name):
        return cls(owner, await asyncio.to_thread(owner.add_item, name))

    async def ask(self, method, part="", body=None, expect=200):
        return await asyncio.to_thread(self.owner.call, method, self.path + part, body, expect)

    async def request_for(self, identity, expect=201):
        told = {name: identity[name] for name in ("publicKey", "codeHash", "challenge")}
        return await self.ask("POST", "/registration", told, expect)

    async def state(self):
        tracker = (await self.ask("GET"))["tracker"]
        return tracker and tracker["state"]

    async def commands(self):
        items = (await self.ask("GET", "/commands"))["items"]
        return {command["id"]: (command["kind"], command["state"]) for command in items}

    async def fixes(self):
        return (await self.ask("GET", "/fixes"))["items"]

    async def is_free(self):
        return await self.state() is None and not await self.commands()


async def bind(meeting, item, asked):
    """Sends the server's pairing request to the tracker and returns the tracker's response."""
    await meeting.send("R", base64.b64decode(asked["request"]))
    kind, answer = await meeting.hear()
    assert kind == "A", (kind, answer)
    return answer


async def pair(meeting, item):
    """Pairs the tracker and waits until it has started locating and reported its position."""
    asked = await item.request_for(await meeting.identity())
    answer = await bind(meeting, item, asked)
    identity = await meeting.identity()
    assert (identity["state"], identity["id"]) == ("bound", asked["tracker"]), identity
    assert await item.is_free(), "the server hasn't heard of it yet"
    kept = await item.ask("PUT", "/tracker", {"pairing": base64.b64encode(answer).decode()})
    assert kept["id"] == asked["tracker"], kept
    meeting.carry(item.owner.server, kept["id"])
    await acknowledged(item, "activate")
    assert len(await item.commands()) == 1
    fixes = await until(item.fixes, "no fix came")
    assert all(abs(fix["latitude"] - LATITUDE) < 0.001 and abs(fix["longitude"] - LONGITUDE) < 0.001
               for fix in fixes), fixes
    assert {fix["source"] for fix in fixes} == {"tracker"}, fixes
    assert await item.state() == (await meeting.identity())["state"] == "active"


async def tell(meeting, item, kind):
    """Sends a command like the page: stores it on the server and notifies the tracker, which fetches and acknowledges
    it."""
    command = await item.ask("POST", "/commands", {"kind": kind}, 202)
    await meeting.send("N")
    await acknowledged(item, kind, command["id"])


async def acknowledged(item, kind, command=None):
    async def is_applied():
        commands = await item.commands()
        return (kind, "applied") in (commands.values() if command is None else [commands[command]])

    await until(is_applied, f"{kind} was not acknowledged")


async def freed(meeting, server, before):
    """Expects the tracker to be free with a new identity, and the server to have forgotten the old one."""
    assert await meeting.hear() == ("F", b"")
    after = await meeting.identity()
    assert (after["state"], after["id"]) == ("unbound", None), after
    assert after["publicKey"] != before["publicKey"] and after["codeHash"] != before["codeHash"]
    status, _, _ = await asyncio.to_thread(server.request, "POST", f"/trackers/{before['id']}/messages", {})
    assert status == 404, status
    return after


def owned(one):
    return one.near_owner == bytes([0xFF, 1])


def free_as(identity):
    """Returns the advertisement of a tracker without an owner."""
    name = f"Homeward {identity['publicKey'][:4].upper()}"
    return lambda one: one.name == name and one.near_owner is None


# The test.


async def meet_unowned(meeting):
    first = await meeting.identity()
    assert first["version"] == 1 and first["state"] == "unbound" and len(first["challenge"]) == 32, first
    assert await meeting.identity() == first, "one challenge a connection"
    say("its identity, longer than a packet, is read twice")
    await meeting.send("R", b"nonsense")
    assert await meeting.hear() == ("E", b"malformed")
    assert (await meeting.identity())["challenge"] != first["challenge"], "a request spends its challenge"
    say("a malformed request is refused, and its challenge spent")
    await meeting.send("R", bytes(600), with_response=False)
    assert await meeting.hear() == ("E", b"malformed")
    say("a message of several frames arrives that was written without waiting")
    assert await meeting.ask_as_stranger(bytes.fromhex("0003")) == bytes.fromhex("02030003ffff")
    say("a non-owner is refused while it has no owner")
    return first


async def pair_and_use(meeting, item):
    asked = await item.request_for(await meeting.identity())
    request = base64.b64decode(asked["request"])
    await meeting.send("R", request[:-1] + bytes([request[-1] ^ 1]))
    assert await meeting.hear() == ("E", b"signature")
    await meeting.send("R", request)
    assert await meeting.hear() == ("E", b"replayed")
    say("a request that was altered is refused, and one whose challenge is spent")
    await pair(meeting, item)
    say("the server's request binds it, it begins to locate, and its first position arrives")
    # A position is identified by its second.
    await asyncio.sleep(1)
    count = len(await item.fixes())
    await tell(meeting, item, "locate")
    assert len(await item.fixes()) > count
    for kind, state in (("off", "off"), ("on", "active"), ("ring", "active")):
        await tell(meeting, item, kind)
        assert await item.state() == state
    say("locate, off, on and ring are carried to it and acknowledged")


async def meet_as_stranger(meeting, other, before):
    identity = await meeting.identity()
    assert (identity["state"], identity["publicKey"]) == ("active", before["publicKey"]), identity
    assert identity["challenge"] != before["challenge"]
    await other.request_for(identity, expect=409)
    assert await meeting.ask_as_stranger(bytes.fromhex("0003")) == bytes.fromhex("02030003ffff")
    say("a stranger gets neither a request for it nor an answer of it")


async def reconnect_and_release(meeting, item):
    before = await meeting.identity()
    asked = await item.request_for(before)
    await bind(meeting, item, asked)
    meeting.carry(item.owner.server, asked["tracker"])
    await tell(meeting, item, "locate")
    say("its owner comes back, and is known by a new request")
    await item.ask("DELETE", "/tracker", expect=204)
    await meeting.send("N")
    after = await freed(meeting, item.owner.server, before)
    assert await item.is_free()
    say("let go while it is connected, it forgets everything and says so")
    return after


async def release_and_pair(meeting, item):
    before = await meeting.identity()
    assert before["state"] == "active", before
    released = await item.request_for(before, expect=200)
    assert released["tracker"] == before["id"]
    meeting.carry(item.owner.server, before["id"])
    await meeting.send("K", base64.b64decode(released["release"]))
    await freed(meeting, item.owner.server, before)
    say("released without a connection, it is free for the next pairing")
    meeting.end()
    await pair(meeting, item)
    say("and is theirs")


async def run_scenario(phone, keys, bag, bike):
    async with phone.meet() as meeting:
        first = await meet_unowned(meeting)
    async with phone.meet(free_as(first)) as meeting:
        identity = await meeting.identity()
        assert identity["challenge"] != first["challenge"]
        await pair_and_use(meeting, keys)
        assert meeting.longest == FRAME_BYTES, meeting.longest
    async with phone.meet(owned) as meeting:
        await meet_as_stranger(meeting, bike, identity)
    async with phone.meet(owned) as meeting:
        identity = await reconnect_and_release(meeting, keys)
    # With the smallest packets: longer values are written in parts.
    async with phone.meet(free_as(identity), SMALLEST) as meeting:
        say("it is advertised as new and without an owner")
        assert (await meeting.identity())["publicKey"] == identity["publicKey"]
        await pair(meeting, bag)
        assert meeting.longest == SMALLEST - 3, meeting.longest
        say("and paired with another thing through the smallest packets")
    await bag.ask("DELETE", expect=204)
    async with phone.meet(owned) as meeting:
        await release_and_pair(meeting, bike)


async def things(server):
    # A request takes as long as the start.
    await asyncio.to_thread(server.start, SERVER_SECONDS, lambda: time.sleep(1))
    say("the server is there")
    ada, ben = [await asyncio.to_thread(Person, server, name) for name in ("Ada", "Ben")]
    return [await TrackedItem.new(owner, name) for owner, name in ((ada, "Keys"), (ada, "Bag"), (ben, "Bike"))]


async def main():
    server = Server()
    try:
        # Before the controller starts: the kernel gives up a controller that doesn't respond for two seconds.
        keys, bag, bike = await things(server)
        air = RadioLink()
        transport = await open_transport("vhci:")
        Controller("tracker", host_source=transport.source, host_sink=transport.sink, link=air,
                   public_address="F0:F1:F2:F3:F4:F5/P")
        phone = Phone(air)
        await phone.device.power_on()
        say("attached")
        await run_scenario(phone, keys, bag, bike)
    except BaseException:
        say(server.log_text()[-3000:])
        raise
    finally:
        await asyncio.to_thread(server.close)
    say("PASS")


asyncio.run(asyncio.wait_for(main(), ALL_SECONDS))
