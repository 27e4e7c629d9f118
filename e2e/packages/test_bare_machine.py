"""A server on a bare Debian system, from the documentation alone: installed from the package, set up in the browser,
used, backed up, lost with its machine, and restored on another one. The systems are containers that systemd boots
(systemd-nspawn). Needs root and the network of the package sources."""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from support.pages import words
from support.patience import wait_until
from support.server import ROOT, Endpoint, Person, free_port

PASSWORD = "correct horse battery"
# systemd and what apt needs for https sources; everything else comes with the package.
BASE = "systemd,systemd-sysv,dbus,ca-certificates"


class Machine:
    """A booted Debian system in a container. `type` runs the commands of an administrator, and counts them."""

    def __init__(self, base, folder, shared):
        self.root, self.commands = folder, []
        folder.mkdir()
        subprocess.run(["tar", "--extract", "--file", base, "--directory", folder], check=True)
        (folder / "etc/machine-id").write_text("")
        self.process = subprocess.Popen(
            ["systemd-nspawn", "--quiet", "--directory", folder, "--bind", f"{shared}:/mnt/usb", "--keep-unit",
             "--register=no", "--boot"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(self._is_up, 60, "the system doesn't boot")

    def _leader(self):
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return children[0] if children else None

    def _enter(self, command, **options):
        return subprocess.run(
            ["nsenter", "--target", self._leader(), "--mount", "--uts", "--ipc", "--pid", "--root", "env",
             "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "DEBIAN_FRONTEND=noninteractive", "bash", "-c",
             f"cd /root && {command}"],
            capture_output=True, text=True, timeout=600, check=False, **options)

    def _is_up(self):
        if not self._leader():
            return False
        return self._enter("systemctl is-system-running").stdout.strip() in ("running", "degraded")

    def type(self, command, **options):
        """Runs a command of the documentation, and returns its output."""
        self.commands.append(command)
        done = self._enter(command, **options)
        assert done.returncode == 0, (command, done.stdout[-3000:], done.stderr[-3000:])
        return done.stdout

    def throw_away(self):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.root)


class Installed(Endpoint):
    """The server that the package installed."""

    def __init__(self, port):
        self.port, self.url = port, f"http://localhost:{port}"

    def wait_ready(self):
        def is_ready():
            try:
                return self.request("GET", "/health/ready")[0] == 200
            except OSError:
                return False

        wait_until(is_ready, 60, "the server isn't ready")


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The package as it is released: optimised, with Swift's libraries. HOMEWARD_PACKAGE names an existing one."""
    known = os.environ.get("HOMEWARD_PACKAGE")
    if known:
        return Path(known)
    folder = tmp_path_factory.mktemp("deb")
    done = subprocess.run([ROOT / "scripts/deb", "--output", folder, "--compression", "gzip", "homeward"],
                          capture_output=True, text=True, timeout=3600, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return next(folder.glob("homeward_*.deb"))


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """A bare Debian system, as a tar file."""
    file = tmp_path_factory.mktemp("base") / "debian.tar"
    done = subprocess.run(["mmdebstrap", "--variant=minbase", f"--include={BASE}", "bookworm", file],
                          capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return file


@pytest.fixture
def machine(base, tmp_path):
    made = []

    def make():
        shared = tmp_path / "usb"
        shared.mkdir(exist_ok=True)
        made.append(Machine(base, tmp_path / f"machine-{len(made)}", shared))
        return made[-1]

    yield make
    for each in made:
        if each.root.exists():
            each.throw_away()


def install(machine, package, port):
    shutil.copy(package, machine.root / "root")
    machine.type("apt-get update && apt-get install --yes ./homeward_*.deb")
    machine.type(f"printf 'HOMEWARD_URL=http://localhost:{port}\\nHOMEWARD_LISTEN=127.0.0.1:{port}\\n' "
                 ">> /etc/homeward.conf")


def set_up(page, code):
    """Follows the set-up page, and adds the first item, child and package."""
    page.goto("/")
    page.get_by_label("Code from the server’s log").fill(code)
    for label, value in {"Name": "Ada", "Email": "ada@example.org", "Password": PASSWORD}.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_label("People with an invitation").check()
    page.get_by_role("button", name=words("Set up")).click()
    expect(page.get_by_role("heading", name="Administration", level=1)).to_be_visible()


def signed_in(server):
    status, _, answer = server.request("POST", "/session", {"email": "ada@example.org", "password": PASSWORD})
    assert status == 201, answer
    return Person.existing(server, answer, PASSWORD)


def use(person, server_command):
    """Adds the first item, child and package. Returns their names as the lists show them."""
    person.call("PATCH", "/account", {"dateOfBirth": "1990-05-01", "phone": "+49 151 5550100"}, expect=200)
    person.add_item("Keys")
    person.call("POST", "/family/children", {"name": "Kim", "dateOfBirth": "2016-05-01"}, expect=201)
    server_command("homeward wallet top-up ada@example.org 50.00")
    person.call("POST", "/carrepsa/packages", {
        "title": "Bike helmet", "from": "Aachen", "to": "Cologne", "weight": 900, "reward": 1200, "moneyLock": 4000},
        expect=201)
    return everything(person)


def everything(person):
    paths = ("/tracking/items", "/family/children", "/carrepsa/packages?role=owner", "/carrepsa/wallet")
    return [person.call("GET", path, expect=200) for path in paths]


@pytest.mark.machine
def test_a_lost_machine_comes_back_from_the_documentation_alone(package, machine, phone, tmp_path):
    started, port = time.monotonic(), free_port()
    server = Installed(port)
    first = machine()
    install(first, package, port)
    first.type("systemctl enable --now homeward")
    server.wait_ready()
    code = re.search(r"code=([0-9A-Z-]{19}) ", first.type("journalctl --no-pager --unit homeward"))[1]
    page = phone(server)
    set_up(page, code)
    before = use(signed_in(server), first.type)
    assert first.type("homeward doctor")
    first.type("homeward backup /mnt/usb/home.backup")
    key = first.type("homeward keys recovery").strip()
    # What root created there belongs to the service, which goes on with it.
    first.type("systemctl restart homeward")
    server.wait_ready()
    assert everything(signed_in(server)) == before
    lost = len(first.commands), time.monotonic()
    first.throw_away()

    second = machine()
    install(second, package, port)
    (second.root / "root/recovery.txt").write_text(key)
    second.type("homeward restore /mnt/usb/home.backup --key-file recovery.txt")
    assert "The ledger is sound" in second.type("homeward verify")
    second.type("systemctl enable --now homeward")
    server.wait_ready()
    assert everything(signed_in(server)) == before
    page = phone(server)
    page.goto("/")
    expect(page.get_by_role("link", name=words("Sign in"))).to_be_visible()
    done = time.monotonic()
    print(f"\n{lost[0]} commands and {(lost[1] - started) / 60:.1f} minutes until the backup, "
          f"{len(second.commands)} commands and {(done - lost[1]) / 60:.1f} minutes until everything is back")
