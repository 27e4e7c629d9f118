"""Inside the virtual machine: a controller that the kernel finds at /dev/vhci, a phone on the same air, and the server that the
phone can reach. The tracker, which has no network, is met, paired, asked where it is, switched, lost and let go, twice."""

import asyncio
import base64
import time

from bumble.controller import Controller
from bumble.transport import open_transport

from phone import SMALLEST, Air, Phone, until
from support.frames import FRAME_BYTES
from support.server import Person, Server

# An emulated machine takes its time.
SERVER_SECONDS = 150
ALL_SECONDS = 300
LATITUDE, LONGITUDE = 50.7753, 6.0839  # where the tracker stands, as `inside` tells it


def say(text):
    # Linux counts from when the machine was started.
    print(f"{time.monotonic():4.0f} s: {text}", flush=True)


class Thing:
    """Somebody's thing, at the server."""

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


async def bind(meeting, thing, asked):
    """The server's request to the tracker; what the tracker answers to it."""
    await meeting.send("R", base64.b64decode(asked["request"]))
    kind, answer = await meeting.hear()
    assert kind == "A", (kind, answer)
    return answer


async def pair(meeting, thing):
    """Until the tracker has begun to locate, and said so and where it is."""
    asked = await thing.request_for(await meeting.identity())
    answer = await bind(meeting, thing, asked)
    identity = await meeting.identity()
    assert (identity["state"], identity["id"]) == ("bound", asked["tracker"]), identity
    assert await thing.is_free(), "the server hasn't heard of it yet"
    kept = await thing.ask("PUT", "/tracker", {"pairing": base64.b64encode(answer).decode()})
    assert kept["id"] == asked["tracker"], kept
    meeting.carry(thing.owner.server, kept["id"])
    await acknowledged(thing, "activate")
    assert len(await thing.commands()) == 1
    fixes = await until(thing.fixes, "no fix came")
    assert all(abs(fix["latitude"] - LATITUDE) < 0.001 and abs(fix["longitude"] - LONGITUDE) < 0.001 for fix in fixes), fixes
    assert {fix["source"] for fix in fixes} == {"tracker"}, fixes
    assert await thing.state() == (await meeting.identity())["state"] == "active"


async def tell(meeting, thing, kind):
    """A command, as the page does it: to the server, and a nudge to the tracker, which fetches and acknowledges it."""
    command = await thing.ask("POST", "/commands", {"kind": kind}, 202)
    await meeting.send("N")
    await acknowledged(thing, kind, command["id"])


async def acknowledged(thing, kind, command=None):
    async def is_applied():
        commands = await thing.commands()
        return (kind, "applied") in (commands.values() if command is None else [commands[command]])

    await until(is_applied, f"{kind} was not acknowledged")


async def freed(meeting, server, before):
    """The tracker says that it is free, and is another one; the server knows nothing of the old one any more."""
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
    """How the tracker is advertised that nobody owns."""
    name = f"Homeward {identity['publicKey'][:4].upper()}"
    return lambda one: one.name == name and one.near_owner is None


# The story


async def meet_as_nobody(meeting):
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
    say("a non-owner is refused while nobody owns it")
    return first


async def pair_and_use(meeting, thing):
    asked = await thing.request_for(await meeting.identity())
    request = base64.b64decode(asked["request"])
    await meeting.send("R", request[:-1] + bytes([request[-1] ^ 1]))
    assert await meeting.hear() == ("E", b"signature")
    await meeting.send("R", request)
    assert await meeting.hear() == ("E", b"replayed")
    say("a request that was altered is refused, and one whose challenge is spent")
    await pair(meeting, thing)
    say("the server's request binds it, it begins to locate, and its first position arrives")
    # A position is named by its second.
    await asyncio.sleep(1)
    count = len(await thing.fixes())
    await tell(meeting, thing, "locate")
    assert len(await thing.fixes()) > count
    for kind, state in (("off", "off"), ("on", "active"), ("ring", "active")):
        await tell(meeting, thing, kind)
        assert await thing.state() == state
    say("locate, off, on and ring are carried to it and acknowledged")


