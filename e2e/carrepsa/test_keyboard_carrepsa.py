"""More of Carrepsa with Tab, Enter and Escape only: cancelling, handover codes, disputes and decisions, search,
wallet."""

import re
import time
from functools import cached_property

import pytest
from playwright.sync_api import expect

from support.carrepsa import (
    DELIVERIES,
    LOCK,
    MINE,
    REWARD,
    START,
    act,
    action,
    amount,
    package_card,
    post,
    state,
)
from support.keys import Keyboard, button, do_by_keys, row, settled, tab
from support.pages import png_file, words

FULL = (START, 0)


class Pair:
    """An owner, a carrier, and a package of the owner. Each has a keyboard on their own page from its first use."""

    def __init__(self, carrepsa, sign_in):
        self.sign_in = sign_in
        self.olga, self.karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
        self.package = post(self.olga, f"Parcel of {self.olga.id[-6:]}")
        self.title = self.package["title"]
        self.address = f"/carrepsa/packages/{self.package['id']}"

    @cached_property
    def hers(self):
        return Keyboard(self.sign_in(self.olga))

    @cached_property
    def his(self):
        return Keyboard(self.sign_in(self.karl))


@pytest.fixture
def pair(engine, carrepsa, sign_in):
    return Pair(carrepsa, sign_in)


def is_open(page, address):
    page.goto(address)
    settled(page)
    expect(page.locator("[data-live].htmx-request")).to_have_count(0)


@pytest.mark.spec("C-12")
def test_new_user_signs_up(engine, server, phone):
    page = phone(server)
    keys = Keyboard(page)
    page.goto("/carrepsa")
    keys.enter(page.get_by_role("link", name=words("Sign up")))
    email = f"by-keys-{time.time_ns()}@example.org"
    number = page.get_by_label(re.compile("phone", re.I))
    keys.type(page.locator("#name"), "Nora").type(page.locator("#email"), email)
    keys.type(page.locator("#password"), "correct horse battery").enter()
    expect(number).to_have_attribute("aria-invalid", "true")
    expect(number).to_be_focused()
    # The server never sends a password back.
    keys.type(number, "+49 151 7654321").type(page.locator("#password"), "correct horse battery").enter()
    expect(page).to_have_url(re.compile("/carrepsa/packages$"))
    settled(page)
    keys.goes(tab(page, "Profile"), "/carrepsa/profile$")
    expect(page.get_by_role("main")).to_contain_text(email)
    expect(page.locator("#balance")).to_have_text(amount(START))


def test_package_is_described_with_photo_and_day(carrepsa, pair):
    keys = pair.hers
    page = keys.page
    is_open(page, "/carrepsa/packages/new")
    for label, text in (("title", "Vase"), ("from", "Aachen"), ("to", "Bonn"), ("weight", "2"), ("reward", "5"),
                        ("moneyLock", "9")):
        keys.type(page.locator(f"#{label}"), text)
    more = page.locator("summary", has_text="More details")
    keys.enter(more)
    keys.type(page.get_by_label("Description"), "It is made of glass.")
    keys.type(page.get_by_label("Pick up by"), "05052031")
    photo = page.locator("[data-photo-pick]")
    keys.enter(photo)
    keys.enter(page.get_by_role("dialog").get_by_role("button", name=words("Select from photo library")))
    with page.expect_file_chooser() as chooser:
        keys.enter(page.locator("dialog.sheet[open]").get_by_label("Choose from this phone"))
    chooser.value.set_files(png_file())
    expect(photo).to_be_focused()
    do_by_keys(keys, "Request delivery")
    own = pair.olga.call("GET", "/carrepsa/packages?role=owner", expect=200)["items"]
    package = next(one for one in own if one["title"] == "Vase")
    assert package["description"] == "It is made of glass." and package["pictureId"]
    assert package["deadline"].startswith("2031-05-0")


