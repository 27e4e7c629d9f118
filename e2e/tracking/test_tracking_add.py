"""Adding an item: T-1-1-1 to T-1-4-1."""

import os
import re
import struct
import zlib

import pytest
from playwright.sync_api import expect

from support.items import edit_field, photo_sheet
from support.pages import card, later, name_field, open_add, open_list, png, png_file, save, until, words

LARGEST_BYTES = 10 * 1024 * 1024


def noise(width, height):
    """A PNG that can't be compressed."""
    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    rows = b"".join(b"\0" + os.urandom(3 * width) for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 1))
            + chunk(b"IEND", b""))


def shown_photo(page):
    return page.locator("[data-photo-preview] img, img[data-photo-preview]").first


def take_photo(page):
    photo_sheet(page).get_by_text(words("Take a new photo")).click()
    camera = page.locator("video")
    expect(camera).to_be_visible()
    until(page, "() => document.querySelector('video').videoWidth > 0")
    page.get_by_role("button", name=re.compile("^(take|shutter|take photo|take the photo)$", re.I)).click()
    expect(page.get_by_role("button", name=words("Retake"))).to_be_visible()


@pytest.mark.spec("T-1-1-1")
def test_the_plus_opens_add_item(engine, server, person, sign_in):
    page = sign_in(person())
    open_add(page)
    expect(page.get_by_role("button", name=re.compile("photo|camera", re.I)).first).to_be_visible()
    expect(name_field(page)).to_be_visible()
    expect(page.get_by_role("button", name=words("Save"))).to_be_visible()
    cancel = page.get_by_role("link", name=words("Cancel")).or_(page.get_by_role("button", name=words("Cancel")))
    expect(cancel.first).to_be_visible()
    cancel.first.click()
    expect(page.get_by_role("heading", name=words("Items"), level=1)).to_be_visible()


@pytest.mark.spec("T-1-2-1", "T-1-2-5", "T-1-3-1")
def test_name_is_typed_and_closing_the_photo_sheets_changes_nothing(engine, server, person, sign_in):
    page = sign_in(person())
    open_add(page)
    field = name_field(page)
    expect(field).to_be_editable()
    field.tap()
    expect(field).to_be_focused()
    # A text field opens a phone's keyboard.
    assert field.evaluate("element => [element.tagName, element.type, element.inputMode]") in (
        ["INPUT", "text", ""], ["INPUT", "text", "text"])
    page.keyboard.type("Half typed")
    expect(field).to_have_value("Half typed")

    sheet = photo_sheet(page)
    offered = [text.strip() for text in sheet.locator("button:visible, a:visible, label:visible").all_inner_texts()]
    assert sorted(text for text in offered if text and text.lower() != "cancel") == [
        "Select from photo library", "Take a new photo"]
    sheet.get_by_text(words("Cancel")).click()
    expect(sheet).to_be_hidden()

    photo_sheet(page).get_by_text(words("Select from photo library")).click()
    library = page.get_by_role("dialog").filter(has=page.locator("input[type=file]"))
    expect(library).to_be_visible()
    page.keyboard.press("Escape")
    expect(library).to_be_hidden()
    expect(field).to_have_value("Half typed")
    expect(shown_photo(page)).to_have_count(0)


@pytest.mark.spec("T-1-2-2", "T-1-2-3")
def test_the_camera_opens_in_the_page_and_a_shot_can_be_retaken_or_used(engine, server, person, sign_in):
    someone = person()
    page = sign_in(someone)
    page.context.grant_permissions(["camera"])
    open_add(page)
    take_photo(page)
    size = page.viewport_size
    retake = page.get_by_role("button", name=words("Retake")).bounding_box()
    ok = page.get_by_role("button", name=words("OK")).bounding_box()
    assert retake["x"] + retake["width"] < size["width"] / 2 < ok["x"], "Retake is on the left, OK on the right"
    assert min(retake["y"], ok["y"]) > size["height"] / 2, "both are at the bottom"

    page.get_by_role("button", name=words("Retake")).click()
    expect(page.locator("video")).to_be_visible()
    page.get_by_role("button", name=re.compile("^(take|shutter|take photo|take the photo)$", re.I)).click()
    with page.expect_response(lambda answer: answer.url.endswith("/pictures")
                              and answer.request.method == "POST") as sent:
        page.get_by_role("button", name=words("OK")).click()
    assert sent.value.status == 201
    expect(page.get_by_role("heading", name=words("Add item"))).to_be_visible()
    expect(shown_photo(page)).to_be_visible()
    name_field(page).fill("Camera bag")
    save(page)
    later(page)
    assert someone.call("GET", "/tracking/items")["items"][0]["pictureId"]


@pytest.mark.spec("T-1-2-2")
def test_phone_camera_is_used_without_an_in_page_camera(engine, server, person, sign_in):
    page = sign_in(person())
    page.add_init_script("Object.defineProperty(navigator, 'mediaDevices', {value: undefined})")
    open_add(page)
    with page.expect_file_chooser() as chooser:
        photo_sheet(page).get_by_text(words("Take a new photo")).click()
    assert chooser.value.element.get_attribute("capture") == "environment"
    chooser.value.set_files(png_file())
    expect(shown_photo(page)).to_be_visible()


