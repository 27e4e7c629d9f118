"""The child's side of the family: F-10 and F-14 to F-18."""

import re
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from conftest import ARGUMENTS, CHROMIUM
from support.children import (
    BORN, Clock, Household, open_tab, own_card, sibling_card, sign_in_by_link, sign_out_by_menu,
)
from support.codes import seen_in, show_to_camera
from support.pages import FIVE_SECONDS, ONE_SECOND, until, words

TEN_MINUTES = 600


@pytest.fixture
def home(server):
    """Paula with Mia and Ben."""
    parent = Household(server)
    return SimpleNamespace(parent=parent, mia=parent.child("Mia", theme="ocean"), ben=parent.child("Ben"))


@pytest.fixture
def camera(playwright, tmp_path):
    """A phone whose camera sees what the test holds before it."""
    browsers = []
    view = tmp_path / "view.y4m"

    def open_with(server, text=None, is_damaged=False):
        show_to_camera(view, text, is_damaged)
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, headless=True, args=[*ARGUMENTS, f"--use-file-for-fake-video-capture={view}"])
        browsers.append(browser)
        settings = {**playwright.devices["Pixel 7"], "base_url": server.url, "locale": "en-GB"}
        settings.pop("default_browser_type", None)
        return browser.new_context(**settings).new_page()

    yield open_with
    for browser in browsers:
        browser.close()


def shown_code(page):
    """The code that stands on the page, read off the screen."""
    picture = page.locator("figure.qr")
    expect(picture).to_be_visible()
    return seen_in(picture)


def shows_another(page, before):
    """Within a second of what happened, and the round trip that makes the next code."""
    card = page.locator("[data-code]")
    expect(card).to_be_visible()
    expect(card).not_to_have_attribute("data-code", before, timeout=FIVE_SECONDS)


def open_code_page(page, child):
    page.goto("/family")
    page.get_by_role("main").get_by_role("link", name=child["name"]).first.click()
    page.wait_for_url(re.compile(f"/family/children/{child['id']}$"))
    page.locator("header a.bar-icon").click()
    page.get_by_role("dialog").get_by_role("link", name=words("QR code Scan")).click()
    page.wait_for_url(re.compile("/sign-in-codes$"))
    expect(page.locator("[data-code]")).to_be_visible()


def is_signed_in(page):
    return any("session" in cookie["name"]
               for cookie in page.context.cookies())


def tap_scan(page):
    """The scan button stands at the top right of the login page."""
    page.goto("/sign-in")
    button = page.locator("header a[href='/family/scan']")
    box = button.bounding_box()
    assert box["x"] > page.viewport_size["width"] * 0.7 and box["y"] < 120
    button.click()


def open_scanner(page):
    tap_scan(page)
    size = page.viewport_size
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("video")).to_be_visible()
    # It covers the login page, which stays where it is.
    expect(dialog).to_have_css("height", f"{size['height']}px")


# The code ------------------------------------------------------------------------------------------------------------

@pytest.mark.smoke
@pytest.mark.spec("F-10-N")
def test_a_parent_shows_a_code_and_each_is_replaced(engine, server, home, sign_in, phone):
    page = sign_in(home.parent)
    open_code_page(page, home.mia)
    text = shown_code(page)
    assert text == page.locator("#code-link").inner_text()
    assert text.startswith(f"{server.url}/family/sign-in?code=")
    assert len(text.split("code=")[1]) >= 22, "128 bits in base64url"
    expect(page.get_by_role("list").get_by_role("listitem").first).to_contain_text("scan button")

    # A used code makes room for the next one by itself.
    before = page.locator("[data-code]").get_attribute("data-code")
    sign_in_by_link(phone(server), {"url": text}, "Mia")
    shows_another(page, before)
    expect(page.get_by_role("status").filter(has_text="Mia is signed in")).to_be_visible()
    assert shown_code(page) != text

    # So does one that is voided elsewhere.
    before = page.locator("[data-code]").get_attribute("data-code")
    home.parent.call("DELETE", f"/family/children/{home.mia['id']}/sign-in-codes", expect=204)
    shows_another(page, before)

    # One that a newer one replaced is not fought over.
    home.parent.code(home.mia)
    expect(page.locator("[data-code]")).to_have_count(0, timeout=FIVE_SECONDS)
    page.get_by_role("button", name=words("Show a new code")).click()
    expect(page.locator("[data-code]")).to_be_visible()

    # Nothing of it is kept anywhere.
    for path in (page.url, page.url + "?again"):
        answer = page.request.get(path)
        assert "no-store" in answer.headers["cache-control"]


