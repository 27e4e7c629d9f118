"""Trackers with Bluetooth, the browser's device chooser, and a phone that a test controls."""

import json
import os
import time

from support.frames import Joiner, frames
from support.peripherals import IDENTITY, INBOX, OUTBOX
from support.tracker_process import TrackerProcess

# The browser finds Bluetooth on the broker's bus and remembers granted permissions.
SWITCHES = ["--enable-blink-features=WebBluetooth,WebBluetoothGetDevices",
            "--enable-features=WebBluetoothNewPermissionsBackend"]
NOWHERE = "http://127.0.0.1:9"  # nothing listens on this port: a tracker without a network


class RadioTracker(TrackerProcess):
    """`homeward-tracker simulate` with Bluetooth. Without `server` it has no network. Without `clock` it uses the
    machine's time."""

    def __init__(self, broker, folder, server=None, *arguments, clock=None, start=True):
        super().__init__(folder / "tracker.log")
        self.broker = broker
        self.folder = folder
        self.server = server
        self.arguments = arguments
        self.environment = {"DBUS_SYSTEM_BUS_ADDRESS": broker.address, **(clock.environment if clock else {})}
        self.device = None
        if start:
            self.start()

    def start(self, server=None):
        self.server = server or self.server
        before = list(self.broker.peripherals)
        self.run("simulate", "--server", self.server.url if self.server else NOWHERE, "--state", self.folder / "state",
                 "--bluetooth", "on", "--interval", "1", "--poll", "1", "--speed-factor", "0",
                 "--latitude", "50.7753", "--longitude", "6.0839", *self.arguments,
                 environment={**os.environ, **self.environment})
        try:
            self.device = self.broker.tracker(but=before)
        except AssertionError as error:
            raise AssertionError(f"{error}:\n{self.log_text()[-2000:]}") from None
        return self

    def identity(self):
        """Returns the identity that any device can read."""
        return json.loads(self.device.read(IDENTITY))


class Chooser:
    """The browser's device chooser. Selects the device called `name` as soon as it is listed, or cancels the
    chooser."""

    def __init__(self, page, name=None):
        self.name = name
        self.seen = []
        self._answered = set()
        self._client = page.context.new_cdp_session(page)
        self._client.on("DeviceAccess.deviceRequestPrompted", self._asked)
        self._client.send("DeviceAccess.enable")

    def _asked(self, event):
        # The browser sends this event again for each new device. A second answer ends the browser.
        self.seen.append([one["name"] for one in event["devices"]])
        if event["id"] in self._answered:
            return
        if self.name is None:
            self._answered.add(event["id"])
            self._client.send("DeviceAccess.cancelPrompt", {"id": event["id"]})
            return
        for one in event["devices"]:
            if one["name"] == self.name:
                self._answered.add(event["id"])
                self._client.send("DeviceAccess.selectPrompt", {"id": event["id"], "deviceId": one["id"]})
                return


class Phone:
    """A phone controlled by the test: it writes any value and reads the tracker's messages."""

    def __init__(self, device):
        self.device = device.connect()
        self._joiner = Joiner()

    def leave(self):
        self.device.disconnect()

    def identity(self):
        return json.loads(self.device.read(IDENTITY))

    def write(self, kind, content):
        for frame in frames(kind, content):
            self.device.write(INBOX, frame)

    def hear(self, seconds=10):
        """Returns the kind and content of the tracker's next message."""
        deadline = time.monotonic() + seconds
        while True:
            characteristic, frame = self.device.received.get(timeout=max(0.01, deadline - time.monotonic()))
            if characteristic != OUTBOX:
                continue
            if message := self._joiner.take(frame):
                return message

    def ask(self, content):
        """Sends a register request and returns the tracker's response."""
        self.write("R", content)
        kind, answer = self.hear()
        while kind not in "AE":
            kind, answer = self.hear()
        return kind, answer
