"""Rejected, conflicting and missing data: no input is lost, and the page reports it."""

import re
import time

import pytest
from playwright.sync_api import expect

from support.items import edit_field, photo_sheet
from support.pages import card, open_list, png, png_file, words


def multipart(fields, picture=None):
    boundary = "homeward-test"
    body = b""
    for name, value in fields.items():
        body += f"--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n".encode()
    if picture:
        body += (f"--{boundary}\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"p.png\"\r\n"
                 f"Content-Type: image/png\r\n\r\n").encode() + picture + b"\r\n"
    return body + f"--{boundary}--\r\n".encode(), {"Content-Type": f"multipart/form-data; boundary={boundary}"}


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
def test_denied_camera_shows_what_to_do(engine, server, person, sign_in):
    page = sign_in(person())
    page.goto("/tracking/items/new")
    camera = page.get_by_role("dialog", name=words("Take a new photo"))
    for failure, told in (("NotAllowedError", "Allow it in the browser"), ("NotFoundError", "No camera was found"),
                          ("NotReadableError", "another app may be using it")):
        page.evaluate("failure => { navigator.mediaDevices.getUserMedia = () => "
                      "Promise.reject(new DOMException('no', failure)); }", failure)
        photo_sheet(page).get_by_text(words("Take a new photo")).click()
        expect(camera.get_by_role("alert")).to_contain_text(told)
        camera.get_by_role("button", name=words("Cancel")).click()
        expect(camera).to_be_hidden()
    photo_sheet(page).get_by_text(words("Take a new photo")).click()
    camera.get_by_label("Choose from this phone").set_input_files(png_file())
    expect(camera).to_be_hidden()
    expect(page.locator("[data-photo-preview] img")).to_be_visible()


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
