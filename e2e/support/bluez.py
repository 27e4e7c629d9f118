"""Bluetooth without a radio: a replacement for BlueZ between a browser and a tracker's GATT server, on a private D-Bus.

Each client of the bus sees its own BlueZ, as on two machines. The browser's BlueZ finds devices and connects to them.
The tracker's BlueZ accepts its GATT application and its advertisement, and phones appear on it. The broker passes
values between them. A test may drop the connection, change the values that pass, or act as the phone.

    broker = Broker().start()
    …start Chromium and homeward-tracker with DBUS_SYSTEM_BUS_ADDRESS=broker.address…
    tracker = broker.tracker()"""

import asyncio
import contextlib
import itertools
import os
import queue
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus

from support.bus_objects import (
    ADAPTER,
    MANAGER,
    PROPERTIES,
    SERVICE_INTERFACE,
    VALUE_INTERFACE,
    ObjectTree,
    Refusal,
    variants,
)
from support.patience import answers, wait_until
from support.peripherals import DROP, SERVICE, Peripheral, Tracker

SUBSCRIPTION = "00002902-0000-1000-8000-00805f9b34fb"
PATIENCE_SECONDS = 15

CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>{address}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow own="*"/><allow send_destination="*" eavesdrop="true"/><allow receive_sender="*"/>
<allow send_type="method_call"/></policy></busconfig>"""


class Broker:
    """The private bus and BlueZ's service on it."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="homeward-bus-"))
        self.address = f"unix:path={self.folder}/bus"
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.numbers = itertools.count(1)
        self.peripherals = []
        self.object_trees = {}  # client → object tree, for trackers
        self.roles = {}
        self.is_there = True
        self.is_plugged_in = True
        self.scans = []
        self._tasks = set()

    def start(self):
        (self.folder / "bus.conf").write_text(CONFIGURATION.format(address=self.address))
        self.daemon = subprocess.Popen(
            ["dbus-daemon", f"--config-file={self.folder}/bus.conf", "--nofork", "--nopidfile"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(answers(self._probe, OSError), PATIENCE_SECONDS,
                   "dbus-daemon did not start; run scripts/setup --tests")
        self.thread.start()
        self.run(self._open())
        return self

    def _probe(self):
        """Connects once, because the socket file exists a moment before the daemon listens on it."""
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(str(self.folder / "bus"))

    def close(self):
        async def end():
            for task in self._tasks:
                task.cancel()
            self.bus.disconnect()

        self.run(end())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()
        self.daemon.terminate()
        self.daemon.wait(PATIENCE_SECONDS)
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, work):
        """Runs `work` on the broker's thread and waits for its result."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE_SECONDS)

    # Methods for tests.

    def tracker(self, seconds=PATIENCE_SECONDS, but=()):
        """Returns the tracker that registered last, once it advertises, except those in `but`."""
        deadline = time.monotonic() + seconds
        while True:
            found = [one for one in self.peripherals
                     if isinstance(one, Tracker) and one.is_advertised and one not in but]
            if found:
                return found[-1]
            assert time.monotonic() < deadline, "no tracker advertises itself"
            threading.Event().wait(0.02)

    def impostor(self, name="Homeward ????", service=SERVICE, characteristics=(), advertised=SERVICE):
        """Adds a device that advertises a tracker's service but is not a tracker. `characteristics`: (UUID, flags,
        value)."""
        async def add():
            one = Peripheral(self, next(self.numbers), name, [advertised])
            one.services = {service: [{"uuid": uuid, "flags": list(flags), "value": value}
                                      for uuid, flags, value in characteristics]}
            self.peripherals.append(one)
            self._appear(one)
            return one
        return self.run(add())

    def forget(self, peripheral):
        """Removes an impostor."""
        self.run(self._forget(peripheral))

    def power(self, is_on):
        """Turns the phone's Bluetooth on or off."""
        async def turn():
            for one in self.peripherals:
                if not is_on and one.is_connected:
                    await self.disconnect(one)
            self.phone.set(ADAPTER, "org.bluez.Adapter1", Powered=is_on, **({} if is_on else {"Discovering": False}))
        self.run(turn())

    def have_adapter(self, is_there):
        """Adds or removes the phone's Bluetooth adapter."""
        async def change():
            if is_there:
                self._add_adapter(self.phone)
                return
            for one in self.peripherals:
                await self.disconnect(one)
                self.phone.remove(one.path)
            self.phone.remove(ADAPTER)
        if is_there != self.is_there:
            self.is_there = is_there
            self.run(change())

    def plug_in(self):
        """Adds the adapter of the trackers. BlueZ announces an adapter with several signals, the one for advertising
        last."""
        async def change():
            self.is_plugged_in = True
            for object_tree in self.object_trees.values():
                self._plug_in(object_tree)
        self.run(change())

    # D-Bus.

    async def _open(self):
        self.bus = await MessageBus(bus_address=self.address).connect()
        self.phone = ObjectTree(self.bus)
        self._add_adapter(self.phone)
        self.phone.objects["/org/bluez"] = {"org.bluez.AgentManager1": {}}
        self.bus.add_message_handler(self._received)
        await self.bus.request_name("org.bluez")
        await self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch", "s",
                        ["type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'"])

    @staticmethod
    def _add_adapter(object_tree):
        object_tree.add(ADAPTER, "org.bluez.Adapter1", {
            "Address": "F0:00:00:00:00:01", "AddressType": "public", "Name": "adapter", "Alias": "adapter", "Class": 0,
            "Powered": True, "Discoverable": False, "Pairable": True, "PairableTimeout": 0, "DiscoverableTimeout": 0,
            "Discovering": False, "UUIDs": [], "Modalias": ""})

    async def call(self, destination, path, interface, member, signature="", body=()):
        message = Message(destination=destination, path=path, interface=interface, member=member, signature=signature,
                          body=list(body))
        answer = await asyncio.wait_for(self.bus.call(message), PATIENCE_SECONDS)
        if answer.message_type == MessageType.ERROR:
            raise Refusal("Failed", f"{answer.error_name}: {answer.body}")
        return answer.body

    def _received(self, message):
        if message.message_type == MessageType.SIGNAL:
            self._noticed(message)
            return None
        if message.message_type != MessageType.METHOD_CALL:
            return None
        self._start(self._answer(message))
        return True

    def _start(self, work):
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _noticed(self, message):
        if message.member == "NameOwnerChanged" and message.body[2] == "":
            self._start(self._left(message.body[0]))
        if message.member != "PropertiesChanged" or "Value" not in message.body[1]:
            return
        for one in self.peripherals:
            if isinstance(one, Tracker) and one.client == message.sender:
                for characteristic in one.characteristics():
                    if characteristic["path"] == message.path:
                        self._tell(one, characteristic, bytes(message.body[1]["Value"].value))

    async def _left(self, client):
        self.phone.clients.discard(client)
        self.roles.pop(client, None)
        self.object_trees.pop(client, None)
        for one in [one for one in self.peripherals if isinstance(one, Tracker) and one.client == client]:
            await self._forget(one)

    async def _forget(self, one):
        if one in self.peripherals:
            self.peripherals.remove(one)
        await self.disconnect(one)
        self.phone.remove(one.path)

    async def _object_tree(self, client):
        """Returns the BlueZ that a client sees, depending on its program."""
        if client not in self.roles:
            body = await self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                   "GetConnectionUnixProcessID", "s", [client])
            program = os.path.basename(os.readlink(f"/proc/{body[0]}/exe"))
            self.roles.setdefault(client, "tracker" if program.startswith("homeward-tracker") else "phone")
        if self.roles[client] == "phone":
            self.phone.clients.add(client)
            return self.phone
        if client not in self.object_trees:
            object_tree = self.object_trees[client] = ObjectTree(self.bus)
            if self.is_plugged_in:
                self._plug_in(object_tree)
            object_tree.clients.add(client)
        return self.object_trees[client]

    def _plug_in(self, object_tree):
        self._add_adapter(object_tree)
        object_tree.add(ADAPTER, "org.bluez.GattManager1", {})
        object_tree.add(ADAPTER, "org.bluez.LEAdvertisingManager1", {"ActiveInstances": 0, "SupportedInstances": 4})

    async def _answer(self, message):
        try:
            signature, body = await self._carry_out(message)
            answer = Message.new_method_return(message, signature, body)
        except Refusal as refusal:
            answer = Message.new_error(message, refusal.name, str(refusal))
        except Exception as error:  # noqa: BLE001  (a client waits for an answer)
            answer = Message.new_error(message, "org.bluez.Error.Failed", f"{type(error).__name__}: {error}")
        self.bus.send(answer)

    async def _carry_out(self, message):
        if message.interface == "org.freedesktop.DBus.Peer":
            return "", []
        if message.member in ("RegisterApplication", "RegisterAdvertisement"):
            self.roles[message.sender] = "tracker"
            self.phone.clients.discard(message.sender)
        object_tree = await self._object_tree(message.sender)
        if message.interface == MANAGER and message.member == "GetManagedObjects":
            return "a{oa{sa{sv}}}", [object_tree.tree()]
        if message.interface == PROPERTIES:
            return self._properties(object_tree, message)
        handler = getattr(self, f"_{message.interface.rsplit('.', 1)[-1]}_{message.member}", None)
        if handler is None:
            raise Refusal("NotSupported", f"{message.interface}.{message.member}")
        return await handler(object_tree, message) or ("", [])

    def _properties(self, object_tree, message):
        interfaces = object_tree.objects.get(message.path)
        if interfaces is None or message.body[0] not in interfaces:
            raise Refusal("DoesNotExist", f"{message.path} {message.body[0]}")
        interface = message.body[0]
        if message.member == "GetAll":
            return "a{sv}", [variants(interfaces[interface])]
        if message.member == "Get":
            return "v", [variants(interfaces[interface])[message.body[1]]]
        object_tree.set(message.path, interface, **{message.body[1]: message.body[2].value})
        return "", []

    # BlueZ for the browser.

    async def _AgentManager1_RegisterAgent(self, object_tree, message):
        pass

    _AgentManager1_UnregisterAgent = _AgentManager1_RequestDefaultAgent = _AgentManager1_RegisterAgent

    async def _Adapter1_SetDiscoveryFilter(self, object_tree, message):
        self.scans.append({name: one.value for name, one in message.body[0].items()})

    async def _Adapter1_StartDiscovery(self, object_tree, message):
        if not object_tree.objects[ADAPTER]["org.bluez.Adapter1"]["Powered"]:
            raise Refusal("NotReady", "Resource Not Ready")
        object_tree.set(ADAPTER, "org.bluez.Adapter1", Discovering=True)
        for one in self.peripherals:
            self._appear(one)

    async def _Adapter1_StopDiscovery(self, object_tree, message):
        object_tree.set(ADAPTER, "org.bluez.Adapter1", Discovering=False)

    async def _Adapter1_RemoveDevice(self, object_tree, message):
        pass

    def _appear(self, one):
        """Adds the device to the scan results. Like BlueZ, only while a client scans and the device advertises."""
        if not self.phone.objects.get(ADAPTER, {}).get("org.bluez.Adapter1", {}).get("Discovering"):
            return
        if one.is_hidden or one.is_connected or not one.uuids:
            return
        if one.path in self.phone.objects:
            return self.phone.set(one.path, "org.bluez.Device1", Name=one.name, Alias=one.name,
                                  UUIDs=one.uuids, RSSI=-55)
        self.phone.add(one.path, "org.bluez.Device1", {
            "Address": one.address, "AddressType": "random", "Name": one.name, "Alias": one.name, "Paired": False,
            "Trusted": False, "Blocked": False, "LegacyPairing": False, "Connected": False, "ServicesResolved": False,
            "UUIDs": one.uuids, "Adapter": ADAPTER, "RSSI": -60})

    def _found(self, path):
        for one in self.peripherals:
            if one.path == path:
                return one
        raise Refusal("DoesNotExist", path)

    async def _Device1_Connect(self, object_tree, message):
        await self.connect(self._found(message.path), is_test=False)

    async def _Device1_Disconnect(self, object_tree, message):
        await self.disconnect(self._found(message.path))

    def _target(self, message):
        for one in self.peripherals:
            for uuid, path in one.phone_paths.items():
                if path == message.path and one.is_connected:
                    return one, one.characteristic(uuid)
        raise Refusal("Failed", "Not connected")

    async def _GattCharacteristic1_ReadValue(self, object_tree, message):
        return "ay", [await self.read(*self._target(message))]

    async def _GattCharacteristic1_WriteValue(self, object_tree, message):
        kind = message.body[1].get("type")
        await self.write(*self._target(message), bytes(message.body[0]), kind.value if kind else "request")

    async def _GattCharacteristic1_StartNotify(self, object_tree, message):
        await self.listen(*self._target(message), True)
        self.phone.set(message.path, VALUE_INTERFACE, Notifying=True)

    async def _GattCharacteristic1_StopNotify(self, object_tree, message):
        await self.listen(*self._target(message), False)
        self.phone.set(message.path, VALUE_INTERFACE, Notifying=False)

    # BlueZ for a tracker.

    async def _GattManager1_RegisterApplication(self, object_tree, message):
        one = Tracker(self, next(self.numbers), message.sender, object_tree, message.body[0])
        await one.load()
        await self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch", "s",
                        [f"type='signal',sender='{message.sender}'"])
        self.peripherals.append(one)

    async def _GattManager1_UnregisterApplication(self, object_tree, message):
        for one in [one for one in self.peripherals if isinstance(one, Tracker) and one.client == message.sender]:
            await self._forget(one)

    async def _LEAdvertisingManager1_RegisterAdvertisement(self, object_tree, message):
        for one in self.peripherals:
            if isinstance(one, Tracker) and one.client == message.sender:
                await one.advertise(message.body[0])
                self._appear(one)

    async def _LEAdvertisingManager1_UnregisterAdvertisement(self, object_tree, message):
        for one in self.peripherals:
            if isinstance(one, Tracker) and one.client == message.sender:
                # BlueZ keeps a device for half a minute after its last advertisement. Until then clients can connect to
                # it.
                one.is_advertised, one.uuids = False, []

    # The radio connection.

    async def hide(self, one, is_hidden):
        one.is_hidden = is_hidden
        if is_hidden:
            await self.disconnect(one)
            self.phone.remove(one.path)
        else:
            self._appear(one)

    async def connect(self, one, is_test):
        if not one.is_in_reach:
            await asyncio.sleep(0.2)
            raise Refusal("Failed", "le-connection-abort-by-local")
        if one.is_connected:
            return
        one.is_connected = True
        one.is_test = is_test
        one.connections += 1
        one.received = queue.Queue()
        one.phone_connected()
        if is_test:
            return
        self.phone.set(one.path, "org.bluez.Device1", Connected=True)
        self.loop.call_soon(self._resolve, one)

    def _resolve(self, one):
        """Publishes the services after discovery, a moment after the connection."""
        if not one.is_connected:
            return
        for number, (uuid, characteristics) in enumerate(one.services.items()):
            service = f"{one.path}/service{number:04d}"
            self.phone.add(service, SERVICE_INTERFACE,
                           {"UUID": uuid, "Device": one.path, "Primary": True, "Includes": []})
            for place, characteristic in enumerate(characteristics):
                path = one.phone_paths[characteristic["uuid"]] = f"{service}/char{place:04d}"
                self.phone.add(path, VALUE_INTERFACE, {
                    "UUID": characteristic["uuid"], "Service": service, "Value": b"", "Notifying": False,
                    "Flags": characteristic["flags"]})
                if "notify" in characteristic["flags"]:
                    self.phone.add(f"{path}/desc0000", "org.bluez.GattDescriptor1", {
                        "UUID": SUBSCRIPTION, "Characteristic": path, "Value": b""})
        self.phone.set(one.path, "org.bluez.Device1", ServicesResolved=True)

    async def disconnect(self, one):
        if not one.is_connected:
            return
        one.is_connected = False
        for characteristic in one.characteristics():
            if one.notified.pop(characteristic["uuid"], False):
                self._start(self._stop_listening(one, characteristic))
        for path in [path for path in self.phone.objects if path.startswith(one.path + "/")]:
            self.phone.remove(path)
        one.phone_paths.clear()
        self.phone.set(one.path, "org.bluez.Device1", Connected=False, ServicesResolved=False)
        one.phone_disconnected()
        self._appear(one)

    @staticmethod
    async def _stop_listening(one, characteristic):
        with contextlib.suppress(Refusal):
            await one.answer_listening(characteristic, False)

    async def listen(self, one, characteristic, is_on):
        one.notified[characteristic["uuid"]] = is_on
        await one.answer_listening(characteristic, is_on)

    async def read(self, one, characteristic):
        return await one.answer_read(characteristic)

    async def write(self, one, characteristic, value, kind="request"):
        value = await self._pass(one, "in", value)
        if value is not None:
            await one.answer_write(characteristic, value, kind)

    def _tell(self, one, characteristic, value):
        if not one.is_connected or not one.notified.get(characteristic["uuid"]):
            return
        # Like BlueZ: a notification is one packet, and BlueZ truncates a longer value.
        value = value[:one.mtu - 3]
        one.passed.append(("out", value))
        changed = one.passing("out", value) if one.passing else value
        if changed is DROP:
            return self._start(self.disconnect(one))
        if changed is None:
            return
        if one.is_test:
            one.received.put((characteristic["uuid"], changed))
        else:
            self.phone.set(one.phone_paths[characteristic["uuid"]], VALUE_INTERFACE, Value=changed)

    async def _pass(self, one, direction, value):
        one.passed.append((direction, value))
        changed = one.passing(direction, value) if one.passing else value
        if changed is DROP:
            # Like BlueZ: running operations fail first, then the device's objects disappear.
            self.loop.call_soon(lambda: self._start(self.disconnect(one)))
            raise Refusal("Failed", "Not connected")
        return changed
