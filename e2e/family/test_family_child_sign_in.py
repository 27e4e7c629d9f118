"""A child signs in by a link or the scanner, and a parent signs the child's device out: F-14."""

import re

import pytest
from playwright.sync_api import expect

from conftest import ARGUMENTS, CHROMIUM
from support.children import home, is_signed_in, own_card, sibling_card, sign_in_by_link
from support.codes import show_to_camera
from support.pages import words

HINT_MILLISECONDS = 5_000


class Camera:
    """The fake camera of a browser, which shows a code of the test."""

    def __init__(self, folder):
        self.view = folder / "view.y4m"
        self.next_view = folder / "next.y4m"

    def show(self, text, is_damaged=False):
        """Shows the code to the next scanner that is opened. An open scanner keeps reading the previous file."""
        show_to_camera(self.next_view, text, is_damaged)
        self.next_view.replace(self.view)


@pytest.fixture
def camera(tmp_path):
    return Camera(tmp_path)


@pytest.fixture
def scanning_phone(playwright, server, camera):
    """A phone with the camera, whose time the test can advance."""
    browser = playwright.chromium.launch(
        executable_path=CHROMIUM, headless=True,
        args=[*ARGUMENTS, f"--use-file-for-fake-video-capture={camera.view}"])
    settings = {**playwright.devices["Pixel 7"], "base_url": server.url, "locale": "en-GB"}
    settings.pop("default_browser_type", None)
    page = browser.new_context(**settings).new_page()
    page.clock.install()
    yield page
    browser.close()


def tap_scan(page):
    """Taps the scan button at the top right of the login page."""
    page.goto("/sign-in")
    button = page.locator("header a[href='/family/scan']")
    box = button.bounding_box()
    assert box["x"] > page.viewport_size["width"] * 0.7 and box["y"] < 120
    # Until its script has loaded, the button opens a separate page.
    expect(button).to_have_attribute("aria-haspopup", "dialog")
    button.click()


def open_scanner(page):
    tap_scan(page)
    size = page.viewport_size
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("video")).to_be_visible()
    # The scanner covers the login page, which stays open.
    expect(dialog).to_have_css("height", f"{size['height']}px")


@pytest.mark.spec("F-14-N")
def test_a_child_signs_in_by_the_link(engine, server, home, phone):
    code = home.parent.code(home.mia)
    page = phone(server)
    # Fetching the link, as link previews do, doesn't use the code.
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

    # A second use of the code is rejected like a wrong code.
    second = phone(server)
    second.goto(code["url"])
    expect(second.get_by_role("heading", name=words("You need a new code"))).to_be_visible()
    expect(second.get_by_text("Ask a parent to open your page")).to_be_visible()
    expect(second.get_by_text("This code no longer works")).to_be_visible()
    assert not is_signed_in(second)


@pytest.mark.spec("F-14-N", "F-14-B")
def test_a_child_signs_in_by_the_scanner_and_by_no_other_code(engine, server, home, camera, scanning_phone):
    page = scanning_phone
    dialog = page.get_by_role("dialog")
    code = f"{server.url}/family/sign-in?code=AAAAAAAAAAAAAAAAAAAAAA"
    for text, is_damaged, message in [
        ("https://example.org/", False, "This isn’t a code of your family"),
        (code, False, "This code no longer works"),
        (code, True, "No code found"),
    ]:
        camera.show(text, is_damaged)
        open_scanner(page)
        if is_damaged:
            expect(dialog).to_contain_text("Looking for a code")
            page.clock.fast_forward(HINT_MILLISECONDS)
        expect(dialog).to_contain_text(message)
        expect(page).to_have_url(re.compile("/sign-in$"))
        page.keyboard.press("Escape")
        expect(page.locator("#toasts")).to_contain_text(message)
        expect(page.get_by_label(re.compile("email", re.I))).to_be_visible()
        assert not is_signed_in(page)
    camera.show(home.parent.code(home.mia)["url"])
    # The code may be read before the picture is visible.
    tap_scan(page)
    page.wait_for_url(re.compile("/family$"))
    expect(own_card(page, home.mia)).to_contain_text("Mia")
    expect(sibling_card(page, home.ben)).to_contain_text("Ben")


@pytest.mark.spec("F-14-N")
def test_a_device_is_signed_out_at_once(engine, server, home, phone):
    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    expect(child.locator("html")).to_have_attribute("data-live", "open")
    path = f"/family/children/{home.mia['id']}/devices"
    [device] = home.parent.call("GET", path, expect=200)["items"]
    home.parent.call("DELETE", f"{path}/{device['id']}", expect=204)
    expect(child.locator("html")).to_have_attribute("data-live", "lost")
    # The page detects the sign-out and shows how to sign in again.
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
