"""Encrypted backups: a server under load is backed up, its machine is thrown away, and a new machine gets everything
back, on the other database engine. Kills, full disks and damage lose nothing."""

import os
import random
import resource
import secrets
import shutil
import signal
import subprocess
import threading
import time

import pytest

from support.buckets import NAME, Bucket
from support.disk import Disk, can_mount
from support.items import upload
from support.server import BINARIES, Person

ROUNDS = int(os.environ.get("ROUNDS", "2"))
KILL_ROUNDS = max(3, ROUNDS // 4)
SHARES = (0.1, 0.99)
DAY = 24 * 60 * 60


@pytest.fixture(scope="module")
def bucket():
    bucket = Bucket()
    yield bucket
    bucket.close()


@pytest.fixture
def new_database(request):
    """Returns the URL of an empty database of an engine."""
    return lambda engine: request.getfixturevalue("postgres").new_database() if engine == "postgres" else None


class Load:
    """People who write all the time, and know what the server confirmed."""

    def __init__(self, server):
        self.server, self.confirmed, self.stopped = server, [], threading.Event()
        self.person = Person(server)
        self.thread = threading.Thread(target=self._write)

    def _write(self):
        while not self.stopped.is_set():
            self.confirmed.append(self.person.add_item(f"Thing {len(self.confirmed)}")["id"])

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        self.thread.join()


def run(server, *arguments, **environment):
    """Runs a command and returns its output. Fails with what it printed."""
    server.environment.update(environment)
    answer = server.command(*arguments, seconds=300)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout


def refusal(server, *arguments):
    answer = server.command(*arguments, seconds=300)
    assert answer.returncode != 0, answer.stdout
    return answer.stderr


def recovery_key(server):
    return run(server, "keys", "recovery").strip()


def item_ids(person):
    found, after = [], None
    while True:
        page = person.call("GET", "/tracking/items?limit=200" + (f"&after={after}" if after else ""), expect=200)
        found += [item["id"] for item in page["items"]]
        after = page["next"]
        if not after:
            return found


def fixes(person, item):
    return person.call("GET", f"/tracking/items/{item}/fixes?limit=200", expect=200)["items"]


def fill(server):
    """Adds a person with a photo, and positions of several days, which are archived."""
    person = Person(server)
    item = person.add_item("Bag", pictureId=upload(person))
    secret = person.add_osmand_tracker(item)
    for days in (3, 2, 1, 0):
        person.report(secret, 50.7 + days / 100, 6.1, at=time.time() - days * DAY, batt=55)
    run(server, "fixes", "archive")
    return person, item["id"]


def photo(person, item):
    picture = person.call("GET", f"/tracking/items/{item}", expect=200)["pictureId"]
    content = person.call("GET", f"/pictures/{picture}?size=small", expect=200)
    assert isinstance(content, bytes) and len(content) > 100
    return content


def expect_same(server, person, item, before):
    person.server = server
    assert fixes(person, item) == before["fixes"]
    assert photo(person, item) == before["photo"]
    verified = run(server, "verify")
    assert "The ledger is sound" in verified
    checked = run(server, "fixes", "check")
    assert "4 segments" in checked, checked


@pytest.mark.parametrize("old_engine, new_engine, place", [
    ("sqlite", "postgres", "bucket"), ("postgres", "sqlite", "folder")])
def test_lost_machine_is_restored_on_the_other_engine(
        old_engine, new_engine, place, own_server, new_database, bucket, tmp_path):
    shelf = f"folder:{tmp_path}/shelf" if place == "folder" else (
        f"s3://{NAME}/shelf-{secrets.token_hex(4)}?endpoint={bucket.endpoint}&region=eu-test-1")
    keys = {name: value for name, value in bucket.environment().items() if name.endswith("_KEY")}
    settings = {"HOMEWARD_BACKUPS": shelf, "HOMEWARD_BACKUP_HOURS": "1000", **keys}
    server = own_server(new_database(old_engine), environment=settings)
    person, item = fill(server)
    before = {"fixes": fixes(person, item), "photo": photo(person, item)}
    with Load(server) as load:
        for _ in range(ROUNDS):
            confirmed = len(load.confirmed)
            out = run(server, "backup")
            assert "It was read back and checked" in out
    listed = run(server, "backups")
    assert listed.count("\tcomplete") >= 1 and listed.count("\tproved\t") >= ROUNDS, listed
    metrics = server.request("GET", "/metrics")[2].decode()
    assert "homeward_backup_ok 1" in metrics and "homeward_backup_age_seconds" in metrics
    key = recovery_key(server)
    server.kill()
    shutil.rmtree(server.folder / "data")

    new = own_server(new_database(new_engine), environment=settings)
    new.stop()
    shutil.rmtree(new.folder / "data")
    told = refusal(new, "restore", "latest")
    assert "no key here" in told and "HOMEWARD_BACKUP_KEY" in told
    replace = ["--replace"] if new_engine == "postgres" else []
    run(new, "restore", "latest", *replace, HOMEWARD_BACKUP_KEY=key)
    new.start()
    expect_same(new, person, item, before)
    load.person.server = new
    restored = set(item_ids(load.person))
    assert set(load.confirmed[:confirmed]) <= restored <= set(load.confirmed)
    # A restored server continues with the same repository.
    again = run(new, "backup")
    assert "It was read back and checked" in again


def killed(server, seconds, *arguments):
    """Runs a command and kills it with SIGKILL after a time. Returns whether it was running."""
    process = subprocess.Popen([BINARIES / "homeward", *arguments], env=server.environment, cwd=server.folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(seconds)
        return False
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True


def age_leftovers(server):
    """Makes folders old whose process was killed before they had a lock. A new one counts as being created."""
    for folder in (server.folder / "data" / "scratch").glob("*"):
        if not (folder / "lock").exists():
            os.utime(folder, (0, 0))


def test_killed_backup_and_restore_lose_nothing(engine, own_server, new_database, tmp_path):
    server = own_server(new_database(engine))
    person, item = fill(server)
    before = {"fixes": fixes(person, item), "photo": photo(person, item)}
    start = time.monotonic()
    whole = tmp_path / "whole.backup"
    run(server, "backup", str(whole))
    took = time.monotonic() - start
    chance = random.Random(7)
    for number in range(KILL_ROUNDS):
        file = tmp_path / f"{number}.backup"
        if killed(server, chance.uniform(0.1, 1) * took, "backup", str(file)) and file.exists():
            # It was killed after the file got its name.
            run(server, "backups", "check", str(file))
    last = tmp_path / "last.backup"
    age_leftovers(server)
    run(server, "backup", str(last))
    assert list((server.folder / "data" / "scratch").iterdir()) == []
    key = recovery_key(server)
    server.kill()

    new = own_server(new_database(engine))
    new.stop()
    shutil.rmtree(new.folder / "data")
    new.environment["HOMEWARD_BACKUP_KEY"] = key
    replace = ["--replace"] if engine == "postgres" else []
    for _ in range(KILL_ROUNDS):
        killed(new, chance.uniform(0.1, 1.2) * took, "restore", str(last), *replace)
    age_leftovers(new)
    run(new, "restore", str(last), *replace)
    new.start()
    expect_same(new, person, item, before)
    assert list((new.folder / "data" / "scratch").iterdir()) == []


def test_damaged_and_cut_off_backups_are_refused_and_change_nothing(engine, own_server, new_database, tmp_path):
    server = own_server(new_database(engine))
    person, item = fill(server)
    file = tmp_path / "home.backup"
    run(server, "backup", str(file))
    content = file.read_bytes()
    later = person.add_item("Later")["id"]
    for place in (0, 12, len(content) // 3, len(content) - 1):
        changed = bytearray(content)
        changed[place] ^= 1
        (tmp_path / "changed").write_bytes(changed)
        told = refusal(server, "restore", "--replace", str(tmp_path / "changed"))
        assert any(word in told for word in ("damaged", "not a backup", "newer version", "made with the key")), told
    for share in SHARES:
        (tmp_path / "short").write_bytes(content[: int(len(content) * share)])
        assert "cut off" in refusal(server, "restore", "--replace", str(tmp_path / "short"))
    key = recovery_key(server)
    typed = ("B" if key[0] == "A" else "A") + key[1:]
    (tmp_path / "key").write_text(typed)
    assert "typing error" in refusal(server, "restore", str(file), "--key-file", str(tmp_path / "key"))
    assert later in item_ids(person)
    run(server, "restore", str(file), *(["--replace"] if engine == "postgres" else []))
    assert later not in item_ids(person) and item in item_ids(person)


def test_full_disk_is_reported_and_leaves_no_file(own_server, tmp_path):
    server = own_server()
    fill(server)
    with open("/dev/full", "wb") as full:
        answer = subprocess.run([BINARIES / "homeward", "backup", "-"], env=server.environment, cwd=server.folder,
                                stdout=full, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
    assert answer.returncode != 0 and "the disk is full" in answer.stderr, answer.stderr

    def limit_files():
        # Writes beyond this size fail, as they do on a full disk.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))

    file = tmp_path / "home.backup"
    answer = subprocess.run([BINARIES / "homeward", "backup", str(file)], env=server.environment, cwd=server.folder,
                            capture_output=True, text=True, timeout=120, check=False, preexec_fn=limit_files)
    assert answer.returncode != 0 and list(tmp_path.iterdir()) == [], answer.stderr
    if can_mount():
        disk = Disk(tmp_path / "disk", megabytes=1)
        try:
            told = refusal(server, "backup", str(disk.folder / "home.backup"))
            assert "the disk is full" in told, told
            assert list(disk.folder.iterdir()) == []
        finally:
            disk.close()
    runs = run(server, "backups")
    assert "\tfailed\t" in runs and "the disk is full" in runs
    run(server, "backup", str(file))
    assert server.request("GET", "/health/ready")[0] == 200
