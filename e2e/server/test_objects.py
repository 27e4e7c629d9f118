"""Positions and photos in a bucket: the real server with a real S3 server that checks signatures."""

import re
import sqlite3
import subprocess
import time

import pytest
from playwright.sync_api import expect

from support.buckets import NAME, SECRET_KEY, Bucket
from support.items import delete_in_page, upload
from support.pages import card, open_advanced, words
from support.pairing import pair_by_code
from support.patience import wait_until
from support.server import Person
from support.tracker_process import Simulator

DAY = 24 * 60 * 60


@pytest.fixture
def bucket():
    bucket = Bucket()
    yield bucket
    bucket.close()


@pytest.fixture
def bucket_server(engine, own_server, request, bucket):
    """A server that stores its objects in the bucket."""
    url = request.getfixturevalue("postgres").new_database() if engine == "postgres" else None
    return own_server(url, environment=bucket.environment())


def fixes(someone, item):
    return someone.call("GET", f"/tracking/items/{item}/fixes?limit=200", expect=200)["items"]


@pytest.mark.spec("T-1-5-4")
def test_the_positions_of_a_paired_tracker_reach_the_bucket(engine, bucket_server, bucket, sign_in, tmp_path):
    someone = Person(bucket_server)
    item = someone.add_item("Bag")["id"]
    tracker = Simulator(bucket_server, tmp_path)
    try:
        page = sign_in(someone)
        page.goto(f"/tracking/items/{item}/tracker")
        pair_by_code(page, tracker.code())
        # Without further action the tracker is activated and locates, and its positions reach the bucket.
        wait_until(lambda: bucket.keys(f"home/fixes/{item}/"), 60,
                   lambda: f"{bucket.keys()} {bucket_server.log_text()[-2000:]}")
        wait_until(lambda: len(fixes(someone, item)) >= 3, 30)
    finally:
        tracker.close()
    written = bucket_server.command("fixes", "archive")
    assert written.returncode == 0, written.stderr
    archived = [fix for segment in bucket.segments(item) for fix in segment.fixes]
    known = [{name: value for name, value in fix.items() if name != "id"} for fix in fixes(someone, item)]
    assert sorted(archived, key=lambda fix: fix["at"]) == sorted(known, key=lambda fix: fix["at"])
    assert {segment.source for segment in bucket.segments(item)} == {"tracker"}
    checked = bucket_server.command("fixes", "check")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert f"{len(archived)} positions; 0 positions are not archived yet" in checked.stdout


@pytest.mark.spec("T-3-6-2")
def test_deleted_item_leaves_no_object_in_the_bucket(engine, bucket_server, bucket, sign_in):
    someone = Person(bucket_server)
    things = {}
    for name in ("Bag", "Keys"):
        item = someone.add_item(name, pictureId=upload(someone))["id"]
        secret = someone.add_osmand_tracker({"id": item})
        for days in (3, 1, 0):
            someone.report(secret, 50.7 + days / 100, 6.1, at=time.time() - days * DAY, batt=55)
        things[name] = item
    assert bucket_server.command("fixes", "archive").returncode == 0
    bag, keys = things["Bag"], things["Keys"]
    assert len(bucket.keys(f"home/fixes/{bag}/")) == 3
    assert len(bucket.keys("home/pictures/")) == 6, "two photos, in three sizes"
    proof = bucket_server.command("fixes", "check", "--deleted", bag)
    assert proof.returncode == 1 and "home/" not in proof.stdout and f"fixes/{bag}/" in proof.stdout

    page = sign_in(someone)
    page.goto(f"/tracking/items/{bag}")
    expect(page.locator("[data-fix-id]")).to_have_count(3)
    delete_in_page(page, {"id": bag}).get_by_role("button", name=re.compile("^delete", re.I)).click()
    expect(page.get_by_role("heading", name=words("Items"), level=1)).to_be_visible()
    expect(card(page, "Bag")).to_have_count(0)

    object_keys = bucket.keys()
    assert not [key for key in object_keys if bag in key], object_keys
    assert len(bucket.keys("home/pictures/")) == 3
    proof = bucket_server.command("fixes", "check", "--deleted", bag)
    assert proof.returncode == 0 and f"Nothing is left of {bag}." in proof.stdout, proof.stdout + proof.stderr
    everything = bucket_server.command("fixes", "check")
    assert everything.returncode == 0 and "3 segments with 3 positions" in everything.stdout, everything.stdout

    # Deleting the account deletes all its objects.
    someone.call("DELETE", "/account", {"password": someone.password}, expect=204)
    bucket_server.restart()
    wait_until(lambda: bucket.keys() == [], 20, bucket.keys)
    assert bucket_server.command("fixes", "check", "--deleted", keys).returncode == 0


def test_check_reports_orphaned_objects(bucket_server, bucket):
    someone = Person(bucket_server)
    item = someone.add_item("Bag")["id"]
    secret = someone.add_osmand_tracker({"id": item})
    someone.report(secret, 50.7, 6.1)
    bucket_server.command("fixes", "archive")
    (key,) = bucket.keys()
    kept = bucket.read(key)
    someone.call("DELETE", f"/tracking/items/{item}", expect=204)
    assert bucket.keys() == []
    bucket.write(key, kept)
    for arguments in (["--deleted", item], []):
        found = bucket_server.command("fixes", "check", *arguments)
        assert found.returncode == 1 and key.removeprefix("home/") in found.stdout, found.stdout + found.stderr


