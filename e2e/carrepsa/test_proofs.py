"""Photos of the handovers, which the owner may require, and which the ledger seals."""

import sqlite3

import pytest
from playwright.sync_api import expect

from support.carrepsa import RICH, CarrepsaFixture, act, action, do, field, post, state, tap_blocked
from support.items import upload
from support.layout_checks import flaws
from support.pages import png_file, toast, words


def add_photo(page, note):
    """Adds a photo on the open page of a package."""
    page.locator("#proof-form [data-photo-pick]").click()
    page.get_by_role("dialog").get_by_text(words("Select from photo library")).click()
    page.get_by_label("Choose from this phone").set_input_files(png_file())
    expect(page.locator("#proof-form [data-photo-preview] img")).to_be_visible()
    field(page.locator("#proof-form"), "Condition").fill(note)
    page.get_by_role("button", name=words("Add photo")).click()
    expect(toast(page, "Photo added")).to_be_visible()


@pytest.mark.spec("C-21")
def test_photos_prove_both_handovers(engine, carrepsa, sign_in):
    ada, ben, cleo = (carrepsa.add_person(name) for name in ("Ada", "Ben", "Cleo"))
    package = post(ada, requiresPhotos=True)
    act(ben, package, "acceptance")
    owner = sign_in(ada)
    owner.goto(f"/carrepsa/packages/{package['id']}")
    expect(owner.get_by_text("Add a photo first: you require it.").first).to_be_visible()
    act(ada, package, "pickup", expect=409)
    owner.get_by_role("button", name=words("Add photo")).click()
    expect(owner.get_by_text("Choose a photo.")).to_be_visible()
    add_photo(owner, "No scratches")
    expect(owner.locator("#proofs")).to_contain_text("At the pickup, by Ada")
    do(owner, "Confirm pickup")
    assert state(ben, package) == "travelling"

    act(ben, package, "delivery-report", expect=409)
    carrier = sign_in(ben)
    carrier.goto(f"/carrepsa/packages/{package['id']}")
    expect(carrier.locator("#proofs")).to_contain_text("No scratches")
    # A code is neither sent nor removed while the photo is missing.
    field(carrier, "Code").fill("123456")
    tap_blocked(action(carrier, "Confirm with code"))
    expect(toast(carrier, "Add a photo first: the owner requires it.")).to_be_visible()
    expect(field(carrier, "Code")).to_have_value("123456")
    expect(carrier.locator("html")).to_have_attribute("data-live", "open")
    act(ben, package, "proofs", body={"pictureId": upload(ben), "note": "A scratch on top"})
    expect(carrier.locator("#proofs").get_by_role("listitem")).to_have_count(2)
    assert flaws(carrier) == []
    act(ben, package, "delivery-report")
    proofs = ada.call("GET", f"/carrepsa/packages/{package['id']}", expect=200)["proofs"]
    assert [(proof["step"], proof["role"], proof["note"]) for proof in proofs] == [
        ("pickup", "owner", "No scratches"), ("delivery", "carrier", "A scratch on top")]
    for proof in proofs:
        for person, status in ((ada, 200), (ben, 200), (cleo, 404)):
            path = f"/pictures/{proof['pictureId']}?size=large"
            assert person.server.request("GET", path, token=person.token)[0] == status


@pytest.mark.spec("C-36")
def test_the_audit_names_changed_and_missing_evidence(own_server):
    server = own_server(environment=RICH)
    carrepsa = CarrepsaFixture(server)
    ada, ben = carrepsa.add_person("Ada"), carrepsa.add_person("Ben")
    changed, missing = post(ada), post(ada)
    act(ben, changed, "acceptance")
    act(ben, changed, "proofs", body={"pictureId": upload(ben), "note": "A scratch on top"})
    [proof] = ada.call("GET", f"/carrepsa/packages/{changed['id']}", expect=200)["proofs"]
    carrepsa.is_sound()
    with sqlite3.connect(server.folder / "data" / "homeward.sqlite") as connection:
        connection.execute("UPDATE carrepsa_story SET note = 'A scratch on tob' WHERE note = 'A scratch on top'")
        connection.execute("DELETE FROM carrepsa_package WHERE id = ?", (missing["id"],))
    done = server.command("verify")
    assert done.returncode == 1
    assert f"carrepsa_story {changed['id']}/{proof['number']}, column note, byte 15" in done.stdout
    assert f"carrepsa_package {missing['id']}: the row is missing; the ledger has owner {ada.id}" in done.stdout
