"""The D-Bus objects with interfaces and properties that clients see, in BlueZ's format."""

from dbus_fast import Message, Variant

ADAPTER = "/org/bluez/hci0"
MANAGER = "org.freedesktop.DBus.ObjectManager"
PROPERTIES = "org.freedesktop.DBus.Properties"
SERVICE_INTERFACE = "org.bluez.GattService1"
VALUE_INTERFACE = "org.bluez.GattCharacteristic1"

SIGNATURES = {bool: "b", str: "s", bytes: "ay", list: "as"}
PATHS = {"Adapter", "Device", "Service", "Characteristic"}
NUMBERS = {"Class": "u", "RSSI": "n", "MTU": "q", "PairableTimeout": "u", "DiscoverableTimeout": "u",
           "ActiveInstances": "y", "SupportedInstances": "y"}


class Refusal(Exception):
    def __init__(self, name, text):
        super().__init__(text)
        self.name = f"org.bluez.Error.{name}"


def variants(properties):
    def one(name, value):
        if name in PATHS:
            return Variant("o", value)
        return Variant(NUMBERS.get(name) or ("ao" if name == "Includes" else SIGNATURES[type(value)]), value)
    return {name: one(name, value) for name, value in properties.items()}


class ObjectTree:
    """The objects that a group of clients sees, and those clients."""

    def __init__(self, bus):
        self.bus = bus
        self.clients = set()
        self.objects = {}

    def add(self, path, interface, properties):
        self.objects.setdefault(path, {})[interface] = properties
        self._tell("/", MANAGER, "InterfacesAdded", "oa{sa{sv}}",
                   [path, {interface: variants(properties), PROPERTIES: {}}])

    def remove(self, path):
        interfaces = self.objects.pop(path, None)
        if interfaces is not None:
            self._tell("/", MANAGER, "InterfacesRemoved", "oas", [path, [*interfaces, PROPERTIES]])

    def set(self, path, interface, **changes):
        if path not in self.objects:
            return
        self.objects[path][interface].update(changes)
        self._tell(path, PROPERTIES, "PropertiesChanged", "sa{sv}as", [interface, variants(changes), []])

    def tree(self):
        return {path: {**{name: variants(values) for name, values in interfaces.items()}, PROPERTIES: {}}
                for path, interfaces in self.objects.items()}

    def _tell(self, path, interface, member, signature, body):
        for client in self.clients:
            message = Message.new_signal(path, interface, member, signature, body)
            message.destination = client
            self.bus.send(message)