@pytest.mark.spec("F-10-N")
def test_an_expired_code_is_replaced_on_the_open_page(own_server, phone, sign_in):
    server = own_server()
    parent = Household(server)
    mia = parent.child("Mia")
    page = sign_in(parent)
    page.clock.install()
    open_code_page(page, mia)
    text, before = shown_code(page), page.locator("[data-code]").get_attribute("data-code")
    Clock(server).age_codes(TEN_MINUTES)
    page.clock.fast_forward(TEN_MINUTES * 1000)
    shows_another(page, before)
    assert shown_code(page) != text
    status, _, _ = server.request("POST", "/family/sign-in", {"code": text.split("code=")[1]})
    assert status == 404


@pytest.mark.spec("F-10-N")
def test_an_expired_code_lets_nobody_in(own_server, phone):
    server = own_server()
    parent = Household(server)
    code = parent.code(parent.child("Mia"))
    page = phone(server)
    page.goto(code["url"])
    button = page.get_by_role("button", name=words("Sign in as Mia"))
    expect(button).to_be_visible()
    Clock(server).age_codes(TEN_MINUTES)
    button.click()
    for _ in range(2):
        expect(page.get_by_text("This code is not good any more")).to_be_visible()
        expect(page).to_have_url(re.compile("/sign-in$"))
        assert not is_signed_in(page)
        page.goto(code["url"])
    assert server.request("POST", "/family/sign-in", {"code": code["code"]})[0] == 404


@pytest.mark.spec("F-10-B")
def test_twins_have_different_codes(engine, home, sign_in):
    twin = home.parent.child("Mia", theme="ocean")
    page = sign_in(home.parent)
    texts = []
    for child in (home.mia, twin):
        page.goto(f"/family/children/{child['id']}/sign-in-codes")
        texts.append(shown_code(page))
    assert texts[0] != texts[1]
    for child, text in zip((home.mia, twin), texts):
        status, _, answer = home.parent.server.request("POST", "/family/sign-in", {"code": text.split("code=")[1]})
        assert (status, answer["child"]["id"]) == (201, child["id"])


@pytest.mark.spec("F-10-A")
def test_offline_no_code_is_shown(engine, home, sign_in):
    page = sign_in(home.parent)
    open_code_page(page, home.mia)
    text = shown_code(page)
    page.context.set_offline(True)
    expect(page.locator("figure.qr")).to_have_count(0)
    expect(page.locator("main")).to_contain_text("No connection: no code can be shown")
    expect(page.locator("main")).not_to_contain_text(text)
    page.context.set_offline(False)
    expect(page.locator("[data-code]")).to_be_visible()
    assert shown_code(page) != text

    # A page that opens while nothing can be fetched shows none either.
    page.route("**/sign-in-codes", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.reload()
    expect(page.locator("main")).to_contain_text("No connection")
    expect(page.locator("figure.qr")).to_have_count(0)


# Signing in ----------------------------------------------------------------------------------------------------------

@pytest.mark.smoke
@pytest.mark.spec("F-14-N")
def test_a_child_signs_in_by_the_link(engine, server, home, phone):
    code = home.parent.code(home.mia)
    page = phone(server)
    # Looking at the link, as previews do, uses nothing up.
    assert page.request.get(code["url"]).ok
    page.goto(code["url"])
    expect(page.locator("main")).to_contain_text("Mia")
    assert not is_signed_in(page)
    sign_in_by_link(page, code, "Mia")
    expect(own_card(page, home.mia)).to_contain_text("Mia")
    expect(sibling_card(page, home.ben)).to_contain_text("Ben")
    expect(page.locator("html")).to_have_attribute("data-theme", "ocean")
    devices = home.parent.call("GET", f"/family/children/{home.mia['id']}/devices", expect=200)["items"]
    assert [device["name"] for device in devices] == ["Chrome on Android"]

    # The second use of the same code is refused like any other wrong one.
    second = phone(server)
    second.goto(code["url"])
    expect(second).to_have_url(re.compile("/sign-in$"))
    expect(second.get_by_text("This code is not good any more")).to_be_visible()
    assert not is_signed_in(second)


@pytest.mark.spec("F-14-N")
def test_a_child_signs_in_by_the_scanner(engine, server, home, camera):
    page = camera(server, home.parent.code(home.mia)["url"])
    # The code may be read before the picture was seen.
    tap_scan(page)
    page.wait_for_url(re.compile("/family$"))
    expect(own_card(page, home.mia)).to_contain_text("Mia")
    expect(sibling_card(page, home.ben)).to_contain_text("Ben")


@pytest.mark.spec("F-14-N")
def test_a_device_is_signed_out_at_once(engine, server, home, phone, sign_in):
    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    expect(child.locator("html")).to_have_attribute("data-live", "open")
    page = sign_in(home.parent)
    page.goto(f"/family/children/{home.mia['id']}/devices")
    page.get_by_role("main").get_by_role("button", name=words("Sign out")).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words("Sign out")).click()
    expect(page.get_by_text("Not signed in anywhere")).to_be_visible()
    expect(child.locator("html")).to_have_attribute("data-live", "lost", timeout=ONE_SECOND)
    # The page notices what that means, and shows how to come in again.
    expect(own_card(child, home.mia)).to_have_count(0)
    expect(child.get_by_role("link", name=words("Scan a code"))).to_be_visible()
    child.goto("/family/account")
    child.wait_for_url(re.compile("/sign-in"))


