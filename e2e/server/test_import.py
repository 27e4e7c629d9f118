"""A person moves from one server to another: the export of the first is imported on the second, once."""

import io
import re
import zipfile

import pytest
from playwright.sync_api import expect

from support.children import Household
from support.items import HOME, north, upload
from support.layout_checks import flaws
from support.mails import MailCommand
from support.pages import words
from support.patience import wait_until
from support.server import Person

BOUNDARY = "homeward-archive"
REPORTS = 30
HISTORY = 20_000


@pytest.fixture(scope="module")
def old_home(servers):
    """A parent on the first server, with items, history, photos, safe places, and a family. Returns the export."""
    paula = Household(servers("sqlite"))
    picture = upload(paula)
    bag = paula.add_item("Bag", pictureId=picture)
    settings = {"locateMinutes": 42, "keepDays": 3650}
    paula.call("PATCH", f"/tracking/items/{bag['id']}", {"settings": settings}, expect=200)
    secret = paula.add_osmand_tracker(bag)
    for number in range(REPORTS):
        paula.report(secret, *north(number), speed=1.5, batt=80)
    paula.add_item("Umbrella")
    paula.call("POST", "/tracking/safe-places",
               {"name": "Grandma", "latitude": HOME[0], "longitude": HOME[1], "radiusMetres": 75}, expect=201)
    mia, chore = paula.child("Mia", avatarPictureId=picture), paula.chore("Dishes")
    paula.child("Tom")
    paula.gives(mia, chore, 2)
    contract = paula.contract(mia)
    paula.gives(mia, chore, 3)
    paula.call("PUT", f"/family/children/{mia['id']}/contracts/{contract['id']}/levels/1/handover", expect=200)
    return paula, export(paula)


def export(person):
    person.call("POST", "/account/proofs/export", {"password": person.password}, expect=201)
    status, _, archive = person.server.exchange("GET", "/account/export", token=person.token)
    assert status == 200
    return archive


def send(person, archive, expect=201):
    body = (f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="archive"; filename="export.zip"\r\n'
            f"Content-Type: application/zip\r\n\r\n").encode() + archive + f"\r\n--{BOUNDARY}--\r\n".encode()
    return person.call("POST", "/account/import", body, expect=expect,
                       headers={"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"})


def state(person):
    return person.call("GET", "/account/import", expect=200)


def finished(person, seconds=60):
    def ended():
        found = state(person)
        return found if found["state"] in ("done", "failed") else None

    return wait_until(ended, seconds, lambda: state(person))


def changed(archive, change):
    """Packs an archive again as other programs do, after `change` of its files."""
    files = {name: zipfile.ZipFile(io.BytesIO(archive)).read(name) for name in
             zipfile.ZipFile(io.BytesIO(archive)).namelist()}
    change(files)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as again:
        for name, content in files.items():
            again.writestr(f"homeward-export/{name}", content)
    return packed.getvalue()


def with_long_history(archive, count=HISTORY):
    """Adds positions to the first item's history."""
    def change(files):
        name = next(name for name in files if name.endswith(".gpx") and b"<trkpt" in files[name])
        lines = files[name].decode().splitlines(keepends=True)
        points = [f'<trkpt lat="{number / 1000}" lon="6.5"><time>2020-01-01T{number // 3600:02}:{number // 60 % 60:02}:'
                  f"{number % 60:02}.000Z</time><src>tracker</src></trkpt>\n" for number in range(count)]
        files[name] = "".join(lines[:3] + points + lines[3:]).encode()

    return changed(archive, change)


def fixes(person, item):
    answer = person.server.exchange("GET", f"/tracking/items/{item['id']}/fixes?format=csv", token=person.token)[2]
    return [line.split(",", 1)[1] for line in answer.decode().splitlines()[1:]]


def everything(person):
    """Returns what the person has, without ids and versions."""
    items = person.call("GET", "/tracking/items", expect=200)["items"]
    children = person.call("GET", "/family/children", expect=200)["items"]
    return {
        "items": sorted((item["name"], item["settings"]["locateMinutes"], item["settings"]["keepDays"],
                         item["pictureId"] is not None, fixes(person, item)) for item in items),
        "places": [(place["name"], place["latitude"], place["radiusMetres"])
                   for place in person.call("GET", "/tracking/safe-places", expect=200)["items"]],
        "pictures": len(person.call("GET", "/pictures", expect=200)["items"]),
        "chores": [chore["name"] for chore in person.call("GET", "/family/chores", expect=200)["items"]],
        "children": sorted((child["name"], child["dateOfBirth"], child["achievementPoints"], child["gainedPoints"],
                            child["prizeLevel"]) for child in children),
        "contracts": [
            [(contract["maxPoints"], contract["gainedPoints"],
              [(level["reward"], level["points"], level["handedOverAt"] is not None) for level in contract["levels"]])
             for contract in person.call("GET", f"/family/children/{child['id']}/contracts", expect=200)["items"]]
            for child in sorted(children, key=lambda child: child["name"])],
    }


@pytest.fixture
def new_server(own_server, postgres, engine, tmp_path):
    mails = MailCommand(tmp_path)
    server = own_server(postgres.new_database() if engine == "postgres" else None, mails.environment)
    server.mails = mails
    return server


