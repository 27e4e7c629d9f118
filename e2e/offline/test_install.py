"""Installation of the four apps, and instructions where the browser has no install prompt."""

import json
import tempfile

import pytest
from playwright.sync_api import expect

from conftest import ARGUMENTS, CHROMIUM
from support.offline import with_worker
from support.pages import IPHONE, sign_in_by_form, until
from support.server import Person

pytestmark = pytest.mark.service_worker

APPS = {"tracking": "/tracking/items", "family": "/family", "carrepsa": "/carrepsa/packages", "home": "/"}
IDS = {"tracking": "/tracking", "family": "/family", "carrepsa": "/carrepsa", "home": "/"}


@pytest.fixture
def profile(playwright):
    """A browser with its own profile, which installing an app requires."""
    opened = []

    def open_profile(server):
        settings = {**playwright.devices["Pixel 7"], "base_url": server.url, "locale": "en-GB"}
        settings.pop("default_browser_type", None)
        context = playwright.chromium.launch_persistent_context(
            tempfile.mkdtemp(prefix="homeward-profile-"), executable_path=CHROMIUM, headless=True, args=ARGUMENTS,
            **settings)
        opened.append(context)
        return context.pages[0]

    yield open_profile
    for context in opened:
        context.close()


def test_install_is_offered_and_the_browser_can_install_each_app(engine, server, profile):
    someone = Person(server, "Ada", app="family", dateOfBirth="1984-02-29", phone="+49 30 1234567")
    page = profile(server)
    sign_in_by_form(page, someone)
    page.goto("/account")
    with_worker(page)
    page.reload()
    button = page.get_by_role("button", name="Install on this device")
    expect(button).to_be_visible()
    page.goto("/")
    expect(button).to_be_visible()
    # The browser's prompt opens after the tap, not before.
    page.evaluate("() => (window.homewardInstallQuestion.prompt = async () => { window.asked = true; })")
    button.click()
    until(page, "() => window.asked === true")
    expect(button).to_be_hidden()
    for app, path in APPS.items():
        page.goto(path)
        is_installable(page, app)
    for app, path in APPS.items():
        # An installed app may take over its tab.
        tab = page.context.new_page()
        tab.goto(path)
        browser = tab.context.new_cdp_session(tab)
        browser.send("PWA.install", {"manifestId": f"{server.url}{IDS[app]}"})
        assert browser.send("PWA.getOsAppState", {"manifestId": f"{server.url}{IDS[app]}"})


def is_installable(page, app):
    browser = page.context.new_cdp_session(page)
    manifest = browser.send("Page.getAppManifest")
    assert manifest["errors"] == [], (app, manifest["errors"])
    content = json.loads(manifest["data"])
    assert content["id"] == IDS[app] and content["start_url"] == IDS[app] and content["scope"] == "/"
    assert {icon["purpose"] for icon in content["icons"] if "purpose" in icon} == {"any", "maskable"}
    for shortcut in content["shortcuts"]:
        assert page.request.get(shortcut["url"]).ok, shortcut
    assert browser.send("Page.getInstallabilityErrors")["installabilityErrors"] == [], app
    browser.detach()


@pytest.mark.parametrize("place", ["/family/account", "/carrepsa/profile"])
def test_each_app_offers_its_own_install(engine, person, sign_in, place):
    page = sign_in(person(app="family", dateOfBirth="1984-02-29", phone="+49 30 1234567"))
    page.goto(place)
    button = page.get_by_role("button", name="Install on this device")
    expect(button).to_have_count(0)
    until(page, """() => {
        dispatchEvent(Object.assign(new Event("beforeinstallprompt"), { prompt: async () => {} }));
        return document.querySelector("[data-install-button]").checkVisibility();
    }""")
    expect(button).to_be_visible()


def test_iphone_shows_install_instructions(engine, server, person, sign_in):
    page = sign_in(person(), user_agent=IPHONE)
    page.context.add_init_script("Object.defineProperty(navigator, 'standalone', { value: false, configurable: true })")
    page.goto("/account")
    expect(page.get_by_text("Add to Home Screen")).to_be_visible()
    expect(page.get_by_role("button", name="Install on this device")).to_be_hidden()
    # On the home screen the app is already installed.
    page.context.add_init_script("Object.defineProperty(navigator, 'standalone', { value: true, configurable: true })")
    page.goto("/account")
    expect(page.get_by_text("Add to Home Screen")).to_be_hidden()