@pytest.mark.spec("F-14-B")
def test_closing_the_scanner_leads_back_to_the_login_page(engine, server, phone):
    page = phone(server)
    open_scanner(page)
    page.get_by_role("dialog").get_by_role("button", name=words("Cancel")).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).to_have_url(re.compile("/sign-in$"))
    expect(page.get_by_text("No code was scanned")).to_be_visible()
    assert not is_signed_in(page)


@pytest.mark.spec("F-14-B")
@pytest.mark.parametrize("text, is_damaged, message", [
    ("https://example.org/", False, "This is not a code of your family"),
    ("WIFI:T:WPA;S:home;P:secret;;", False, "This is not a code of your family"),
    ("{site}/family/sign-in?code=AAAAAAAAAAAAAAAAAAAAAA", False, "This code is not good any more"),
    ("{site}/family/sign-in?code=AAAAAAAAAAAAAAAAAAAAAA", True, "No code can be read"),
], ids=["a website", "a network", "an unknown code", "a torn code"])
def test_any_other_code_stays_at_the_login_page(engine, server, camera, text, is_damaged, message):
    page = camera(server, text.replace("{site}", server.url), is_damaged)
    open_scanner(page)
    expect(page.get_by_role("dialog")).to_contain_text(message)
    expect(page).to_have_url(re.compile("/sign-in$"))
    page.keyboard.press("Escape")
    expect(page.locator("#toasts")).to_contain_text(message)
    expect(page.get_by_label(re.compile("email", re.I))).to_be_visible()
    assert not is_signed_in(page)


@pytest.mark.smoke
@pytest.mark.spec("F-14-A")
def test_a_deleted_child_cannot_sign_in(engine, server, home, phone, camera):
    code = home.parent.code(home.mia)
    page, scanning = phone(server), camera(server, code["url"])
    page.goto(code["url"])
    home.parent.call("DELETE", f"/family/children/{home.mia['id']}", expect=204)
    page.get_by_role("button", name=words("Sign in as Mia")).click()
    page.wait_for_url(re.compile("/sign-in$"))
    expect(page.get_by_text("This code is not good any more")).to_be_visible()
    assert not is_signed_in(page)
    open_scanner(scanning)
    expect(scanning.get_by_role("dialog")).to_contain_text("This code is not good any more")
    assert not is_signed_in(scanning)
    assert server.request("POST", "/family/sign-in", {"code": code["code"]})[0] == 404


# Siblings ------------------------------------------------------------------------------------------------------------

@pytest.mark.smoke
@pytest.mark.spec("F-15-N")
def test_a_sibling_is_shown_to_look_at(engine, server, home, phone):
    chore = home.parent.chore("Dishes")
    home.parent.contract(home.ben)
    home.parent.gives(home.ben, chore, 3)
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    expect(sibling_card(page, home.ben)).to_contain_text("3 of 10")
    sibling_card(page, home.ben).get_by_role("link", name="Ben").click()
    page.wait_for_url(re.compile(f"/family/children/{home.ben['id']}$"))
    main = page.locator("main")
    expect(page.get_by_role("heading", name=words("Ben"), level=1)).to_be_visible()
    expect(main).to_contain_text("3 of 10")
    expect(main).to_contain_text("3 in all")
    expect(main).to_contain_text("Ice cream")
    expect(main.locator(".my-reward.is-reached")).to_have_count(1)
    expect(main).to_contain_text("Dishes")
    expect(main).to_contain_text("+3")
    # What happens there shows here, without a reload.
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    home.parent.gives(home.ben, chore, 2)
    expect(main).to_contain_text("5 of 10", timeout=ONE_SECOND)


