"""Devices in reach of a phone: trackers, and what only claims to be one."""

import queue

from dbus_fast import Variant

from support.bus_objects import ADAPTER, MANAGER, PROPERTIES, SERVICE_INTERFACE, VALUE_INTERFACE

PHONE = f"{ADAPTER}/dev_F0_00_00_00_00_01"
# What the tracker's service is made of (docs/tracker-protocol.md).
SERVICE = "7e5a0001-6b1c-4c1f-9a53-686f6d657764"
IDENTITY, INBOX, OUTBOX = (SERVICE.replace("7e5a0001", part) for part in ("7e5a0002", "7e5a0003", "7e5a0004"))
MTU = 247
DROP = object()  # what `passing` answers to lose the link at that very moment


class Peripheral:
    """A device in reach: a tracker's GATT server, or one that only claims to be a tracker. `passing(direction, value)`
    sees what is about to pass (`"in"` to the tracker, `"out"` from it) and answers what to pass on: the value, another
    one, None for nothing, or DROP."""

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
        self.passed = []  # (direction, value), in their order
        self.connections = 0
        self.mtu = MTU  # bytes of one packet, as agreed
        # Service UUID → characteristics, each {"uuid", "flags", "path"}; phone's paths are made anew at each connection.
        self.services = {}
        self.notified = {}  # UUID → whether the phone listens
        self.phone_paths = {}
        self.received = queue.Queue()  # what a test that is the phone itself was told: (UUID, value)

    # What a test does.

    def drop(self):
        """Loses the link."""
        self.broker.run(self.broker.disconnect(self))

    def out_of_reach(self, is_far=True):
        """Connecting fails; the device is listed all the same, as one that just went away."""
        self.is_in_reach = not is_far

    def hide(self, is_hidden=True):
        """It is no longer found."""
        self.broker.run(self.broker.hide(self, is_hidden))

    def connect(self):
        """Be the phone: what is written and read then is the test's."""
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

    # What differs in one that only claims to be a tracker.

    async def answer_read(self, characteristic):
        return characteristic.get("value", b"")

    async def answer_write(self, characteristic, value, kind):
        pass

    async def answer_listening(self, characteristic, is_on):
        pass

    def phone_came(self):
        pass

    def phone_went(self):
        pass


class Tracker(Peripheral):
    """A GATT application that a client of the bus registered, as homeward-tracker does."""

    def __init__(self, broker, number, client, world, application):
        super().__init__(broker, number, "", [])
        self.client = client
        self.world = world
        self.application = application
        self.is_advertised = False
        self.service_data = {}  # UUID → bytes, as advertised last

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

    def phone_came(self):
        self.world.add(PHONE, "org.bluez.Device1", {
            "Address": "F0:00:00:00:00:01", "AddressType": "random", "Name": "Phone", "Alias": "Phone", "Paired": False,
            "Trusted": False, "Blocked": False, "Connected": False, "ServicesResolved": False, "UUIDs": [],
            "Adapter": ADAPTER})
        self.world.set(PHONE, "org.bluez.Device1", Connected=True)

    def phone_went(self):
        self.world.set(PHONE, "org.bluez.Device1", Connected=False)
        self.world.remove(PHONE)