def test_lost_table_is_restored_from_the_bucket_while_the_server_runs(own_server, bucket, sign_in):
    bucket_server = own_server(environment=bucket.environment())
    someone = Person(bucket_server)
    item = someone.add_item("Bag")["id"]
    secret = someone.add_osmand_tracker({"id": item})
    for minutes in range(5):
        someone.report(secret, 50.7 + minutes / 1000, 6.1, at=time.time() - minutes * 60)
    bucket_server.command("fixes", "archive")
    before = fixes(someone, item)
    connection = sqlite3.connect(bucket_server.folder / "data" / "homeward.sqlite", timeout=20)
    connection.executescript("DELETE FROM fix; DELETE FROM fix_segment;")
    connection.close()
    page = sign_in(someone)
    page.goto(f"/tracking/items/{item}")
    rows = page.locator("[data-fix-id]")
    expect(rows).to_have_count(0)
    assert bucket_server.command("fixes", "check").returncode == 1
    rebuilt = bucket_server.command("fixes", "rebuild")
    assert rebuilt.returncode == 0 and "5 positions were put back" in rebuilt.stdout, rebuilt.stdout + rebuilt.stderr
    expect(rows).to_have_count(5)
    assert fixes(someone, item) == before
    again = bucket_server.command("fixes", "rebuild")
    assert "0 positions were put back into the database, 0 segments are written anew" in again.stdout
    assert bucket_server.command("fixes", "check").returncode == 0


def test_inaccessible_bucket_prevents_the_start_with_a_reason(own_server, bucket):
    bucket_server = own_server(environment=bucket.environment())
    bucket_server.stop()
    for changes, reason in (
        ({"HOMEWARD_OBJECTS_SECRET_KEY": "wrong-secret"}, "the secret key is wrong"),
        ({"HOMEWARD_OBJECTS_ACCESS_KEY": "AKIASOMEBODYELSE"}, "doesn't know the access key"),
        ({"HOMEWARD_OBJECTS": bucket.environment()["HOMEWARD_OBJECTS"].replace(NAME, "no-such-bucket")},
         "no such bucket"),
        ({"HOMEWARD_OBJECTS_SECRET_KEY": ""}, "HOMEWARD_OBJECTS_SECRET_KEY: is missing"),
    ):
        ended = subprocess.run(
            [*bucket_server.program(), "serve"], env={**bucket_server.environment, **changes}, cwd=bucket_server.folder,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
        assert ended.returncode != 0 and reason in ended.stderr, ended.stderr
        assert SECRET_KEY not in ended.stderr and "wrong-secret" not in ended.stderr


def test_photos_are_shown_from_the_bucket(bucket_server, bucket, sign_in):
    someone = Person(bucket_server)
    picture = upload(someone)
    someone.add_item("Bag", pictureId=picture)
    page = sign_in(someone)
    page.goto("/tracking/items")
    image = card(page, "Bag").locator("img").first
    expect(image).to_be_visible()
    wait_until(lambda: image.evaluate("image => image.complete && image.naturalWidth > 0"), 10,
               pause=lambda: page.wait_for_timeout(20))
    assert any(picture in key for key in bucket.keys("home/pictures/"))


def test_position_history_is_kept_for_the_configured_number_of_days(engine, bucket_server, bucket, sign_in):
    someone = Person(bucket_server)
    item = someone.add_item("Bag")["id"]
    secret = someone.add_osmand_tracker({"id": item})
    for days in (40, 10, 1, 0):
        someone.report(secret, 50.7 + days / 100, 6.1, at=time.time() - days * DAY)
    bucket_server.command("fixes", "archive")
    assert len(bucket.keys()) == 4
    page = sign_in(someone)
    page.goto(f"/tracking/items/{item}/edit")
    open_advanced(page)
    field = page.get_by_label("Keep past positions for")
    expect(field).to_have_value("")
    field.fill("0")
    page.get_by_role("button", name=words("Save")).click()
    expect(page.get_by_text(re.compile(r"Enter a whole number from 1 to [\d,]+, or nothing\."))).to_be_visible()
    page.get_by_label("Keep past positions for").fill("20")
    page.get_by_role("button", name=words("Save")).click()
    page.wait_for_url(lambda url: not url.endswith("/edit"))
    assert someone.call("GET", f"/tracking/items/{item}")["settings"]["keepDays"] == 20
    bucket_server.restart()
    wait_until(lambda: len(fixes(someone, item)) == 3 and len(bucket.keys()) == 3, 20, bucket.keys)
    someone.call("PATCH", f"/tracking/items/{item}", {"settings": {"keepDays": None}}, expect=200)
    assert someone.call("GET", f"/tracking/items/{item}")["settings"]["keepDays"] is None
    assert bucket_server.command("fixes", "check").returncode == 0