@pytest.mark.spec("F-15-B")
def test_every_change_of_a_sibling_is_refused(engine, server, home, phone):
    chore = home.parent.chore("Dishes")
    contract = home.parent.contract(home.ben)
    given = home.parent.gives(home.ben, chore, 3)
    before = home.parent.call("GET", f"/family/children/{home.ben['id']}", expect=200)
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    page.goto(f"/family/children/{home.ben['id']}")
    expect(page.locator("main")).to_contain_text("Ice cream")
    expect(page.locator("main form, main button, main input")).to_have_count(0)
    expect(page.locator("header a.bar-icon")).to_have_count(0)

    child = home.parent.device(home.mia)
    ben = f"/family/children/{home.ben['id']}"
    refused = [
        ("PATCH", ben, {"name": "Benno"}), ("DELETE", ben, None),
        ("POST", f"{ben}/contracts", {"maxPoints": 5, "levels": [{"reward": "Zoo", "points": 5}]}),
        ("PUT", f"{ben}/contracts/{contract['id']}/levels/1/handover", None),
        ("POST", f"{ben}/assignments", {"chores": [{"choreId": chore["id"], "points": 3}]}),
        ("DELETE", f"{ben}/assignments/{given['id']}", None),
        ("POST", f"{ben}/requests", {"choreId": chore["id"]}), ("GET", f"{ben}/requests", None),
        ("POST", f"{ben}/sign-in-codes", {}), ("DELETE", f"{ben}/sign-in-codes", None), ("GET", f"{ben}/devices", None),
    ]
    for method, path, body in refused:
        assert child.tries(method, path, body) == 403, (method, path)
        if body is not None:
            # The same as a form of a page that was made by hand.
            verb = {"POST": "", "PATCH": "?_method=patch"}[method]
            answer = page.request.post(path + verb, form={"name": "Benno", "choreId": chore["id"]},
                                       headers={"Accept": "text/html"}, max_redirects=0)
            assert answer.status in (303, 403), (method, path, answer.status)
    for path in (f"{ben}/edit", f"{ben}/contracts/new", f"{ben}/assignments/new", f"{ben}/sign-in-codes"):
        assert page.request.get(path, headers={"Accept": "text/html"}).status == 403, path
    assert home.parent.call("GET", ben, expect=200) == before


