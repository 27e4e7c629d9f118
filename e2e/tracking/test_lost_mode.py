"""Lost mode: the owner's message, the label to print, a finder's message and the owner's reply."""

import re

import pytest
from playwright.sync_api import expect

from support.items import HOME, north, tracked, upload
from support.pages import words

assert tracked
MESSAGE = "My daughter misses it.\nPlease write to me."
FINDER_AT = {"latitude": 50.7803, "longitude": 6.1039, "accuracy": 12}
# The interval in which a finder's page asks for the reply.
POLL_MILLISECONDS = 10_000


def item_path(item):
    return f"/tracking/items/{item['id']}"


def label_of(owner, item):
    """Creates a label and returns the path in its QR code."""
    url = owner.call("POST", f"{item_path(item)}/label", {}, expect=201)["url"]
    return url.removeprefix(owner.server.url)


def create_label(page, item):
    """Creates a label on its page and returns the path in its QR code."""
    page.goto(f"{item_path(item)}/label")
    page.get_by_role("button", name=words("Create a label")).click()
    expect(page.get_by_role("img", name=words("QR code for finders"))).to_be_visible()
    return re.search(r"/found/items/[\w-]{22}$", page.locator("#label-link").inner_text())[0]


def turn_on(page, item, contact=""):
    page.goto(item_path(item))
    page.get_by_role("link", name=re.compile("^Lost mode")).click()
    page.get_by_label(words("Message to finders")).fill(MESSAGE)
    page.get_by_label(words("Phone number or email")).fill(contact)
    page.get_by_role("button", name=words("Turn on lost mode")).click()
    expect(page.get_by_text(re.compile("^On since"))).to_be_visible()


def feed(person, kind):
    entries = person.call("GET", "/notifications", expect=200)["items"]
    return [entry for entry in entries if entry["kind"] == kind]


@pytest.mark.spec("T-6-8-1", "T-6-8-2")
def test_a_finder_writes_through_the_label_and_reads_the_reply(person, sign_in, phone):
    ada = person("Ada Lovelace")
    bag = ada.add_item("Grandmother's bag", pictureId=upload(ada))
    label = label_of(ada, bag)
    page = sign_in(ada)
    turn_on(page, bag, contact="+49 151 555-0101")

    finder = phone(ada.server, permissions=["geolocation"], geolocation=FINDER_AT)
    finder.clock.install()
    finder.goto(label)
    expect(finder.locator("#owner-words")).to_have_text(MESSAGE)
    expect(finder.locator("#owner-contact")).to_have_text("+491515550101")
    content = finder.content()
    for secret in ("Lovelace", "Grandmother", ada.email, "/pictures/"):
        assert secret not in content
    expect(finder.locator(".photo")).to_have_count(0)

    finder.get_by_label(words("Your message")).fill("I took it to the station.")
    finder.get_by_role("button", name=words("Add where I am")).click()
    expect(finder.get_by_text("Your position is sent with the message.")).to_be_visible()
    finder.get_by_role("button", name=words("Send")).click()
    expect(finder.get_by_text(re.compile("^No reply yet"))).to_be_visible()

    # The top of the owner's open page shows it at once, and the feed leads to it.
    expect(page.locator("#new-report")).to_contain_text("I took it to the station")
    row = page.get_by_role("link", name=re.compile("I took it to the station"))
    expect(row).to_be_visible()
    [entry] = feed(ada, "itemFound")
    assert entry["resource"].startswith(f"{item_path(bag)}/finder-reports/") and "station" not in entry["body"]
    page.goto(entry["resource"])
    expect(page.locator("#finder-words")).to_contain_text("I took it to the station")
    expect(page.locator("#finder-place")).to_contain_text("50.78030, 6.10390")
    page.get_by_label(words("Your reply")).fill("Thank you! I come at six.")
    page.get_by_role("button", name=words("Reply")).click()
    expect(page.get_by_text(words("Reply saved"))).to_be_visible()
    # The finder's open page asks by itself.
    finder.clock.fast_forward(POLL_MILLISECONDS)
    expect(finder.locator("#owner-reply")).to_have_text("Thank you! I come at six.", timeout=15_000)

    page.get_by_role("button", name=words("Delete")).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words("Delete")).click()
    page.wait_for_url(f"**{item_path(bag)}")
    # The finder's open page learns it, and stops asking.
    finder.clock.fast_forward(POLL_MILLISECONDS)
    expect(finder.get_by_text(re.compile("^This message was deleted"))).to_be_visible(timeout=15_000)
    assert finder.reload().status == 404


