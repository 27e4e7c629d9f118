"""Inside the virtual machine: a controller that the kernel finds at /dev/vhci, and a phone on the same air. The phone finds the
tracker, reads who it is, says something wrong and something forbidden, and hears what it should."""

import asyncio
import json

from bumble.controller import Controller
from bumble.core import UUID
from bumble.device import Device, Peer
from bumble.hci import Address
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport import open_transport

SERVICE = "7e5a000{}-6b1c-4c1f-9a53-686f6d657764"
NON_OWNER = UUID("8e0c0001-1d68-fb92-bf61-48377421680e")


class Link(LocalLink):
    """bumble stamps what it sends with the sender's random address; BlueZ advertises with its public one."""

    def send_acl_data(self, sender, destination, transport, data):
        connection = sender.le_connections.get(destination)
        if connection is None:
            return super().send_acl_data(sender, destination, transport, data)
        peer, source = self.find_le_controller(destination), connection.self_address
        asyncio.get_running_loop().call_soon(lambda: peer.on_link_acl_data(source, transport, data))


def say(text):
    print(text, flush=True)


async def meet(phone, found):
    advertisement = await asyncio.wait_for(found, 90)
    await phone.stop_scanning()
    connection = await phone.connect(advertisement.address)
    peer = Peer(connection)
    await peer.request_mtu(247)
    await peer.discover_services()
    await peer.discover_characteristics()

    def characteristic(uuid):
        return peer.get_characteristics_by_uuid(UUID(uuid) if isinstance(uuid, str) else uuid)[0]

    identity = characteristic(SERVICE.format(2))
    first = json.loads(bytes(await identity.read_value()))
    assert first["version"] == 1 and first["state"] == "unbound" and len(first["challenge"]) == 32, first
    again = json.loads(bytes(await identity.read_value()))
    assert again == first, "one challenge a connection"
    say(f"identity of {len(json.dumps(first))} characters, read twice")

    heard = asyncio.Queue()
    await characteristic(SERVICE.format(4)).subscribe(lambda value: heard.put_nowait(bytes(value)))
    inbox = characteristic(SERVICE.format(3))
    await inbox.write_value(bytes([0xC0]) + b"Rnonsense", with_response=True)
    assert await asyncio.wait_for(heard.get(), 15) == bytes([0xC0]) + b"Emalformed"
    spent = json.loads(bytes(await identity.read_value()))
    assert spent["challenge"] != first["challenge"], "a request spends its challenge"
    say("a malformed request is refused, and its challenge spent")
    # Longer than one frame: the frames come in their order.
    content = b"R" + bytes(600)
    for number, start in enumerate(range(0, len(content), 179)):
        last = start + 179 >= len(content)
        head = (0x80 if number == 0 else 0) | (0x40 if last else 0) | number
        await inbox.write_value(bytes([head]) + content[start:start + 179], with_response=not last or True)
    assert await asyncio.wait_for(heard.get(), 15) == bytes([0xC0]) + b"Emalformed"
    say("a message of several frames arrives")

    answers = asyncio.Queue()
    non_owner = characteristic(NON_OWNER)
    await non_owner.subscribe(lambda value: answers.put_nowait(bytes(value)))
    await non_owner.write_value(bytes.fromhex("0003"), with_response=True)
    assert await asyncio.wait_for(answers.get(), 15) == bytes.fromhex("02030003ffff")
    say("a non-owner is refused while nobody owns it")
    await connection.disconnect()


async def main():
    link = Link()
    transport = await open_transport("vhci:")
    Controller("tracker", host_source=transport.source, host_sink=transport.sink, link=link,
               public_address="F0:F1:F2:F3:F4:F5/P")
    host = Host()
    host.controller = Controller("phone", link=link)
    phone = Device(name="phone", address=Address("F6:F7:F8:F9:FA:FB"), host=host)
    await phone.power_on()
    say("attached")
    for round_number in range(2):
        found = asyncio.get_running_loop().create_future()
        listener = phone.on("advertisement", lambda one, found=found: found.done() or found.set_result(one))
        await phone.start_scanning()
        await meet(phone, found)
        phone.remove_listener("advertisement", listener)
        say(f"meeting {round_number + 1} is over")
    say("PASS")


asyncio.run(asyncio.wait_for(main(), 240))
