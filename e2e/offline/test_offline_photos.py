"""Offline: a photo is queued with its change."""

import random

import pytest
from playwright.sync_api import expect

from support.children import home
from support.family import choose_photo, field, open_edit, press
from support.offline import (
    go_offline,
    go_online,
    is_kept,
    is_refused,
    open_again,
    open_waiting,
    save_and_leave,
    see,
    waits,
    with_worker,
)
from support.pages import name_field, save, toast, words

pytestmark = pytest.mark.service_worker

WAITS = "No connection: the photo is sent with the form."
WAITING_BYTES = """async () => {
  const [change] = await homewardQueue.list(document.body.dataset.person);
  return change.fields.find(([name]) => name === "picture")[1].size;
}"""
SHOWN = """async (id) => {
  const image = new Image();
  image.src = `/pictures/${id}?size=large`;
  await image.decode();
  return [image.naturalWidth, image.naturalHeight];
}"""
PREVIEW = "[data-photo-preview] img"


def grain(width, height):
    """Creates a picture of several megabytes that hardly compresses."""
    source = random.Random(3)
    dim = bytes(96 + value % 32 for value in range(256))
    rows = [source.randbytes(3 * width).translate(dim) for _ in range(height)]
    return {"width": width, "height": height, "paint": lambda x, y: rows[y][3 * x:3 * x + 3]}


def newest_item(someone):
    return someone.call("GET", "/tracking/items", expect=200)["items"][-1]


def fill_with_photo(page, **picture):
    """Names a new item and selects a photo that can't be sent yet."""
    name_field(page).fill("Umbrella")
    choose_photo(page, **picture)
    expect(toast(page, WAITS)).to_be_visible()


def open_profile_edit(page, path):
    page.goto(path)
    return open_edit(page)


def test_photo_is_queued_and_sent_with_its_item(engine, person, sign_in):
    someone = person()
    page = with_worker(sign_in(someone))
    see(page, "/tracking/items")
    is_kept(page, "/tracking/items/new")
    for count, (picture, sides, largest_bytes) in enumerate([
        ({"width": 320, "height": 240}, [320, 240], 10_000),
        # No larger than the server would store it.
        (grain(1_800, 1_350), [1_600, 1_200], 1_500_000),
    ], 1):
        go_offline(page)
        page.goto("/tracking/items/new")
        fill_with_photo(page, **picture)
        expect(page.locator("[data-photo-error]")).to_be_empty()
        expect(page.locator(PREVIEW)).to_be_visible()
        save_and_leave(page)
        waits(page, 1)
        expect(open_waiting(page).get_by_role("listitem")).to_contain_text("Umbrella")
        page.keyboard.press("Escape")
        assert page.evaluate(WAITING_BYTES) <= largest_bytes
        # The change is stored on the device, not only in the page.
        page.reload()
        waits(page, 1)
        go_online(page)
        waits(page, 0)
        assert page.evaluate(SHOWN, newest_item(someone)["pictureId"]) == sides
        assert len(someone.call("GET", "/pictures", expect=200)["items"]) == count


