"""Installs, runs and removes the packages on the current system (scripts/packages-boot). The steps are those of an
administrator who follows docs/operating.md and docs/tracker-hardware.md."""

import os
import pwd
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, "/checkout/e2e")

from support.board import Receiver
from support.children import Household
from support.patience import wait_until
from support.server import Server

PORT = 8080
PACKAGES = sorted(Path("/check").glob("*.deb"))


def run(*command, expect=0):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == expect, (command, done.returncode, done.stdout, done.stderr)
    return done.stdout.strip()


def say(what):
    print(f"ok  {what}", flush=True)


def log(unit):
    return subprocess.run(["journalctl", "--no-pager", "-u", unit], capture_output=True, text=True,
                          check=False).stdout[-4000:]


def state(unit):
    return subprocess.run(["systemctl", "is-active", unit], capture_output=True, text=True, check=False).stdout.strip()


def process(unit):
    return int(run("systemctl", "show", "--property", "MainPID", "--value", unit))


def user(unit):
    return pwd.getpwuid(Path(f"/proc/{process(unit)}").stat().st_uid).pw_name


def add_setting(name, value, program):
    with open(f"/etc/{program}.conf", "a") as settings:
        settings.write(f"{name}={value}\n")


class Installed(Server):
    """The server installed from the package."""

    def __init__(self):
        self.port = PORT
        self.url = f"http://localhost:{PORT}"

    def is_ready(self):
        try:
            return self.request("GET", "/health/ready")[0] == 200
        except OSError:
            return False

    def wait_ready(self):
        wait_until(self.is_ready, 30, lambda: log("homeward"))


def main():
    run("ip", "link", "set", "lo", "up")
    run("dpkg", "--install", *PACKAGES)
    for unit in ("homeward", "homeward-tracker"):
        assert state(unit) == "inactive", log(unit)
    say("installed; nothing starts before it is told to")

    server = Installed()
    add_setting("HOMEWARD_URL", server.url, "homeward")
    run("systemctl", "enable", "--now", "homeward")
    server.wait_ready()
    assert user("homeward") == "homeward"
    someone = Household(server)
    say("the server is ready, as a user of its own")

    # A sandboxed process decodes pictures.
    picture = f"/pictures/{someone.picture()}"
    someone.call("GET", f"{picture}?size=small", expect=200)
    say("a picture is taken, and given back in its small size")

    receiver = Receiver()
    Path("/etc/default/gpsd").write_text(f'DEVICES="tcp://127.0.0.1:{receiver.port}"\nGPSD_OPTIONS="-n"\nUSBAUTO="false"\n')
    run("systemctl", "restart", "gpsd.socket", "gpsd")
    add_setting("HOMEWARD_TRACKER_SERVER", server.url, "homeward-tracker")
    add_setting("HOMEWARD_TRACKER_INTERVAL", 2, "homeward-tracker")
    add_setting("HOMEWARD_TRACKER_POLL", 1, "homeward-tracker")
    run("systemctl", "enable", "--now", "homeward-tracker")
    assert user("homeward-tracker") == "homeward-tracker"
    code = wait_until(shown_code, 30, lambda: log("homeward-tracker"))
    # The tracker learns over D-Bus that the system has no Bluetooth. D-Bus would tell nothing to a user that it doesn't
    # know.
    wait_until(lambda: "state=noDaemon" in log("homeward-tracker"), 10, lambda: log("homeward-tracker"))
    assert "there is no bus" not in log("homeward-tracker"), log("homeward-tracker")
    say("the tracker runs as a user of its own, whom the message bus lets in")
    item = someone.add_item("Bag")
    path = f"/tracking/items/{item['id']}"
    someone.call("PUT", f"{path}/tracker", {"code": code}, expect=200)

    def fixes():
        return someone.call("GET", f"{path}/fixes", expect=200)["items"]

    wait_until(fixes, 60, lambda: log("homeward-tracker"))
    assert all(receiver.was_at(fix) for fix in fixes())
    say("a thing is paired with the tracker by its code, and is where the receiver was")

    before = process("homeward")
    os.kill(before, 9)
    wait_until(lambda: server.is_ready() and process("homeward") != before, 30, lambda: log("homeward"))
    known = len(fixes())
    run("systemctl", "restart", "homeward-tracker")
    wait_until(lambda: len(fixes()) > known, 60, lambda: log("homeward-tracker"))
    someone.call("GET", picture, expect=200)
    say("killed and restarted, both go on with what they had")

    before = process("homeward"), process("homeward-tracker")
    run("dpkg", "--install", *PACKAGES)
    server.wait_ready()
    assert not {process("homeward"), process("homeward-tracker")} & set(before), "an upgrade restarts what runs"
    known = len(fixes())
    wait_until(lambda: len(fixes()) > known, 60, lambda: log("homeward-tracker"))
    say("upgraded while they run, both go on with what they had")

    run("dpkg", "--purge", "homeward", "homeward-tracker")
    for unit in ("homeward", "homeward-tracker"):
        assert state(unit) != "active"
        for left in (f"/var/lib/{unit}", f"/var/lib/private/{unit}", f"/etc/{unit}.conf"):
            assert not os.path.lexists(left), left
    assert not server.is_ready()
    say("purged; nothing is left")


def shown_code():
    done = subprocess.run(["homeward-tracker", "show-code", "--config", "/etc/homeward-tracker.conf"],
                          capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.strip()


if __name__ == "__main__":
    main()
