"""Trackers with Bluetooth, the browser's window in which one is chosen, and a phone that a test plays itself."""

import json
import os
import time

from support.frames import Joiner, frames
from support.peripherals import IDENTITY, INBOX, OUTBOX
from support.tracker_process import TrackerProcess

# The browser finds Bluetooth on the broker's bus, and remembers what it was allowed.
SWITCHES = ["--enable-blink-features=WebBluetooth,WebBluetoothGetDevices", "--enable-features=WebBluetoothNewPermissionsBackend"]
NOWHERE = "http://127.0.0.1:9"  # nobody listens there: a tracker without a network


class RadioTracker(TrackerProcess):
    """`homeward-tracker simulate` with Bluetooth. Without `server` it has no network, without `clock` the machine's time."""

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
        """Who it says it is, to whoever reads that."""
        return json.loads(self.device.read(IDENTITY))


class Chooser:
    """The browser's window in which a device is chosen: takes the one called `name` as soon as it is listed, or closes the
    window without a choice."""

    def __init__(self, page, name=None):
        self.name = name
        self.seen = []
        self._answered = set()
        self._client = page.context.new_cdp_session(page)
        self._client.on("DeviceAccess.deviceRequestPrompted", self._asked)
        self._client.send("DeviceAccess.enable")

    def _asked(self, event):
        # It is told again with each device that appears; answering twice ends the browser.
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
    """A phone that the test plays: writes what it likes, and reads what the tracker says."""

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
        """The next message of the tracker: its kind and content."""
        deadline = time.monotonic() + seconds
        while True:
            characteristic, frame = self.device.received.get(timeout=max(0.01, deadline - time.monotonic()))
            if characteristic != OUTBOX:
                continue
            if message := self._joiner.take(frame):
                return message

    def ask(self, content):
        """Hands over a register request; what the tracker says to it."""
        self.write("R", content)
        kind, answer = self.hear()
        while kind not in "AE":
            kind, answer = self.hear()
        return kind, answer
