"""The contents of the Debian packages, made from the programs that the tests run."""

import os
import re
import subprocess

import pytest

from support.packages import build_packages
from support.server import ROOT

UNITS = {"homeward": "serve", "homeward-tracker": "run"}
USERS = {"homeward": "DynamicUser=yes", "homeward-tracker": "User=homeward-tracker"}


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    found = {path.name.split("_")[0]: path for path in build_packages(tmp_path_factory).glob("*.deb")}
    assert set(found) == set(UNITS)
    return found


def told(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout


@pytest.mark.parametrize("name", UNITS)
def test_package_contains_program_unit_settings_and_documents(packages, name):
    entries = {}
    for line in told("dpkg-deb", "-c", packages[name]).splitlines():
        mode, owner, *_, path = line.split()
        entries[path.removeprefix(".")] = (mode, owner)
    assert entries[f"/usr/bin/{name}"] == ("-rwxr-xr-x", "root/root")
    for path in (f"/lib/systemd/system/{name}.service", f"/etc/{name}.conf", f"/usr/share/doc/{name}/copyright",
                 f"/usr/share/doc/{name}/changelog.gz", f"/usr/share/man/man1/{name}.1.gz",
                 f"/usr/share/lintian/overrides/{name}"):
        assert entries[path] == ("-rw-r--r--", "root/root"), path
    for path in [*(ROOT / "packaging/proxies").iterdir(), *(ROOT / "packaging/monitoring").iterdir()]:
        assert (f"/usr/share/doc/{name}/{path.name}" in entries) == (name == "homeward")
    fields = dict(line.split(": ", 1) for line in told("dpkg-deb", "-f", packages[name]).splitlines()
                  if not line.startswith(" "))
    assert fields["Package"] == name and fields["Architecture"] == told("dpkg", "--print-architecture").strip()
    assert "libc6" in fields["Depends"]
    # Requests to push services and others need the certificates.
    assert ("ca-certificates" in fields["Depends"]) == (name == "homeward")
    assert ("libsystemd0" in fields["Depends"]) == (name == "homeward-tracker")
    # The flavour with OpenSSL. Debian 13 calls the package libcurl4t64.
    assert bool(re.search(r"\blibcurl4(t64)? \(", fields["Depends"])) == (name == "homeward")
    assert told("dpkg-deb", "--ctrl-tarfile", packages[name]) is not None


@pytest.mark.parametrize("name", UNITS)
def test_unit_starts_an_existing_command_without_privileges(packages, name, tmp_path):
    subprocess.run(["dpkg-deb", "-x", packages[name], tmp_path], check=True)
    unit = (tmp_path / "lib/systemd/system" / f"{name}.service").read_text()
    assert f"ExecStart=/usr/bin/{name} {UNITS[name]}" in unit
    for line in (USERS[name], f"StateDirectory={name}", "NoNewPrivileges=yes", "ProtectSystem=strict"):
        assert line in unit.splitlines(), line
    shown = subprocess.run([tmp_path / "usr/bin" / name, UNITS[name], "--help"], capture_output=True, text=True,
                           timeout=60, check=False)
    assert shown.returncode == 0 and UNITS[name] in shown.stdout
    settings = (tmp_path / "etc" / f"{name}.conf").read_text()
    assert all(line.startswith("#") or not line for line in settings.splitlines()), "nothing is decided for anybody"
    checked = subprocess.run(["systemd-analyze", "verify", "--man=no", "--root", tmp_path, f"{name}.service"],
                             capture_output=True, text=True, timeout=60, check=False)
    complaints = [line for line in checked.stderr.splitlines() if name in line and "not found" not in line]
    assert not complaints, complaints


@pytest.mark.skipif(os.environ.get("ROUNDS") is None, reason="lintian unpacks everything: make soak")
@pytest.mark.parametrize("name", UNITS)
def test_lintian_reports_nothing(packages, name):
    # A debug build finds Swift's libraries in their installed folder. Release packages contain them.
    known = ("custom-library-search-path",)
    found = subprocess.run(["lintian", "--fail-on", "none", packages[name]], capture_output=True, text=True,
                           timeout=600, check=False)
    left = [line for line in found.stdout.splitlines()
            if line[:2] in ("E:", "W:") and not any(tag in line for tag in known)]
    assert not left, left
