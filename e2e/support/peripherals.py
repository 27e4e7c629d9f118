"""Bluetooth devices near a phone: trackers, and devices that imitate one."""

import queue

from dbus_fast import Variant

from support.bus_objects import ADAPTER, MANAGER, PROPERTIES, SERVICE_INTERFACE, VALUE_INTERFACE

PHONE = f"{ADAPTER}/dev_F0_00_00_00_00_01"
# The UUIDs of the tracker's service (docs/tracker-protocol.md).
SERVICE = "7e5a0001-6b1c-4c1f-9a53-686f6d657764"
IDENTITY, INBOX, OUTBOX = (SERVICE.replace("7e5a0001", part) for part in ("7e5a0002", "7e5a0003", "7e5a0004"))
MTU = 247
DROP = object()  # returned by `passing` to drop the connection immediately


class Peripheral:
    """A nearby device: a tracker's GATT server, or an imitation. `passing(direction, value)` gets each value before it
    passes (`"in"` to the tracker, `"out"` from it) and returns the value to pass on, another value, None for nothing,
    or DROP."""

    def __init__(self, broker, number, name, uuids):
        self.broker = broker
        self.address = f"C0:00:00:00:{number >> 8:02X}:{number & 255:02X}"
        self.path = f"{ADAPTER}/dev_{self.address.replace(':', '_')}"
        self.name = name
        self.uuids = uuids
        self.is_connected = False
        self.is_in_reach = True
        self.is_hidden = False
        self.passing = None
        self.passed = []  # (direction, value), in order
        self.connections = 0
        self.mtu = MTU  # bytes per packet, as negotiated
        # Service UUID → characteristics, each {"uuid", "flags", "path"}. The phone's paths are created at each
        # connection.
        self.services = {}
        self.notified = {}  # UUID → whether the phone is subscribed
        self.phone_paths = {}
        self.received = queue.Queue()  # received by a test that acts as the phone: (UUID, value)

    # Methods for tests.

    def drop(self):
        """Drops the connection."""
        self.broker.run(self.broker.disconnect(self))

    def out_of_reach(self, is_far=True):
        """Makes connections fail. The device remains listed, like one that has just left."""
        self.is_in_reach = not is_far

    def hide(self, is_hidden=True):
        """Hides the device from scans."""
        self.broker.run(self.broker.hide(self, is_hidden))

    def connect(self):
        """Connects as the phone, so that the test writes and reads values."""
        self.broker.run(self.broker.connect(self, is_test=True))
        for characteristic in self.characteristics():
            if "notify" in characteristic["flags"]:
                self.broker.run(self.broker.listen(self, characteristic, True))
        return self

    def read(self, uuid):
        return self.broker.run(self.broker.read(self, self.characteristic(uuid)))

    def write(self, uuid, value):
        self.broker.run(self.broker.write(self, self.characteristic(uuid), value))

    def disconnect(self):
        self.drop()

    def characteristics(self):
        return [one for characteristics in self.services.values() for one in characteristics]

    def characteristic(self, uuid):
        return next(one for one in self.characteristics() if one["uuid"] == uuid)

    # The parts that an imitation overrides.

    async def answer_read(self, characteristic):
        return characteristic.get("value", b"")

    async def answer_write(self, characteristic, value, kind):
        pass

    async def answer_listening(self, characteristic, is_on):
        pass

    def phone_connected(self):
        pass

    def phone_disconnected(self):
        pass


class Tracker(Peripheral):
    """A GATT application that a client of the bus registered, such as homeward-tracker."""

    def __init__(self, broker, number, client, object_tree, application):
        super().__init__(broker, number, "", [])
        self.client = client
        self.object_tree = object_tree
        self.application = application
        self.is_advertised = False
        self.service_data = {}  # UUID → bytes of the last advertisement

    async def _call(self, path, member, signature, body):
        return await self.broker.call(self.client, path, VALUE_INTERFACE, member, signature, body)

    async def load(self):
        objects = (await self.broker.call(self.client, self.application, MANAGER, "GetManagedObjects"))[0]
        names = {}
        for path, interfaces in objects.items():
            if SERVICE_INTERFACE in interfaces:
                names[path] = interfaces[SERVICE_INTERFACE]["UUID"].value.lower()
                self.services[names[path]] = []
        for path, interfaces in objects.items():
            if found := interfaces.get(VALUE_INTERFACE):
                self.services[names[found["Service"].value]].append(
                    {"uuid": found["UUID"].value.lower(), "flags": list(found["Flags"].value), "path": path})

    async def advertise(self, path):
        properties = (await self.broker.call(
            self.client, path, PROPERTIES, "GetAll", "s", ["org.bluez.LEAdvertisement1"]))[0]
        self.name = properties["LocalName"].value if "LocalName" in properties else ""
        self.uuids = [one.lower() for one in properties["ServiceUUIDs"].value] if "ServiceUUIDs" in properties else []
        data = properties["ServiceData"].value if "ServiceData" in properties else {}
        self.service_data = {uuid.lower(): bytes(one.value) for uuid, one in data.items()}
        self.is_advertised = True

    async def answer_read(self, characteristic):
        options = {"device": Variant("o", PHONE), "mtu": Variant("q", self.mtu), "link": Variant("s", "LE")}
        return bytes((await self._call(characteristic["path"], "ReadValue", "a{sv}", [options]))[0])

    async def answer_write(self, characteristic, value, kind):
        options = {"device": Variant("o", PHONE), "mtu": Variant("q", self.mtu), "link": Variant("s", "LE"),
                   "type": Variant("s", kind)}
        await self._call(characteristic["path"], "WriteValue", "aya{sv}", [value, options])

    async def answer_listening(self, characteristic, is_on):
        await self._call(characteristic["path"], "StartNotify" if is_on else "StopNotify", "", [])

    def phone_connected(self):
        self.object_tree.add(PHONE, "org.bluez.Device1", {
            "Address": "F0:00:00:00:00:01", "AddressType": "random", "Name": "Phone", "Alias": "Phone", "Paired": False,
            "Trusted": False, "Blocked": False, "Connected": False, "ServicesResolved": False, "UUIDs": [],
            "Adapter": ADAPTER})
        self.object_tree.set(PHONE, "org.bluez.Device1", Connected=True)

    def phone_disconnected(self):
        self.object_tree.set(PHONE, "org.bluez.Device1", Connected=False)
        self.object_tree.remove(PHONE)
