"""App lock, passkeys, notifications, safe places, colour scheme, installation and pending changes with Tab, Enter and
Escape only."""

import re

import pytest
from playwright.sync_api import expect

from support.keys import Keyboard, button, heading, row, settled
from support.offline import chip, is_refused, see, waiting, waits, with_worker
from support.pages import IPHONE, card, name_field, until, words
from support.passkeys import Authenticator
from support.push_service import PushService, push_phone, wait_shown
from support.server import Person

PASSCODE, OTHER = "271828", "314159"


def open_by_keys(keys, place, *names):
    """Follows the links from one page to another."""
    keys.page.goto(place)
    for name in names:
        settled(keys.page)
        keys.enter(row(keys.page, name))
        expect(keys.page.get_by_role("heading", level=1)).to_be_visible()
        keys.page.wait_for_load_state("load")
    settled(keys.page)


def type_new(keys, first, second):
    keys.type(keys.page.get_by_label("New passcode"), first)
    keys.type(keys.page.get_by_label("Repeat the passcode"), second).enter()


def test_passcode_is_set_used_reset_and_turned_off(engine, person, sign_in):
    ada = person("Ada")
    page = sign_in(ada)
    keys = Keyboard(page)
    open_by_keys(keys, "/account", "App lock", "Set a passcode")
    type_new(keys, PASSCODE, OTHER)
    expect(page.get_by_text("not the same").first).to_be_visible()
    type_new(keys, PASSCODE, PASSCODE)
    expect(page.get_by_text(words("Passcode set"))).to_be_visible()
    assert ada.call("GET", "/lock", expect=200)["passcodeSet"]

    open_by_keys(keys, "/account", "App lock")
    keys.enter(button(page, "Lock now"))
    expect(heading(page, "Locked")).to_be_visible()
    # The field already has the focus.
    page.keyboard.type("000000")
    keys.enter()
    expect(page.get_by_text("That is not the passcode").first).to_be_visible()
    keys.type(page.get_by_label(words("Passcode")), PASSCODE).enter()
    expect(heading(page, "App lock")).to_be_visible()

    settled(page)
    keys.enter(row(page, "Change passcode"))
    expect(heading(page, "Change passcode")).to_be_visible()
    settled(page)
    keys.type(page.get_by_label("Current passcode"), PASSCODE)
    type_new(keys, OTHER, OTHER)
    expect(page.get_by_text(words("Passcode changed"))).to_be_visible()

    open_by_keys(keys, "/account", "App lock", "Turn passcode off")
    keys.type(page.get_by_label("Current passcode"), OTHER).enter()
    expect(page.get_by_text(words("Passcode turned off"))).to_be_visible()
    assert not ada.call("GET", "/lock", expect=200)["passcodeSet"]


def test_passkey_is_created_used_and_removed(engine, person, sign_in):
    ada = person("Ada")
    page = sign_in(ada)
    authenticator = Authenticator(page)
    keys = Keyboard(page)
    ada.call("PUT", "/lock/passcode", {"passcode": PASSCODE, "repeat": PASSCODE}, expect=204)
    open_by_keys(keys, "/account", "App lock", "Touch ID")
    keys.type(page.get_by_label("Your password"), ada.password)
    keys.enter(button(page, "Enable"))
    expect(page).not_to_have_url(re.compile("touch-id"))
    assert len(authenticator.credentials()) == 1

    # The page requests the passkey at once, and the request fails. The button repeats it.
    authenticator.knows_owner(False)
    open_by_keys(keys, "/account", "App lock")
    keys.enter(button(page, "Lock now"))
    expect(page.get_by_text("Enter your passcode, or try again.")).to_be_visible()
    authenticator.knows_owner()
    keys.enter(button(page, "Unlock with Touch ID"))
    expect(heading(page, "App lock")).to_be_visible()

    open_by_keys(keys, "/account", "Passkeys")
    remove = page.get_by_role("button", name=re.compile("^remove", re.I))
    keys.opens_and_escapes(remove, page.get_by_role("alertdialog"))
    keys.enter(remove).answer("Remove")
    expect(page.get_by_role("listitem").filter(has_text="Chrome on Android")).to_have_count(0)
    assert not ada.call("GET", "/lock", expect=200)["passkeySet"]


@pytest.fixture
def push():
    service = PushService()
    yield service
    service.close()


def test_notifications_are_turned_on_and_read(playwright, own_server, push):
    server = own_server(environment=push.environment())
    ada = Person(server)
    with push_phone(playwright, ada, push) as page:
        keys = Keyboard(page)
        open_by_keys(keys, "/account", "Notifications")
        keys.enter(button(page, "Turn on notifications"))
        expect(page.get_by_text("Notifications are on")).to_be_visible(timeout=30_000)
        assert push.connected.wait(30)
        keys.enter(button(page, "Send a test notification"))
        expect(page.get_by_text("Sent. It should appear in a moment.")).to_be_visible()
        wait_shown(page)
        # The space bar toggles a switch.
        keys.to(page.get_by_role("switch", name="Hide details"))
        page.keyboard.press("Space")
        expect(page.get_by_role("switch", name="Hide details")).to_be_checked()
        keys.enter(button(page, "Save"))
        expect(page.get_by_text("Saved", exact=True)).to_be_visible()

        page.goto("/")
        settled(page)
        keys.enter(page.get_by_role("link", name="Notifications, 1 unread"))
        expect(heading(page, "Notifications")).to_be_visible()
        settled(page)
        keys.to(page.get_by_role("link", name="Notifications work"))
        keys.enter(button(page, "Mark all as read"))
        expect(button(page, "Mark all as read")).to_have_count(0)
        keys.enter(page.get_by_role("link", name="Notifications work"))
        expect(page).to_have_url(re.compile("/account/notifications$"))