def test_queued_photos_of_children_are_kept_by_later_changes_and_replace_avatars(engine, home, sign_in):
    parent = home.parent
    of_mia, of_ben = (f"/family/children/{child['id']}" for child in (home.mia, home.ben))
    page = with_worker(sign_in(parent))
    see(page, of_ben)
    see(page, of_mia)
    go_offline(page)
    sheet = open_profile_edit(page, of_mia)
    sheet.locator("label.appearance-own").click()
    choose_photo(page, width=320, height=240)
    # After discarding, the form is empty.
    expect(page.get_by_label("Choose from this phone")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("alertdialog").get_by_role("button", name=words("Discard")).click()
    open_edit(page)
    expect(sheet.locator(PREVIEW)).to_have_count(0)
    sheet.locator("label.appearance-own").click()
    choose_photo(page, width=200, height=100)
    press(sheet, "Update")
    waits(page, 1)
    sheet = open_profile_edit(page, of_mia)
    field(sheet, "Name").fill("Mia Sofia")
    press(sheet, "Update")
    waits(page, 2)
    # Ben gets another avatar, and then a photo.
    sheet = open_profile_edit(page, of_ben)
    sheet.locator("label.appearance-avatar:has(input:not(:checked))").first.click()
    press(sheet, "Update")
    waits(page, 3)
    sheet = open_profile_edit(page, of_ben)
    sheet.locator("label.appearance-own").click()
    choose_photo(page, width=100, height=50)
    press(sheet, "Update")
    waits(page, 4)
    go_online(page)
    waits(page, 0)
    mia, ben = (parent.call("GET", path, expect=200) for path in (of_mia, of_ben))
    assert mia["name"] == "Mia Sofia"
    assert page.evaluate(SHOWN, mia["avatarPictureId"]) == [200, 100]
    assert page.evaluate(SHOWN, ben["avatarPictureId"]) == [100, 50]


def test_photo_chosen_offline_is_sent_with_its_form_once_online(engine, person, sign_in, tmp_path):
    someone = person()
    page = with_worker(sign_in(someone))
    see(page, "/tracking/items/new")
    go_offline(page)
    # A photo that can't be resized is rejected at its field.
    unreadable = tmp_path / "photo.jpg"
    unreadable.write_bytes(b"\xff\xd8" + bytes(2_000_000))
    page.get_by_role("button", name=words("Photo")).click()
    page.get_by_role("dialog").get_by_text(words("Select from photo library")).click()
    page.get_by_label("Choose from this phone").set_input_files(unreadable)
    expect(page.locator("[data-photo-error]")).to_have_text(
        "The photo couldn’t be uploaded. Check your connection and try again.")
    expect(toast(page, WAITS)).to_have_count(0)
    page.goto("/tracking/items/new")
    fill_with_photo(page, width=320, height=240)
    # A draft asks for its photo again.
    page.reload()
    expect(name_field(page)).to_have_value("Umbrella")
    expect(page.locator("[data-photo-error]")).to_have_text("Choose the photo again. It was not sent yet.")
    choose_photo(page, width=320, height=240)
    expect(page.locator("[data-photo-error]")).to_be_empty()
    expect(toast(page, WAITS)).to_be_visible()
    go_online(page)
    save_and_leave(page)
    assert page.evaluate(SHOWN, newest_item(someone)["pictureId"]) == [320, 240]

    # Another photo replaces the one that waits for its form.
    go_offline(page)
    page.goto("/tracking/items/new")
    fill_with_photo(page, width=320, height=240)
    go_online(page)
    expect(page.get_by_label("Choose from this phone")).to_have_count(0)
    choose_photo(page, width=200, height=100)
    expect(page.locator("[data-photo-save]")).to_be_visible()
    save_and_leave(page)
    assert page.evaluate(SHOWN, newest_item(someone)["pictureId"]) == [200, 100]
    assert len(someone.call("GET", "/pictures", expect=200)["items"]) == 2


def test_photo_of_a_rejected_change_reopens_with_its_form(engine, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    path = f"/tracking/items/{item['id']}"
    page = with_worker(sign_in(someone))
    see(page, path)
    is_kept(page, f"{path}/edit")
    go_offline(page)
    page.goto(f"{path}/edit")
    choose_photo(page, width=320, height=240)
    expect(toast(page, WAITS)).to_be_visible()
    page.locator("#item-form [name=name]").fill("Ben's keys")
    save_and_leave(page)
    waits(page, 1)
    someone.call("PATCH", path, {"name": "Mia's keys"}, expect=200)
    go_online(page)
    is_refused(page, 1)
    assert (newest_item(someone)["name"], newest_item(someone)["pictureId"]) == ("Mia's keys", None)
    row = open_waiting(page).get_by_role("listitem")
    expect(row).to_contain_text("Ben's keys")
    open_again(row)
    expect(page.locator("#item-form [name=name]")).to_have_value("Ben's keys")
    expect(page.locator(PREVIEW)).to_be_visible()
    save(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Ben's keys")
    waits(page, 0)
    assert page.evaluate(SHOWN, newest_item(someone)["pictureId"]) == [320, 240]
