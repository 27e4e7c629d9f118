"""Items of the tests: their positions, photos and pages."""

import re

import pytest
from playwright.sync_api import expect

from support.pages import name_field, png, words

HOME = (50.7753, 6.0839)
METRE = 1 / 111_195.08  # degrees of latitude on the sphere that the server uses for distances


def north(metres, place=HOME):
    return place[0] + metres * METRE, place[1]


def upload(person, expect=201, **options):
    boundary = "homeward-test"
    body = (f"--{boundary}\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"p.png\"\r\n"
            f"Content-Type: image/png\r\n\r\n").encode() + png(**options) + f"\r\n--{boundary}--\r\n".encode()
    return person.call("POST", "/pictures", body, expect=expect,
                       headers={"Content-Type": f"multipart/form-data; boundary={boundary}"}).get("id")


@pytest.fixture
def tracked(person):
    """A person at home with an item whose tracker is a phone app of the OsmAnd kind."""
    def make(name="Bag", metres=None, **fields):
        someone = person()
        item = someone.add_item(name, **fields)
        secret = someone.add_osmand_tracker(item)
        someone.is_at(*HOME)
        if metres is not None:
            someone.report(secret, *north(metres))
        return someone, item, secret
    return make


def open_edit(page, item):
    page.goto(f"/tracking/items/{item['id']}")
    page.get_by_role("link", name=words("Edit")).click()
    expect(name_field(page).or_(page.get_by_label(words("Name"))).first).to_be_visible()


def edit_field(page):
    return name_field(page).or_(page.get_by_label(words("Name"))).first


def delete_in_page(page, item):
    open_edit(page, item)
    page.get_by_role("button", name=re.compile("^delete", re.I)).or_(
        page.get_by_role("link", name=re.compile("^delete", re.I))).first.click()
    dialog = page.get_by_role("dialog").or_(page.get_by_role("alertdialog")).filter(
        has=page.get_by_role("button", name=re.compile("^delete", re.I))).first
    expect(dialog).to_be_visible()
    return dialog


def navigation_of(page):
    """Taps Navigate and returns the address that the phone opens."""
    sent = []
    page.context.on("request", lambda request: sent.append(request.url)
                    if re.search(r"maps\.apple\.com|www\.google\.com/maps", request.url) else None)
    return sent


def photo_sheet(page):
    page.get_by_role("button", name=re.compile("photo|camera", re.I)).first.click()
    sheet = page.get_by_role("dialog").filter(has=page.get_by_text(words("Take a new photo")))
    expect(sheet).to_be_visible()
    return sheet


def lost_items(someone, lost, other):
    """Returns the pages of an item that is reported lost, with a finder's message, and of other labels."""
    def label(item):
        url = someone.call("POST", f"/tracking/items/{item['id']}/label", {}, expect=201)["url"]
        return url.removeprefix(someone.server.url)

    path = f"/tracking/items/{lost['id']}"
    long = "Please call me at any time of the day. I am very attached to this bag. " * 3
    someone.call("PUT", f"{path}/lost", {
        "message": long, "contact": "maximiliane.von.hohenzollern-sigmaringen@a-long-domain.example.org",
        "showsPhoto": True}, expect=200)
    found = label(lost)
    status, _, own = someone.server.request(
        "POST", found, {"message": long, "latitude": HOME[0], "longitude": HOME[1], "accuracy": 12})
    assert status == 201, own
    report = someone.call("GET", f"{path}/finder-reports", expect=200)["items"][0]["id"]
    link = someone.call("POST", "/tracking/live-links", {
        "itemId": lost["id"], "duration": "untilMet", "showsName": True}, expect=201)
    return {"label": found, "formerlabel": label(other), "unreported": label(other), "report": report,
            "ownreport": own["path"], "livelink": link["id"], "live": link["url"].removeprefix(someone.server.url)}
