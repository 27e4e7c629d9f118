"""The apt repository of `scripts/deb`, as apt reads it."""

import filecmp
import os
import shutil
import subprocess

import pytest

from support.packages import build_packages, run_script

NAMES = ["homeward", "homeward-tracker"]


class Apt:
    """apt-get with a system of its own, which knows only one repository."""

    def __init__(self, folder, source):
        self.folder = folder
        for name in ("etc/apt", "var/lib/dpkg", "var/lib/apt/lists/partial", "var/cache/apt/archives/partial", "got"):
            (folder / name).mkdir(parents=True)
        (folder / "var/lib/dpkg/status").touch()
        (folder / "apt.conf").touch()
        (folder / "etc/apt/sources.list").write_text(source + "\n")

    def run(self, *arguments):
        # Without a configuration of this system, and as this user.
        options = [f"Dir={self.folder}", f"Dir::State::status={self.folder}/var/lib/dpkg/status",
                   "APT::Sandbox::User=", "Acquire::Languages=none"]
        return subprocess.run(
            ["apt-get", "-q", *(part for option in options for part in ("-o", option)), *arguments],
            cwd=self.folder / "got", capture_output=True, text=True, timeout=60, check=False,
            env={**os.environ, "APT_CONFIG": str(self.folder / "apt.conf"), "LC_ALL": "C"})

    def downloaded(self):
        return {path.name.split("_")[0]: path for path in (self.folder / "got").glob("*.deb")}


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """A folder of its own with the packages, because the tests sign the repository."""
    folder = tmp_path_factory.mktemp("packages")
    for package in build_packages(tmp_path_factory).glob("*.deb"):
        shutil.copy(package, folder)
    return folder


def test_scripts_deb_writes_the_repository(tmp_path_factory, tmp_path):
    folder = build_packages(tmp_path_factory)
    apt = Apt(tmp_path, f"deb [trusted=yes] copy:{folder}/apt stable main")
    updated = apt.run("update")
    assert updated.returncode == 0 and "W:" not in updated.stderr, updated.stderr
    downloaded = apt.run("download", *NAMES)
    assert downloaded.returncode == 0, downloaded.stderr
    assert sorted(apt.downloaded()) == NAMES
    for path in apt.downloaded().values():
        # apt replaces characters in the name.
        (original,) = (one for one in folder.glob("*.deb") if one.name.split("_")[0] == path.name.split("_")[0])
        assert filecmp.cmp(path, original, shallow=False)


def test_signed_repository_is_accepted_with_its_key_only(packages, tmp_path, monkeypatch):
    # The agent's socket needs a short path.
    home = tmp_path / "g"
    home.mkdir(mode=0o700)
    monkeypatch.setenv("GNUPGHOME", str(home))
    try:
        for user in ("ours", "theirs"):
            gpg("--passphrase", "", "--quick-generate-key", user, "ed25519", "sign", "never")
            (tmp_path / f"{user}.asc").write_text(gpg("--armor", "--export", user))
        monkeypatch.setenv("HOMEWARD_APT_KEY", "ours")
        run_script("apt-repository", packages)
    finally:
        subprocess.run(["gpgconf", "--kill", "all"], check=True)

    def apt(key):
        return Apt(tmp_path / f"apt-{key}", f"deb [signed-by={tmp_path / key}.asc] copy:{packages}/apt stable main")

    ours, theirs = apt("ours"), apt("theirs")
    assert ours.run("update").returncode == 0
    assert ours.run("download", *NAMES).returncode == 0 and sorted(ours.downloaded()) == NAMES
    refused = theirs.run("update")
    assert refused.returncode != 0 and "NO_PUBKEY" in refused.stderr + refused.stdout
    assert theirs.run("download", *NAMES).returncode != 0


def gpg(*arguments):
    return subprocess.run(["gpg", "--batch", "--pinentry-mode", "loopback", *arguments], check=True,
                          capture_output=True, text=True, timeout=60).stdout


def test_unsigned_repository_is_refused_unless_it_is_trusted(packages, tmp_path, monkeypatch):
    monkeypatch.delenv("HOMEWARD_APT_KEY", raising=False)
    run_script("apt-repository", packages)
    refused = Apt(tmp_path, f"deb copy:{packages}/apt stable main").run("update")
    assert refused.returncode != 0 and "is not signed" in refused.stderr


def test_altered_package_is_refused(packages, tmp_path, monkeypatch):
    monkeypatch.delenv("HOMEWARD_APT_KEY", raising=False)
    run_script("apt-repository", packages)
    for package in (packages / "apt" / "pool" / "main").glob("homeward_*.deb"):
        with open(package, "ab") as file:
            file.write(b"more")
    apt = Apt(tmp_path, f"deb [trusted=yes] copy:{packages}/apt stable main")
    assert apt.run("update").returncode == 0
    assert apt.run("download", "homeward").returncode != 0