@pytest.mark.spec("C-04", "C-05", "C-06", "C-07", "C-08")
def test_delivery_is_cancelled_by_each_side_and_the_request_withdrawn(carrepsa, pair):
    zoe = carrepsa.add_person("Zoe")
    hers, his = pair.hers.page, pair.his.page
    act(pair.karl, pair.package, "acceptance")
    is_open(his, "/carrepsa/packages?role=carrier")
    expect(package_card(his, pair.title)).to_be_visible()
    is_open(hers, pair.address)
    do_by_keys(pair.hers, "Cancel delivery")
    expect(hers).to_have_url(MINE)
    carrepsa.has(FULL, FULL, FULL)
    assert state(pair.olga, pair.package) == "available"
    expect(package_card(hers, pair.title)).to_contain_text(re.compile("available", re.I))
    # The carrier's open list follows.
    expect(package_card(his, pair.title)).to_have_count(0)

    act(pair.karl, pair.package, "acceptance")
    is_open(his, pair.address)
    expect(package_card(hers, pair.title)).to_contain_text(re.compile("accepted", re.I))
    do_by_keys(pair.his, "Cancel delivery")
    expect(his).to_have_url(DELIVERIES)
    expect(his.locator("[aria-current=page]").filter(has_text=words("My deliveries"))).to_be_visible()
    carrepsa.has(FULL, FULL, FULL)
    expect(package_card(hers, pair.title)).to_contain_text(re.compile("available", re.I))
    expect(package_card(his, pair.title)).to_have_count(0)

    # Another carrier delivers it.
    act(zoe, pair.package, "acceptance")
    carrepsa.has((START - REWARD, REWARD), FULL, (START - LOCK, LOCK))
    act(pair.olga, pair.package, "pickup")
    act(pair.olga, pair.package, "delivery")
    done = [(START - REWARD, 0), FULL, (START + REWARD, 0)]
    carrepsa.has(*done)
    pair.karl.call("GET", pair.address, expect=404)

    other = post(pair.olga, f"Lamp of {pair.olga.id[-6:]}")
    is_open(his, "/carrepsa/packages")
    expect(package_card(his, other["title"])).to_be_visible()
    is_open(hers, f"/carrepsa/packages/{other['id']}")
    do_by_keys(pair.hers, "Cancel request")
    expect(hers).to_have_url(MINE)
    expect(hers.locator("[aria-current=page]").filter(has_text=words("My packages"))).to_be_visible()
    carrepsa.has(*done)
    for page in (hers, his):
        expect(package_card(page, other["title"])).to_have_count(0)
    pair.olga.call("GET", f"/carrepsa/packages/{other['id']}", expect=404)


def test_delivery_is_cancelled_by_owner_and_carrier_on_the_way(carrepsa, pair):
    act(pair.karl, pair.package, "acceptance")
    act(pair.olga, pair.package, "pickup")
    for label in ("Ask to cancel", "Take the request back", "I have delivered it"):
        is_open(pair.his.page, pair.address)
        do_by_keys(pair.his, label)
    assert pair.olga.call("GET", pair.address, expect=200)["deliveryReportedAt"]
    act(pair.olga, pair.package, "cancellation-request")
    is_open(pair.his.page, pair.address)
    do_by_keys(pair.his, "Agree to cancel")
    assert state(pair.olga, pair.package) == "cancelled"
    carrepsa.has(FULL, FULL)


def test_focus_stays_nearby_when_its_element_is_removed(carrepsa, pair):
    act(pair.karl, pair.package, "acceptance")
    is_open(pair.hers.page, pair.address)
    cancel = action(pair.hers.page, "Cancel delivery")
    pair.hers.to(cancel)
    act(pair.karl, pair.package, "acceptance", method="DELETE", expect=200)
    expect(cancel).to_have_count(0)
    pair.hers.keeps_focus()


def test_handover_is_confirmed_by_code(carrepsa, pair):
    act(pair.karl, pair.package, "acceptance")
    is_open(pair.hers.page, pair.address)
    show = button(pair.hers.page, "Show my code")
    pair.hers.enter(show)
    code = pair.hers.page.locator("output.code")
    expect(code).to_be_visible()
    hide = button(pair.hers.page, "Hide my code")
    expect(hide).to_be_focused()
    expect(show).to_be_hidden()
    pair.hers.enter(hide)
    expect(code).to_have_count(0)
    expect(show).to_be_focused()
    pair.hers.enter(show)
    expect(code).to_be_visible()
    # The owner doesn't need a code but can show one.
    entered = pair.hers.page.get_by_label(words("Code"))
    expect(entered).to_be_hidden()
    pair.hers.enter(pair.hers.page.locator("summary", has_text="Enter Karl’s code"))
    expect(entered).to_be_visible()
    pair.hers.enter()
    expect(entered).to_be_hidden()

    is_open(pair.his.page, pair.address)
    field = pair.his.page.get_by_label(words("Code"))
    digits = re.sub(r"\D", "", code.inner_text())
    pair.his.type(field, digits[:-1] + str((int(digits[-1]) + 1) % 10)).enter()
    expect(pair.his.page.get_by_text("This is not Olga’s code.")).to_be_visible()
    expect(field).to_be_focused()
    pair.his.type(field, digits).enter()
    expect(pair.his.page).not_to_have_url(re.compile(pair.address))
    assert state(pair.olga, pair.package) == "travelling"
    carrepsa.has((START - REWARD, REWARD), (START - LOCK, LOCK))


