"""Rejected, conflicting and missing data, and trackers that are off: no input is lost, and the page reports it."""

import re
import time

import pytest
from playwright.sync_api import expect

from support.items import edit_field, open_edit, photo_sheet
from support.pages import card, open_list, png, png_file, save, toast, until, words
from support.patience import wait_until
from support.tracker_process import PATIENCE_SECONDS, simulator


def multipart(fields, picture=None):
    boundary = "homeward-test"
    body = b""
    for name, value in fields.items():
        body += f"--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n".encode()
    if picture:
        body += (f"--{boundary}\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"p.png\"\r\n"
                 f"Content-Type: image/png\r\n\r\n").encode() + picture + b"\r\n"
    return body + f"--{boundary}--\r\n".encode(), {"Content-Type": f"multipart/form-data; boundary={boundary}"}


@pytest.mark.smoke
@pytest.mark.spec("T-1-4-1", "T-3-5-1")
def test_photo_is_stored_only_with_its_change(engine, server, person):
    someone = person()
    body, headers = multipart({"name": "Keys"}, png())
    key = {"Idempotency-Key": "one"}
    item = someone.call("POST", "/tracking/items", body, expect=201, headers=headers | key)
    again = someone.call("POST", "/tracking/items", body, expect=201, headers=headers | key)
    assert again["id"] == item["id"]
    pictures = [one["id"] for one in someone.call("GET", "/pictures")["items"]]
    assert pictures == [item["pictureId"]], "the same form twice keeps one picture"

    path = f"/tracking/items/{item['id']}"
    body, headers = multipart({"name": "Mine"}, png(color=(1, 2, 3)))
    someone.call("PATCH", path, body, expect=409, headers=headers | {"If-Match": '"9"'} | {"Idempotency-Key": "two"})
    assert [one["id"] for one in someone.call("GET", "/pictures")["items"]] == pictures
    changed = someone.call("PATCH", path, body, expect=200, headers=headers | {"Idempotency-Key": "two"})
    assert changed["pictureId"] not in pictures, "the same request may succeed later"
    assert {one["id"] for one in someone.call("GET", "/pictures")["items"]} == {*pictures, changed["pictureId"]}


