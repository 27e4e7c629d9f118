"""A real `homeward-tracker` with a SIM card of the replacement for Hologram's cloud."""

import contextlib
import threading

from support.patience import wait_until
from support.server import free_port
from support.stored_clock import StoredClock
from support.tracker_process import TrackerProcess

SECRET = "a-secret-of-the-webhook-1"
# The kinds of a command in a compact frame, by its 18th byte (docs/tracker-protocol.md).
KINDS = {1: "activate", 2: "locate", 3: "on", 4: "off", 5: "ring", 6: "releaseOff"}


def kinds(cloud):
    """Returns the kinds of the commands that the cloud received for trackers."""
    assert all(payload[0] == 0xF2 and len(payload) == 38 for _, payload in cloud.sent)
    return [KINDS[payload[17]] for _, payload in cloud.sent]


class CloudTracker(TrackerProcess):
    """A simulated walk with the real tracker program. It reports when a command requests it, and polls the server over
    the internet at the `poll` interval only."""

    def __init__(self, server, cloud, folder, device=None, seed=7):
        super().__init__(folder / "tracker.log")
        self.server = server
        self.cloud = cloud
        self.folder = folder
        self.seed = seed
        self.device = device or cloud.add_device(free_port())

    def start(self, poll=1, interval=86_400):
        self.run("simulate", "--server", self.server.url, "--state", self.folder / "tracker", "--seed", str(self.seed),
                 "--interval", str(interval), "--poll", str(poll), "--latitude", "50.7753", "--longitude", "6.0839",
                 "--road", "hologram", "--bluetooth", "off", "--hologram-key", self.device.key,
                 "--hologram-device", str(self.device.number), "--hologram-socket", self.cloud.socket_address,
                 "--hologram-listen", f"127.0.0.1:{self.device.port}")
        return self

    def pair(self, someone, item):
        """Pairs it by its code and starts locating. Afterwards all messages go through the cloud."""
        path = f"/tracking/items/{item['id']}"
        self.start()
        someone.call("PUT", f"{path}/tracker", {"code": self.code()}, expect=200)
        wait_until(lambda: someone.call("GET", path)["tracker"]["state"] == "active", 20, "not active")
        clock = Clock(self.server)

        def has_position():
            # The server reads the bucket and the log at intervals. The test advances that clock.
            clock.age_readings(600)
            someone.is_at(50.7, 6.0, accuracy=5 + len(self.cloud.received))
            return someone.call("GET", path)["lastFix"]

        wait_until(has_position, 60, "no first position", pause=lambda: threading.Event().wait(0.1))
        wait_until(lambda: not someone.call("GET", path)["tracker"]["pending"], 20, "activate isn't confirmed")
        self.stop()
        self.restart(lambda: someone.call("GET", path)["tracker"]["lastSeenAt"])
        return self

    def restart(self, seen, interval=86_400):
        """Restarts it. Afterwards the server receives its messages only through the cloud. `seen` returns the time of
        its last contact."""
        self.stop()
        before, starts = seen(), self._starts()
        self.start(poll=86_400, interval=interval)
        wait_until(lambda: self._starts() > starts, 20, "it did not start")
        # It may poll once after it starts. A command must not be sent in response to that poll.
        with contextlib.suppress(AssertionError):
            wait_until(lambda: seen() != before, 3)

    def _starts(self):
        return self.log_text().count("listening for the cloud")


class Clock(StoredClock):
    """Advances the tracker clock of a server on SQLite by changing stored times."""

    def age_readings(self, seconds):
        """Brings the next reading of bucket and log forward by `seconds`."""
        assert self._change("UPDATE job SET due_at = due_at - ? WHERE lane = 'hologram-readings'", seconds * 1000)

    def age_commands(self, seconds):
        """Makes all unconfirmed commands older by `seconds`."""
        self._change(
            "UPDATE command SET created_at = created_at - ?, expires_at = expires_at - ? "
            "WHERE state IN ('queued', 'sent')", seconds * 1000, seconds * 1000)
        assert self._change(
            "UPDATE tracker SET pending_since = pending_since - ?, pending_until = pending_until - ? "
            "WHERE pending_until IS NOT NULL", seconds * 1000, seconds * 1000)