def test_a_safe_place_is_added_and_deleted_and_alerts_are_chosen(engine, person, sign_in):
    ada = person("Ada")
    page = sign_in(ada)
    keys = Keyboard(page)
    open_by_keys(keys, "/account", "Too far away", "Safe places")
    keys.enter(page.locator("header").get_by_role("link", name=words("Add a safe place")))
    expect(heading(page, "Add a safe place")).to_be_visible()
    settled(page)
    # By coordinates instead of the map.
    keys.type(page.get_by_label("Name"), "Home").type(page.get_by_label("Latitude"), "50.7753")
    keys.type(page.get_by_label("Longitude"), "6.0839").enter()
    place = page.locator("main").get_by_role("link", name=re.compile("^home", re.I))
    expect(place).to_be_visible()
    settled(page)
    keys.enter(place)
    expect(heading(page, "Safe place")).to_be_visible()
    settled(page)
    delete = page.locator("main").get_by_role("button", name=words("Delete"))
    keys.opens_and_escapes(delete, page.get_by_role("alertdialog"))
    keys.enter(delete).answer("Delete")
    expect(page.get_by_text("No safe places yet")).to_be_visible()

    open_by_keys(keys, "/account", "Too far away")
    keys.enter(page.get_by_role("button", name=re.compile("only when sure", re.I)))
    expect(page.locator("[aria-current=true]", has_text="Only when sure")).to_be_visible()
    assert ada.call("GET", "/tracking/alerts", expect=200) == {"mode": "whenSure"}

    # The alert distance of one item, and the default for new items.
    item = ada.add_item("Keys")
    page.goto(f"/tracking/items/{item['id']}/edit")
    settled(page)
    keys.enter(page.locator("#advanced > summary"))
    keys.type(page.get_by_label(re.compile("^Warn when")), "40").enter()
    expect(heading(page, "Keys")).to_be_visible()
    open_by_keys(keys, "/account", "Distances and interval")
    keys.type(page.get_by_label(re.compile("^Warn when")), "60").enter()
    expect(page.get_by_text(words("Saved for new items"))).to_be_visible()
    assert ada.call("GET", f"/tracking/items/{item['id']}", expect=200)["settings"]["alertMetres"] == 40
    assert ada.add_item("Bag")["settings"]["alertMetres"] == 60


def test_colour_scheme_is_chosen_and_iphone_install_hint_is_shown(engine, person, sign_in):
    ada = person("Ada")
    page = sign_in(ada, user_agent=IPHONE)
    page.context.add_init_script("Object.defineProperty(navigator, 'standalone', { value: false, configurable: true })")
    keys = Keyboard(page)
    open_by_keys(keys, "/account", "Light or dark")
    keys.enter(button(page, "Dark"))
    expect(page.locator("html")).to_have_attribute("data-scheme", "dark")
    assert ada.call("GET", "/account", expect=200)["appearance"] == "dark"
    expect(page.get_by_text("Add to Home Screen")).to_be_visible()
    settled(page)
    # The button after the hint can be reached and shows its focus.
    keys.to(button(page, "Sign out"))


def test_install_prompt_is_opened(engine, server, person, sign_in):
    page = sign_in(person())
    # The browser's prompt needs a profile (test_install). Here an event replaces it.
    page.add_init_script("""addEventListener("DOMContentLoaded", () => {
        const question = new Event("beforeinstallprompt", { cancelable: true });
        question.prompt = async () => { window.asked = true; };
        dispatchEvent(question);
    });""")
    page.goto("/account")
    settled(page)
    keys = Keyboard(page)
    install = page.get_by_role("button", name=re.compile("^Install on this device"))
    keys.enter(install)
    until(page, "() => window.asked === true")


@pytest.mark.service_worker
def test_pending_changes_are_viewed_discarded_reopened_and_sent(engine, person, sign_in):
    ada = person("Ada")
    item = ada.add_item("Keys")
    page = with_worker(sign_in(ada))
    keys = Keyboard(page)
    path = f"/tracking/items/{item['id']}"
    for place in ("/tracking/items", path, f"{path}/edit", "/tracking/items/new"):
        see(page, place)
    page.context.set_offline(True)
    page.goto(f"{path}/edit")
    keys.type(page.locator("#name"), "Car keys").enter()
    waits(page, 1)
    page.goto("/tracking/items/new")
    keys.type(name_field(page), "Umbrella").enter()
    waits(page, 2)
    expect(heading(page, "Items")).to_be_visible()
    sheet = page.get_by_role("dialog", name="Waiting changes")
    keys.opens_and_escapes(chip(page), sheet)
    keys.enter(chip(page))
    expect(sheet).to_be_visible()
    discard = sheet.get_by_role("listitem").nth(1).get_by_role("button", name=words("Discard"))
    keys.enter(discard).answer("Discard")
    expect(sheet.get_by_role("listitem")).to_have_count(1)
    keys.escape()
    expect(sheet).to_be_hidden()

    # The item was changed elsewhere. The change is reported, reopened, and saved again.
    ada.call("PATCH", path, {"name": "House keys"}, expect=200)
    page.context.set_offline(False)
    is_refused(page, 1)
    keys.enter(chip(page))
    keys.enter(sheet.get_by_role("button", name=words("Open the form again")))
    expect(page.locator("#name")).to_have_value("Car keys")
    keys.to(page.locator("#name")).enter()
    expect(heading(page, "Car keys")).to_be_visible()
    waits(page, 0)
    assert waiting(page) == []
    page.goto("/tracking/items")
    expect(card(page, "Car keys")).to_be_visible()
