"""A phone in radio range of the controller that the kernel finds at /dev/vhci. It does the same as the app's page
(static/js/bluetooth.js): finds the tracker, reads its identity, and carries messages between it and its server."""

import asyncio
import contextlib
import dataclasses
import json
import time

from bumble.controller import Controller
from bumble.core import UUID, AdvertisingData
from bumble.device import Device, Peer
from bumble.hci import Address
from bumble.host import Host
from bumble.link import LocalLink
from bumble.ll import AdvExtInd, AdvInd

from support.frames import Joiner, frames, packed

SERVICE, IDENTITY, INBOX, OUTBOX = (UUID(f"7e5a000{number}-6b1c-4c1f-9a53-686f6d657764") for number in (1, 2, 3, 4))
NON_OWNER = UUID("8e0c0001-1d68-fb92-bf61-48377421680e")
NEAR_OWNER = UUID.from_16_bits(0xFCB2)
LARGE, SMALLEST = 247, 23  # bytes per packet
PATIENCE_SECONDS = 90
UNKNOWN = (401, 404, 410)


class RadioLink(LocalLink):
    """bumble's link with corrections."""

    def send_acl_data(self, sender, destination, transport, data):
        # bumble sends with the sender's random address. BlueZ advertises with its public address.
        connection = sender.le_connections.get(destination)
        if connection is None:
            return super().send_acl_data(sender, destination, transport, data)
        peer, source = self.find_le_controller(destination), connection.self_address
        asyncio.get_running_loop().call_soon(lambda: peer.on_link_acl_data(source, transport, data))

    def send_advertising_pdu(self, sender, packet):
        # The link sends no scan requests, so the scan response with the name is added to the advertisement.
        if isinstance(packet, (AdvInd, AdvExtInd)):
            advertised = [sender.le_legacy_advertiser, *sender.advertising_sets.values()]
            response = b"".join(bytes(one.scan_response_data) for one in advertised if one.enabled)
            packet = dataclasses.replace(packet, data=bytes(packet.data) + response)
        super().send_advertising_pdu(sender, packet)


@dataclasses.dataclass
class Advertised:
    """The advertised data of a tracker."""

    address: Address
    name: str | None
    is_tracker: bool
    near_owner: bytes | None  # its data for strangers, once it has an owner

    @classmethod
    def of(cls, advertisement):
        data = advertisement.data
        kinds = (AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
                 AdvertisingData.INCOMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS)
        services = [uuid for kind in kinds for uuids in data.get_all(kind) for uuid in uuids]
        said = dict(data.get_all(AdvertisingData.SERVICE_DATA_16_BIT_UUID))
        return cls(advertisement.address, data.get(AdvertisingData.COMPLETE_LOCAL_NAME), SERVICE in services,
                   said.get(NEAR_OWNER))


class Phone:
    def __init__(self, air):
        host = Host()
        host.controller = Controller("phone", link=air)
        self.device = Device(name="phone", address=Address("F6:F7:F8:F9:FA:FB"), host=host)

    async def find(self, is_wanted=lambda one: True, seconds=PATIENCE_SECONDS):
        """Waits for the first tracker whose advertisement matches."""
        found = asyncio.get_running_loop().create_future()
        seen = []

        def look(advertisement):
            one = Advertised.of(advertisement)
            if one not in seen:
                seen.append(one)
            if one.is_tracker and is_wanted(one) and not found.done():
                found.set_result(one)

        self.device.on("advertisement", look)
        await self.device.start_scanning()
        try:
            return await asyncio.wait_for(found, seconds)
        except TimeoutError:
            raise AssertionError(f"not found among {seen}") from None
        finally:
            await self.device.stop_scanning()
            self.device.remove_listener("advertisement", look)

    @contextlib.asynccontextmanager
    async def meet(self, is_wanted=lambda one: True, mtu=LARGE):
        """Connects to a tracker for the duration of the block."""
        found = await self.find(is_wanted)
        # BlueZ also requests this side's limit.
        self.device.gatt_server.max_mtu = mtu
        connection = await self.device.connect(found.address)
        async with asyncio.TaskGroup() as tasks:
            meeting = Meeting(connection, tasks)
            await meeting.begin(mtu)
            yield meeting
            meeting.end()
        await connection.disconnect()


class Meeting:
    """A connection. The tracker's messages to its server are held until a server is known."""

    def __init__(self, connection, tasks):
        self.peer = Peer(connection)
        self.longest = 0  # bytes of received frames
        self._tasks = tasks
        self._carrier = None
        self._heard, self._uplinks = asyncio.Queue(), asyncio.Queue()
        self._joiner, self._writing = Joiner(), asyncio.Lock()

    async def begin(self, mtu):
        if mtu > SMALLEST:
            await self.peer.request_mtu(mtu)
        await self.peer.discover_services()
        await self.peer.discover_characteristics()
        await self.value(OUTBOX).subscribe(self._hear)

    def value(self, uuid):
        return self.peer.get_characteristics_by_uuid(uuid)[0]

    def end(self):
        if self._carrier:
            self._carrier.cancel()

    async def identity(self):
        return json.loads(bytes(await self.value(IDENTITY).read_value()))

    async def send(self, kind, content=b"", with_response=True):
        async with self._writing:
            for frame in frames(kind, content):
                await self.value(INBOX).write_value(frame, with_response)

    def _hear(self, frame):
        frame = bytes(frame)
        self.longest = max(self.longest, len(frame))
        if message := self._joiner.take(frame):
            (self._uplinks if message[0] == "U" else self._heard).put_nowait(message)

    async def hear(self):
        """Returns the kind and content of the next message to the phone."""
        return await asyncio.wait_for(self._heard.get(), PATIENCE_SECONDS)

    async def ask_as_stranger(self, request):
        answers = asyncio.Queue()
        await self.value(NON_OWNER).subscribe(lambda value: answers.put_nowait(bytes(value)))
        await self.value(NON_OWNER).write_value(request, with_response=True)
        return await asyncio.wait_for(answers.get(), PATIENCE_SECONDS)

    def carry(self, server, tracker):
        """Passes the tracker's messages to the server and its responses back from now on, as in
        static/js/bluetooth-relay.js."""
        self._carrier = self._tasks.create_task(self._carry(server, tracker))

    async def _carry(self, server, tracker):
        while True:
            _, content = await self._uplinks.get()
            of, body, signature = packed(content)
            assert of == tracker, f"{of} speaks, not {tracker}"
            status, headers, answer = await asyncio.to_thread(
                server.exchange, "POST", f"/trackers/{tracker}/messages", body,
                headers={"Content-Type": "application/json", "Homeward-Signature": signature.hex()})
            signed = headers.get("Homeward-Signature")
            if signed:
                await self.send("D", content[:16] + answer + bytes.fromhex(signed))
            elif status in UNKNOWN:
                await self.send("D")


async def until(look, otherwise):
    """Calls `look` until it returns a true value, and returns that value."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (found := await look()):
        assert time.monotonic() < deadline, otherwise
        await asyncio.sleep(0.1)
    return found