async def meet_as_stranger(meeting, other, before):
    identity = await meeting.identity()
    assert (identity["state"], identity["publicKey"]) == ("active", before["publicKey"]), identity
    assert identity["challenge"] != before["challenge"]
    await other.request_for(identity, expect=409)
    assert await meeting.ask_as_stranger(bytes.fromhex("0003")) == bytes.fromhex("02030003ffff")
    say("a stranger gets neither a request for it nor an answer of it")


async def come_back_and_let_go(meeting, thing):
    before = await meeting.identity()
    asked = await thing.request_for(before)
    await bind(meeting, thing, asked)
    meeting.carry(thing.owner.server, asked["tracker"])
    await tell(meeting, thing, "locate")
    say("its owner comes back, and is known by a new request")
    await thing.ask("DELETE", "/tracker", expect=204)
    await meeting.send("N")
    after = await freed(meeting, thing.owner.server, before)
    assert await thing.is_free()
    say("let go while it is connected, it forgets everything and says so")
    return after


async def be_freed_and_pair(meeting, thing):
    before = await meeting.identity()
    assert before["state"] == "active", before
    released = await thing.request_for(before, expect=200)
    assert released["tracker"] == before["id"]
    meeting.carry(thing.owner.server, before["id"])
    await meeting.send("K", base64.b64decode(released["release"]))
    await freed(meeting, thing.owner.server, before)
    say("let go while nobody was connected, it is freed by the next who wants it")
    meeting.end()
    await pair(meeting, thing)
    say("and is theirs")


async def story(phone, keys, bag, bike):
    async with phone.meet() as meeting:
        first = await meet_as_nobody(meeting)
    async with phone.meet(free_as(first)) as meeting:
        identity = await meeting.identity()
        assert identity["challenge"] != first["challenge"]
        await pair_and_use(meeting, keys)
        assert meeting.longest == FRAME_BYTES, meeting.longest
    async with phone.meet(owned) as meeting:
        await meet_as_stranger(meeting, bike, identity)
    async with phone.meet(owned) as meeting:
        identity = await come_back_and_let_go(meeting, keys)
    # Through the smallest packets there are; what is longer is written piece by piece.
    async with phone.meet(free_as(identity), SMALLEST) as meeting:
        say("it is advertised as a new one that nobody owns")
        assert (await meeting.identity())["publicKey"] == identity["publicKey"]
        await pair(meeting, bag)
        assert meeting.longest == SMALLEST - 3, meeting.longest
        say("and paired with another thing through the smallest packets")
    await bag.ask("DELETE", expect=204)
    async with phone.meet(owned) as meeting:
        await be_freed_and_pair(meeting, bike)


async def things(server):
    # Asking costs as much as starting.
    await asyncio.to_thread(server.start, SERVER_SECONDS, lambda: time.sleep(1))
    say("the server is there")
    ada, ben = [await asyncio.to_thread(Person, server, name) for name in ("Ada", "Ben")]
    return [await Thing.new(owner, name) for owner, name in ((ada, "Keys"), (ada, "Bag"), (ben, "Bike"))]


async def main():
    server = Server()
    try:
        # Before the controller: the kernel gives up one that is kept from answering for two seconds.
        keys, bag, bike = await things(server)
        air = Air()
        transport = await open_transport("vhci:")
        Controller("tracker", host_source=transport.source, host_sink=transport.sink, link=air,
                   public_address="F0:F1:F2:F3:F4:F5/P")
        phone = Phone(air)
        await phone.device.power_on()
        say("attached")
        await story(phone, keys, bag, bike)
    except BaseException:
        say(server.log_text()[-3000:])
        raise
    finally:
        await asyncio.to_thread(server.close)
    say("PASS")


asyncio.run(asyncio.wait_for(main(), ALL_SECONDS))