def choose(page, archive):
    page.get_by_label(words("Zip file of your export")).set_input_files(
        {"name": "homeward.zip", "mimeType": "application/zip", "buffer": archive})
    page.get_by_role("button", name=words("Check the file")).click()


@pytest.mark.spec("H-20", "H-21")
def test_a_person_moves_to_another_server(old_home, new_server, sign_in):
    paula, archive = old_home
    anna = Person(new_server, "Anna", dateOfBirth="1985-01-02")
    page = sign_in(anna)
    page.goto("/account")
    page.get_by_role("link", name=re.compile("Import from another server")).click()
    assert flaws(page) == []
    choose(page, b"a text")
    expect(page.get_by_text(re.compile("isn’t a Homeward export"))).to_be_visible()
    assert flaws(page) == []
    choose(page, archive)
    main = page.get_by_role("main")
    expect(main.get_by_text(paula.email)).to_be_visible()
    for name, note in [("Bag", f"{REPORTS} positions"), ("Umbrella", "0 positions"), ("Mia", "5 points"),
                       ("Tom", "0 points")]:
        row = main.get_by_role("listitem").filter(has=page.get_by_text(name, exact=True)).first
        expect(row).to_contain_text(note)
    for text in ["Grandma", "Dishes", "2 photos", "Carrepsa’s wallet, deposits and packages stay"]:
        expect(main.get_by_text(text).first).to_be_visible()
    assert flaws(page) == []
    # Nothing is imported before the decision.
    assert anna.call("GET", "/tracking/items", expect=200)["items"] == []
    page.get_by_role("button", name=words("Import"), exact=True).click()
    expect(main.get_by_text("Your import is finished.")).to_be_visible(timeout=60_000)
    assert flaws(page) == []
    assert everything(anna) == everything(paula)
    assert new_server.mails.link(anna.email, "Your import is finished") == "/account/import"
    page.get_by_role("link", name=words("Show my items")).click()
    expect(page.get_by_text("Bag", exact=True)).to_be_visible()
    page.goto("/family")
    expect(page.get_by_text("Mia").first).to_be_visible()
    # The same archive, and an older copy packed by another program, add nothing.
    for again in [archive, changed(archive, lambda files: files.pop("manifest.json"))]:
        found = send(anna, again)
        assert all(entry["here"] or entry["kind"] == "pictures" for entry in found["entries"]), found["entries"]
        anna.call("POST", "/account/import/run", {}, expect=202)
        assert finished(anna)["state"] == "done"
        assert everything(anna) == everything(paula)
    page.goto("/account/import")
    page.get_by_role("button", name=words("Import another file")).click()
    choose(page, archive)
    expect(main.get_by_text("Everything in this file is already imported.")).to_be_visible()
    page.get_by_role("button", name=words("Cancel")).click()
    expect(page.get_by_label(words("Zip file of your export"))).to_be_visible()
    assert state(anna)["state"] == "none"


@pytest.mark.spec("H-21")
def test_an_import_goes_on_after_a_kill(old_home, new_server):
    archive = with_long_history(old_home[1])
    anna = Person(new_server, "Anna", dateOfBirth="1985-01-02")
    total = send(anna, archive)["total"]
    anna.call("POST", "/account/import/run", {}, expect=202)
    assert send(anna, archive, expect=409)["error"]["code"] == "conflict"
    wait_until(lambda: state(anna)["done"] > total / 3, 60, lambda: state(anna))
    new_server.kill()
    new_server.start()
    found = state(anna)
    assert found["state"] == "running" and 0 < found["done"] < total, found
    assert finished(anna, 120)["done"] == total
    bag = next(item for item in anna.call("GET", "/tracking/items", expect=200)["items"] if item["name"] == "Bag")
    positions = fixes(anna, bag)
    assert len(positions) == len(set(positions)) == HISTORY + REPORTS
    names = [child["name"] for child in anna.call("GET", "/family/children", expect=200)["items"]]
    assert sorted(names) == ["Mia", "Tom"]
    assert new_server.command("verify").returncode == 0


@pytest.mark.spec("H-21")
def test_an_import_that_runs_is_cancelled(old_home, new_server, sign_in):
    archive = with_long_history(old_home[1], 3 * HISTORY)
    anna = Person(new_server, "Anna", dateOfBirth="1985-01-02")
    send(anna, archive)
    page = sign_in(anna)
    page.goto("/account/import")
    page.get_by_role("button", name=words("Import"), exact=True).click()
    wait_until(lambda: state(anna)["done"] > 1_000, 60, lambda: state(anna))
    page.get_by_role("button", name=words("Cancel")).click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("What was imported before stays.")
    question.get_by_role("button", name=words("Cancel the import")).click()
    expect(page.get_by_label(words("Zip file of your export"))).to_be_visible()
    assert state(anna)["state"] == "none"
    found = next(entry for entry in send(anna, archive)["entries"] if entry["name"] == "Bag")
    assert 0 < found["hereCount"] < found["count"] == 3 * HISTORY + REPORTS, found