def test_problem_is_reported_and_decided_by_an_operator(carrepsa, pair, sign_in):
    vera = carrepsa.add_person("Vera", is_operator=True)
    act(pair.karl, pair.package, "acceptance")
    act(pair.olga, pair.package, "pickup")
    page = pair.hers.page
    is_open(page, pair.address)
    fold, send = page.locator("summary", has_text="Report a problem"), page.locator("#step-dispute button")
    expect(send).to_be_hidden()
    pair.hers.enter(fold)
    expect(fold).to_be_focused()
    pair.hers.enter(send)
    reason = page.get_by_label("What is wrong?")
    expect(page.get_by_text("Say what is wrong.")).to_be_visible()
    kind = page.get_by_label("What is it about?")
    expect(kind).to_be_focused()
    kind.press("ArrowDown")
    expect(kind).to_have_value("notDelivered")
    pair.hers.type(reason, "It never came.").enter(send)
    expect(page).not_to_have_url(re.compile(pair.address))
    assert pair.karl.call("GET", pair.address, expect=200)["disputedAt"]

    act(pair.karl, pair.package, "statements", body={"statement": "It is at the door."})
    keys = Keyboard(sign_in(vera))
    page = keys.page
    is_open(page, "/carrepsa/disputes")
    keys.goes(row(page, pair.title), f"{pair.address}$")
    keys.type(page.get_by_label(re.compile("^Reason")), "The neighbour has it.")
    keys.confirms(button(page, "It was delivered"))
    expect(page).to_have_url(re.compile("/carrepsa/disputes$"))
    act(pair.olga, pair.package, "decision/acceptance")
    act(pair.karl, pair.package, "decision/acceptance")
    assert state(pair.karl, pair.package) == "delivered"
    carrepsa.has((START - REWARD, 0), (START + REWARD, 0), FULL)


def test_package_is_searched_for_and_its_owner_viewed(carrepsa, pair):
    town = f"Ort {pair.olga.id[-6:]}"
    near = post(pair.olga, f"Near {pair.olga.id[-6:]}", to=town)
    keys = pair.his
    page = keys.page
    is_open(page, "/carrepsa/packages")
    expect(package_card(page, pair.title)).to_be_visible()
    keys.type(page.locator("#filter-from"), "aach").type(page.locator("#filter-to"), town)
    expect(package_card(page, pair.title)).to_have_count(0)
    expect(page.locator("#filter-to")).to_be_focused()
    keys.type(page.locator("#filter-weight"), "1.1")
    expect(package_card(page, near["title"])).to_have_count(0)
    keys.type(page.locator("#filter-weight"), "1.5").enter()
    expect(package_card(page, near["title"])).to_be_visible()
    expect(page.locator("#filter-weight")).to_be_focused()
    found = page.url
    assert "kilograms=1.5" in found
    keys.goes(package_card(page, near["title"]).get_by_role("link", name=words(near["title"])), near["id"])
    keys.goes(row(page, "Olga"), f"/carrepsa/people/{pair.olga.id}")
    expect(page.get_by_text("Contact details are hidden")).to_be_visible()
    keys.goes(page.locator("[data-back]"), near["id"])
    keys.goes(page.locator("[data-back]"), re.escape(found) + "$")
    expect(page.locator("#filter-to")).to_have_value(town)


def test_wallet_is_viewed(carrepsa, pair):
    keys = pair.hers
    page = keys.page
    is_open(page, "/carrepsa/profile")
    expect(page.locator("#balance")).to_have_text(amount(START - REWARD))
    keys.goes(page.locator("a.wallet"), "/carrepsa/wallet/entries$")
    held = page.locator("details", has=page.locator("#held"))
    keys.enter(held.locator("summary"))
    expect(held.get_by_role("link", name=pair.title)).to_be_visible()
    keys.to(held.get_by_role("link", name=pair.title))
    movement = page.locator(".movements details").first
    keys.enter(movement.locator("summary"))
    expect(movement).to_contain_text("It goes to the carrier on delivery")
    keys.goes(movement.get_by_role("link", name=words("Open package")), rf"{pair.address}\?from=wallet$")
    keys.goes(page.locator("[data-back]"), "/carrepsa/wallet/entries$")


@pytest.mark.spec("C-11")
def test_name_phone_and_email_are_changed_in_dialogs(carrepsa, pair):
    keys = pair.hers
    page = keys.page
    is_open(page, "/carrepsa/profile")
    for title, key, good in (("Name", "name", "Olga Petrowa"), ("Phone", "phone", "+491705550123"),
                             ("Mail", "email", f"olga.{pair.olga.id[-12:]}@example.org")):
        settled(page)
        popup = page.get_by_role("dialog", name=words(title))
        opener = page.get_by_role("main").get_by_role("button", name=re.compile(rf"^{title}\b"))
        text = popup.locator("input:not([type=hidden])").first
        if key == "name":
            keys.opens_and_escapes(opener, popup)
        keys.enter(opener)
        expect(text).to_be_focused()
        if key == "name":
            keys.type(text, "x" * 51).enter()
            expect(text).to_have_attribute("aria-invalid", "true")
            expect(text).to_be_focused()
            # The input would be lost, so a confirmation opens first.
            keys.type(text, good).escape()
            question = page.get_by_role("alertdialog")
            expect(question).to_contain_text("Discard")
            keys.escape()
            expect(text).to_be_focused()
            keys.escape()
            expect(question).to_contain_text("Discard")
            keys.answer("Discard")
            expect(popup).to_have_count(0)
            keys.enter(opener)
        keys.type(text, good)
        expect(text).to_be_focused()
        if key == "email":  # the email decides who owns the account
            keys.type(popup.get_by_label("Your password"), pair.olga.password)
        keys.enter()
        expect(popup).to_have_count(0)
        expect(page.get_by_role("main")).to_contain_text(good)
        assert pair.olga.call("GET", "/account", expect=200)[key] == good