@pytest.mark.spec("T-3-5-1")
def test_form_keeps_the_photo_of_a_rejected_change_without_scripts(engine, server, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    page = sign_in(someone, java_script_enabled=False)
    page.goto(f"/tracking/items/{item['id']}/edit")
    someone.call("PATCH", f"/tracking/items/{item['id']}", {"name": "Door"}, expect=200)
    edit_field(page).fill("Mine")
    page.locator("input[type=file]").first.set_input_files(png_file())
    save(page)
    expect(page.locator("[data-photo-error]")).to_be_empty()
    kept = someone.call("GET", "/pictures")["items"][0]["id"]
    assert kept in page.locator("[data-photo-preview] img, img[data-photo-preview]").first.get_attribute("src")
    save(page)
    stored = someone.call("GET", f"/tracking/items/{item['id']}")
    assert (stored["name"], stored["pictureId"]) == ("Mine", kept)


@pytest.mark.spec("T-3-5-1")
def test_change_from_another_device_is_shown_before_it_is_overwritten(engine, server, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    page = sign_in(someone)
    open_edit(page, item)
    changed = {"name": "Door", "settings": {"lostMetres": 70}}
    someone.call("PATCH", f"/tracking/items/{item['id']}", changed, expect=200)
    edit_field(page).fill("Mine")
    save(page)
    expect(page.get_by_text("Changed elsewhere to “Door”")).to_be_visible()
    expect(edit_field(page)).to_have_value("Mine")
    expect(page.get_by_label(re.compile("lost when", re.I))).to_have_value("70")
    expect(page.get_by_text(re.compile(r"Changed elsewhere to 70\sm"))).to_be_visible()
    save(page)
    expect(page.get_by_role("heading", name="Mine").first).to_be_visible()
    stored = someone.call("GET", f"/tracking/items/{item['id']}")
    assert (stored["name"], stored["settings"]["lostMetres"]) == ("Mine", 70)


@pytest.mark.spec("T-3-6-1")
def test_back_after_a_deletion_returns_to_the_list(engine, server, person, sign_in):
    someone = person()
    item = someone.add_item("Bag")
    page = sign_in(someone)
    open_list(page)
    card(page, "Bag").get_by_role("link").first.click()
    page.get_by_role("link", name=words("Edit")).click()
    expect(edit_field(page)).to_be_visible()
    page.get_by_role("link", name=re.compile("^delete", re.I)).first.click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^delete", re.I)).click()
    expect(page.get_by_role("heading", name=words("Items"), level=1)).to_be_visible()
    for _ in range(2):
        page.go_back()
        expect(page).to_have_url(re.compile("/tracking/items$"))
        expect(page.get_by_role("heading", name=words("Items"), level=1)).to_be_visible()
    page.goto(f"/tracking/items/{item['id']}/edit")
    page.get_by_role("main").get_by_role("link", name=words("Items")).click()
    expect(page.get_by_role("heading", name=words("Items"), level=1)).to_be_visible()


@pytest.mark.spec("T-1-2-2")
@pytest.mark.parametrize("failure, told", [
    ("NotAllowedError", "Allow it in the browser"), ("NotFoundError", "No camera was found"),
    ("NotReadableError", "another app may be using it")])
def test_denied_camera_shows_what_to_do(engine, server, person, sign_in, failure, told):
    page = sign_in(person())
    page.add_init_script(
        f"navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', '{failure}'))")
    page.goto("/tracking/items/new")
    photo_sheet(page).get_by_text(words("Take a new photo")).click()
    camera = page.get_by_role("dialog", name=words("Take a new photo"))
    expect(camera.get_by_role("alert")).to_contain_text(told)
    camera.get_by_label("Choose from this phone").set_input_files(png_file())
    expect(camera).to_be_hidden()
    expect(page.locator("[data-photo-preview] img")).to_be_visible()


def test_card_shows_that_its_tracker_is_off(engine, server, person, sign_in, simulator):
    someone = person()
    item = someone.add_item("Keys")
    path = f"/tracking/items/{item['id']}"
    someone.call("PUT", f"{path}/tracker", {"code": simulator(server).code()}, expect=200)
    wait_until(lambda: someone.call("GET", path)["tracker"]["state"] == "active", PATIENCE_SECONDS)
    page = sign_in(someone)
    open_list(page)
    box = card(page, "Keys")
    expect(box.get_by_text(re.compile("^off since", re.I))).to_have_count(0)
    box.get_by_role("switch").click()
    expect(box.get_by_text(re.compile(r"off since \d", re.I))).to_be_visible(timeout=20_000)
    until(page, "() => getComputedStyle(document.querySelector('.card .photo')).filter.includes('grayscale')")
    page.goto(path)
    expect(page.locator(".hero-text").get_by_text(re.compile(r"off since \d", re.I))).to_be_visible()


def test_a_switch_can_be_undone_and_a_ring_is_confirmed(engine, server, person, sign_in, simulator):
    someone = person()
    item = someone.add_item("Keys")
    path = f"/tracking/items/{item['id']}"
    someone.call("PUT", f"{path}/tracker", {"code": simulator(server).code()}, expect=200)
    wait_until(lambda: someone.call("GET", path)["tracker"]["state"] == "active", PATIENCE_SECONDS)
    page = sign_in(someone)
    page.goto(path)
    page.get_by_role("button", name="Ring").click()
    expect(page.get_by_role("status").filter(has_text="The tracker rang.")).to_be_visible(timeout=20_000)
    open_list(page)
    switch = card(page, "Keys").get_by_role("switch")
    switch.click()
    told = toast(page, "Turning Keys off")
    expect(told).to_be_visible()
    told.get_by_role("button", name="Undo").click()
    expect(toast(page, "Turning Keys on")).to_be_visible()
    expect(switch).to_be_checked()
    wait_until(lambda: someone.call("GET", path)["tracker"]["wanted"] == "on", PATIENCE_SECONDS)


@pytest.mark.spec("T-3-3-1")
def test_positions_within_a_minute_have_distinct_times(engine, server, person, sign_in):
    someone = person()
    item = someone.add_item("Bag")
    secret = someone.add_osmand_tracker(item)
    minute = int(time.time()) // 60 * 60 - 120
    for second in (1, 2, 30):
        someone.report(secret, 50.7753, 6.0839, at=minute + second)
    page = sign_in(someone)
    page.goto(f"/tracking/items/{item['id']}")
    titles = page.locator("[data-fix-id] .row-title")
    expect(titles).to_have_count(3)
    texts = titles.all_inner_texts()
    assert len(set(texts)) == 3 and all(re.search(r":\d\d:(01|02|30)", text) for text in texts), texts
    # The newest position is in another minute and appears without a reload.
    someone.report(secret, 50.7753, 6.0839, at=minute + 90)
    expect(titles).to_have_count(4)
    expect(titles.first).to_have_text(re.compile(r"(?<![:\d])\d?\d:\d\d( [ap]m)?$", re.I))