@pytest.mark.spec("T-6-8-4")
def test_lost_mode_ends_when_the_item_is_back(tracked, sign_in):
    ada, bag, secret = tracked(metres=0)
    page = sign_in(ada)
    ada.report(secret, *north(600))
    ada.call("PUT", f"{item_path(bag)}/lost", {"message": MESSAGE}, expect=200)
    page.goto(item_path(bag))
    ada.report(secret, *north(500))
    ada.is_at(*HOME)
    expect(page.get_by_text(re.compile("^On since"))).to_be_visible()
    expect(page.locator("#item .badge")).to_have_text("Reported lost")
    assert feed(ada, "itemReturned") == []
    page.wait_for_timeout(1_100)  # a later second than the start of lost mode
    ada.is_at(*HOME)
    ada.report(secret, *north(2))
    expect(page.get_by_text(re.compile("^On since"))).to_be_hidden()
    expect(page.locator("#item .badge")).to_have_text("Near")
    [entry] = feed(ada, "itemReturned")
    assert entry["resource"] == item_path(bag)


@pytest.mark.spec("T-6-8-3")
def test_the_label_is_printed_in_three_sizes_and_its_code_can_be_replaced(person, sign_in):
    ada = person()
    bag = ada.add_item("Bag")
    page = sign_in(ada)
    first = create_label(page, bag)
    widths = []
    for size in ("Small", "Medium", "Large"):
        page.get_by_role("link", name=words(size)).click()
        expect(page.get_by_role("link", name=words(size))).to_have_attribute("aria-current", "page")
        widths.append(page.locator(".label").bounding_box()["width"])
    assert widths == sorted(widths) and widths[0] < widths[2]
    page.emulate_media(media="print")
    expect(page.locator(".label")).to_be_visible()
    for hidden in (".bar", "#label-link", ".segments", "[data-print]"):
        expect(page.locator(hidden).first).to_be_hidden()
    page.emulate_media(media="screen")
    page.get_by_role("button", name=words("Replace the code")).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words("New code")).click()
    expect(page.locator("#label-link")).not_to_contain_text(first)


@pytest.mark.spec("T-6-8-1", "T-6-8-2")
def test_a_finder_sees_the_photo_and_sends_no_position_without_a_tap(person, phone):
    ada = person()
    bag = ada.add_item("Bag", pictureId=upload(ada))
    ada.call("PUT", f"{item_path(bag)}/lost", {"message": MESSAGE, "showsPhoto": True}, expect=200)
    finder = phone(ada.server, permissions=["geolocation"], geolocation=FINDER_AT)
    finder.goto(label_of(ada, bag))
    photo = finder.get_by_role("img", name=words("Photo of the lost item"))
    expect(photo).to_be_visible()
    assert photo.evaluate("async (image) => (await image.decode(), image.naturalWidth)") > 0
    finder.get_by_label(words("Your message")).fill("Found it. " * 20)
    finder.get_by_role("button", name=words("Send")).click()
    expect(finder.get_by_text(re.compile("^No reply yet"))).to_be_visible()
    [report] = ada.call("GET", f"{item_path(bag)}/finder-reports", expect=200)["items"]
    assert report["latitude"] is None and report["message"].startswith("Found it.")