@pytest.mark.spec("T-1-2-5")
def test_a_photo_above_the_limit_is_made_smaller_before_it_is_sent(engine, server, person, sign_in, tmp_path):
    someone = person()
    page = sign_in(someone)
    path = tmp_path / "noise.png"
    path.write_bytes(noise(2_400, 1_600))
    assert path.stat().st_size > LARGEST_BYTES
    open_add(page)
    photo_sheet(page).get_by_text(words("Select from photo library")).click()
    library = page.get_by_role("dialog").filter(has=page.locator("input[type=file]"))
    with page.expect_response(lambda answer: answer.url.endswith("/pictures")
                              and answer.request.method == "POST") as sent:
        library.locator("input[type=file]").set_input_files(path)
    assert sent.value.status == 201
    assert (sent.value.json()["width"], sent.value.json()["height"]) == (2_400, 1_600)
    expect(shown_photo(page)).to_be_visible()
    expect(page.locator("[data-photo-error]").first).to_be_empty()


@pytest.mark.spec("T-1-2-4")
def test_a_used_photo_stays_in_the_library(engine, server, person, sign_in):
    someone = person()
    page = sign_in(someone)
    open_add(page)
    photo_sheet(page).get_by_text(words("Select from photo library")).click()
    library = page.get_by_role("dialog").filter(has=page.locator("input[type=file]"))
    library.locator("input[type=file]").set_input_files(png_file(color=(10, 120, 200)))
    expect(shown_photo(page)).to_be_visible()
    name_field(page).fill("First")
    save(page)
    later(page)
    picture = someone.call("GET", "/tracking/items")["items"][0]["pictureId"]

    open_add(page)
    photo_sheet(page).get_by_text(words("Select from photo library")).click()
    choice = page.get_by_role("dialog").locator(f"[data-picture-id='{picture}']")
    expect(choice).to_be_visible()
    choice.click()
    name_field(page).fill("Second")
    save(page)
    later(page)
    assert {item["pictureId"] for item in someone.call("GET", "/tracking/items")["items"]} == {picture}

    page.goto("/pictures")
    with page.expect_download() as download:
        page.locator("a[download]").first.click()
    assert download.value.path().read_bytes()[:2] == b"\xff\xd8", "what is saved to the phone is the picture"


@pytest.mark.spec("T-1-2-6", "T-1-3-2", "T-1-4-1", "T-3-1-2")
def test_an_item_without_a_photo_is_stored_and_has_a_placeholder(engine, server, person, sign_in):
    someone = person()
    page = sign_in(someone)
    open_add(page)
    name_field(page).fill("  Grey bag ")
    save(page)
    later(page)
    expect(page.get_by_role("heading", name=words("Items"), level=1)).to_be_visible()
    expect(card(page, "Grey bag").locator("[data-placeholder]")).to_be_visible()
    stored = someone.call("GET", "/tracking/items")["items"]
    assert [(item["name"], item["pictureId"]) for item in stored] == [("Grey bag", None)]
    # A reload doesn't repeat the offer to pair a tracker.
    assert "added" not in page.url
    page.reload()
    expect(card(page, "Grey bag")).to_be_visible()
    expect(page.get_by_role("dialog", name=re.compile("pair a tracker", re.I))).to_be_hidden()


@pytest.mark.spec("T-1-4-1")
def test_invalid_photo_is_reported_and_the_input_stays(engine, server, person, sign_in, tmp_path):
    someone = person()
    page = sign_in(someone)
    open_add(page)
    name_field(page).fill("Keys")
    for name, content, told in (
            ("large.jpg", b"\xff\xd8\xff\xe0" + b"0" * (LARGEST_BYTES + 1), "larger than 10 MB"),
            ("truncated.png", png()[:200], "damaged or incomplete")):
        photo_sheet(page).get_by_text(words("Select from photo library")).click()
        path = tmp_path / name
        path.write_bytes(content)
        library = page.get_by_role("dialog").filter(has=page.locator("input[type=file]"))
        library.locator("input[type=file]").set_input_files(path)
        expect(page.locator("[data-photo-error]:visible").first).to_contain_text(told)
        expect(shown_photo(page)).to_have_count(0)
        expect(library).to_be_hidden()
        expect(name_field(page)).to_have_value("Keys")
    assert someone.call("GET", "/pictures")["items"] == []
    assert someone.call("GET", "/tracking/items")["items"] == []


@pytest.mark.spec("T-1-4-1", "T-3-5-1")
def test_adding_and_editing_work_without_javascript(engine, server, person, sign_in):
    someone = person()
    page = sign_in(someone, java_script_enabled=False)
    open_list(page)
    page.get_by_role("link", name=re.compile("add", re.I)).first.click()
    name_field(page).fill("x" * 51)
    page.locator("input[type=file]").first.set_input_files(png_file())
    save(page)
    expect(name_field(page)).to_have_attribute("aria-invalid", "true")
    kept = someone.call("GET", "/pictures")["items"]
    assert len(kept) == 1, "a good photo is not lost by a bad name"
    expect(shown_photo(page)).to_be_visible()
    name_field(page).fill("Plain keys")
    save(page)
    stored = someone.call("GET", "/tracking/items")["items"]
    assert [item["name"] for item in stored] == ["Plain keys"]
    assert stored[0]["pictureId"] == kept[0]["id"]

    # A change that another device's change rejects keeps its photo, too.
    path = f"/tracking/items/{someone.add_item('Keys')['id']}"
    page.goto(f"{path}/edit")
    someone.call("PATCH", path, {"name": "Door"}, expect=200)
    edit_field(page).fill("Mine")
    page.locator("input[type=file]").first.set_input_files(png_file(color=(20, 200, 60)))
    save(page)
    expect(page.locator("[data-photo-error]")).to_be_empty()
    [new] = {one["id"] for one in someone.call("GET", "/pictures")["items"]} - {kept[0]["id"]}
    assert new in shown_photo(page).get_attribute("src")
    save(page)
    stored = someone.call("GET", path)
    assert (stored["name"], stored["pictureId"]) == ("Mine", new)