@pytest.mark.spec("F-15-A")
def test_a_deleted_siblings_card_goes_by_itself(engine, server, home, phone):
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    expect(sibling_card(page, home.ben)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    home.parent.call("DELETE", f"/family/children/{home.ben['id']}", expect=204)
    expect(sibling_card(page, home.ben)).to_have_count(0, timeout=ONE_SECOND)
    assert page.request.get(f"/family/children/{home.ben['id']}").status == 404


# One's own profile ---------------------------------------------------------------------------------------------------

def open_edit(page):
    open_tab(page, "Account")
    page.wait_for_url(re.compile("/family/account$"))
    page.get_by_role("main").get_by_role("link", name=words("Edit")).click()
    page.wait_for_url(re.compile("/family/account/edit$"))


def update(page):
    page.get_by_role("button", name=words("Update")).click()


@pytest.mark.smoke
@pytest.mark.spec("F-16-N")
def test_a_child_edits_itself(engine, server, home, phone, sign_in):
    page, parent = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia"), sign_in(home.parent)
    parent.goto("/family")
    open_edit(page)
    expect(page.get_by_label(words("Name"))).to_have_value("Mia")
    expect(page.get_by_label(words("Date of birth"))).to_have_value(BORN)
    expect(page.locator("input[name=theme]:checked")).to_have_value("ocean")
    expect(page.locator("input[name=avatarPictureId]:checked")).to_have_value(home.mia["avatarPictureId"])
    page.get_by_label(words("Name")).fill("Mia 🦄")
    page.get_by_label(words("Date of birth")).fill("2016-02-29")
    page.get_by_role("radio", name=words("Space")).check()
    page.get_by_role("radio", name=words("Rocket")).check()
    avatar = page.locator("input[name=avatarPictureId]:checked").get_attribute("value")
    update(page)
    page.wait_for_url(re.compile("/family/account$"))
    expect(page.locator("main")).to_contain_text("Mia 🦄")
    expect(page.locator("main")).to_contain_text("29 February 2016")
    expect(page.locator("html")).to_have_attribute("data-theme", "space")
    expect(page.locator(f"main img[src*='{avatar}']")).to_be_visible()
    open_tab(page, "Family")
    expect(own_card(page, home.mia)).to_contain_text("Mia 🦄")
    expect(parent.locator("main")).to_contain_text("Mia 🦄")
    stored = home.parent.call("GET", f"/family/children/{home.mia['id']}", expect=200)
    assert (stored["name"], stored["dateOfBirth"], stored["theme"], stored["avatarPictureId"]) == (
        "Mia 🦄", "2016-02-29", "space", avatar)


@pytest.mark.spec("F-16-B")
def test_a_child_leaves_fields_empty(engine, server, home, phone):
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    open_edit(page)
    page.get_by_label(words("Name")).fill("")
    page.get_by_label(words("Date of birth")).fill("")
    page.get_by_text("Own photo").locator("xpath=preceding-sibling::input").or_(
        page.locator("input[value=photo]")).first.check()
    update(page)
    for field in ("Name", "Date of birth"):
        expect(page.get_by_label(words(field))).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#name-error")).not_to_be_empty()
    expect(page.locator("#dateOfBirth-error")).not_to_be_empty()
    expect(page.locator("[data-photo-error], #avatar-error").filter(has_text=re.compile(r"\w"))).to_have_count(1)
    stored = home.parent.call("GET", f"/family/children/{home.mia['id']}", expect=200)
    assert (stored["name"], stored["dateOfBirth"], stored["avatarPictureId"]) == (
        "Mia", BORN, home.mia["avatarPictureId"])


@pytest.mark.spec("F-16-A")
def test_a_child_takes_the_same_data_as_another(engine, server, home, phone):
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    open_edit(page)
    page.get_by_label(words("Name")).fill("Ben")
    page.locator(f"input[name=theme][value='{home.ben['theme']}']").check()
    page.locator(f"input[name=avatarPictureId][value='{home.ben['avatarPictureId']}']").check()
    update(page)
    page.wait_for_url(re.compile("/family/account$"))
    open_tab(page, "Family")
    expect(own_card(page, home.mia)).to_contain_text("Ben")
    expect(sibling_card(page, home.ben)).to_contain_text("Ben")


# Signing out ---------------------------------------------------------------------------------------------------------

def stays_signed_in(page, server, clock_of):
    """Ten minutes' use: the page's clock runs on, and to the server every session gets as old as if it had passed."""
    tabs = page.get_by_role("navigation").get_by_role("link", name=words("Account"))
    for step in range(10):
        clock_of.age_sessions(TEN_MINUTES // 10)
        page.clock.fast_forward(TEN_MINUTES // 10 * 1000)
        expect(tabs).to_be_visible()
        open_tab(page, "Account" if step % 2 == 0 else "Family")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert "/sign-in" not in page.url
        expect(tabs).to_be_visible()
    cookie = next(cookie for cookie in page.context.cookies() if "session" in cookie["name"])
    assert cookie["expires"] > 0, "the cookie must outlive the browser"
    assert page.request.get("/family").ok
    assert page.request.get("/family", headers={"Accept": "application/json"}).status != 401


def outlives_the_network_and_the_app(page, phone, server, name):
    page.goto("/family")
    page.context.set_offline(True)
    until(page, "() => !navigator.onLine")
    page.context.set_offline(False)
    page.goto("/family/account")
    expect(page.locator("main")).to_contain_text(name)
    kept = page.context.storage_state()
    page.context.close()
    again = phone(server, storage_state=kept)
    again.goto("/family/account")
    expect(again).to_have_url(re.compile("/family/account$"))
    expect(again.locator("main")).to_contain_text(name)


@pytest.mark.smoke
@pytest.mark.spec("F-17-N")
def test_a_child_signs_out(engine, server, home, phone):
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    sign_out_by_menu(page)
    expect(page.get_by_label(re.compile("email", re.I))).to_be_visible()
    assert not is_signed_in(page)
    page.goto("/family/account")
    page.wait_for_url(re.compile("/sign-in"))
    assert home.parent.call("GET", f"/family/children/{home.mia['id']}/devices", expect=200)["items"] == []


@pytest.mark.spec("F-17-B")
def test_a_child_stays_signed_in(own_server, phone):
    server = own_server()
    parent = Household(server)
    page = phone(server)
    page.clock.install()
    sign_in_by_link(page, parent.code(parent.child("Mia")), "Mia")
    stays_signed_in(page, server, Clock(server))


@pytest.mark.spec("F-17-A")
def test_a_child_stays_signed_in_offline_and_closed(engine, server, home, phone):
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    outlives_the_network_and_the_app(page, phone, server, "Mia")


@pytest.mark.smoke
@pytest.mark.spec("F-18-N")
def test_a_parent_signs_out(engine, home, sign_in):
    page = sign_in(home.parent)
    page.goto("/family")
    sign_out_by_menu(page)
    expect(page.get_by_label(re.compile("email", re.I))).to_be_visible()
    assert not is_signed_in(page)


@pytest.mark.spec("F-18-B")
def test_a_parent_stays_signed_in(own_server, sign_in):
    server = own_server()
    parent = Household(server)
    page = sign_in(parent)
    page.clock.install()
    page.goto("/family")
    stays_signed_in(page, server, Clock(server))


@pytest.mark.spec("F-18-A")
def test_a_parent_stays_signed_in_offline_and_closed(engine, server, home, sign_in, phone):
    outlives_the_network_and_the_app(sign_in(home.parent), phone, server, "Paula")


# Beyond the rows -----------------------------------------------------------------------------------------------------

def test_a_child_asks_for_points_and_celebrates(engine, server, home, phone):
    chore = home.parent.chore("Dishes")
    home.parent.contract(home.mia)
    page = sign_in_by_link(phone(server, reduced_motion="no-preference"), home.parent.code(home.mia), "Mia")
    own_card(page, home.mia).get_by_role("link", name=words("Mia")).click()
    page.get_by_role("button", name="I have done “Dishes”").click()
    waiting = page.locator(f"#chore-{chore['id']}")
    expect(waiting).to_contain_text("Waiting for a parent")
    expect(waiting.get_by_role("button")).to_be_disabled()
    path = f"/family/children/{home.mia['id']}/requests"
    asked = home.parent.call("GET", path, expect=200)["items"]
    assert [request["choreId"] for request in asked] == [chore["id"]]
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    home.parent.call("POST", f"{path}/{asked[0]['id']}/approval", {"points": 3}, expect=201)
    expect(page.locator("main")).to_contain_text("3 of 10", timeout=ONE_SECOND)
    celebration = page.locator(".celebration")
    expect(celebration).to_contain_text("Level 1 reached!")
    expect(celebration).to_contain_text("Ice cream")
    celebration.get_by_role("button").click()
    # Once for each level.
    page.reload()
    expect(page.locator("main")).to_contain_text("3 of 10")
    expect(celebration).to_have_count(0)


def test_nothing_moves_where_motion_is_unwanted(engine, server, home, phone):
    chore = home.parent.chore("Dishes")
    home.parent.contract(home.mia)
    home.parent.gives(home.mia, chore, 3)
    page = sign_in_by_link(phone(server, reduced_motion="reduce"), home.parent.code(home.mia), "Mia")
    expect(page.locator(".celebration")).to_be_visible()
    expect(page.locator("canvas.confetti")).to_have_count(0)


def test_another_parent_joins(engine, server, home, sign_in):
    page = sign_in(home.parent)
    page.goto("/family/invitations")
    page.get_by_role("button", name=words("Make an invitation")).click()
    link = page.locator("#invitation-link").inner_text()
    other = Household(server, "Otto")
    guest = sign_in(other)
    guest.goto(link)
    expect(guest.locator("main")).to_contain_text("Paula invites you")
    guest.get_by_role("button", name=words("Join")).click()
    guest.wait_for_url(re.compile("/family$"))
    expect(guest.locator("main")).to_contain_text("Mia")
    names = [parent["name"] for parent in other.call("GET", "/family/parents", expect=200)["items"]]
    assert sorted(names) == ["Otto", "Paula"]
    third = Household(server, "Tina")
    assert server.request("POST", "/family/parents", {"code": link.rsplit("/", 1)[1]}, third.token)[0] == 404
