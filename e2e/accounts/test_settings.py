"""Settings without a test module of their own: defaults of new items, colour scheme, language, and account deletion."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from support.items import HOME, north
from support.layout_checks import SMALL, flaws
from support.offline import LONG, go_offline, go_online, is_kept, waits, with_worker
from support.pages import open_advanced, save, words


def row(page, name):
    return page.get_by_role("main").get_by_role("link", name=re.compile(f"^{name}", re.I)).first


def field(page, name):
    return page.get_by_label(re.compile(f"^{name}"))


@pytest.mark.spec("T-5-2-1")
def test_new_items_use_the_accounts_distances_and_interval(engine, person, sign_in):
    ada = person("Ada")
    old = ada.add_item("Keys")
    page = sign_in(ada)
    page.goto("/account")
    row(page, "Distances and interval").click()
    expect(page.get_by_text("Lost from 5 m · alert from 10 m · on foot up to 2,000 m · every 10 min")).to_be_visible()
    field(page, "Warn when").fill("0")
    save(page)
    expect(field(page, "Warn when")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("Enter a whole number: 1 to 100,000 metres")).to_be_visible()
    field(page, "Warn when").fill("75")
    field(page, "Ask for the position").fill("2")
    save(page)
    expect(page.get_by_text(words("Saved for new items"))).to_be_visible()
    bag = ada.add_item("Bag")
    changes = {"alertMetres": 75, "locateMinutes": 2, "lostMetres": 5, "walkMetres": 2000}
    assert bag["settings"] | changes == bag["settings"]
    assert ada.call("GET", f"/tracking/items/{old['id']}", expect=200)["settings"]["alertMetres"] == 10
    # An emptied field of an item uses the account's default. An emptied default uses the product's.
    page.goto(f"/tracking/items/{old['id']}/edit")
    open_advanced(page)
    field(page, "Warn when").fill("")
    save(page)
    expect(page.get_by_role("heading", name="Keys", level=1)).to_be_visible()
    assert ada.call("GET", f"/tracking/items/{old['id']}", expect=200)["settings"]["alertMetres"] == 75
    page.goto("/tracking/settings")
    field(page, "Warn when").fill("")
    save(page)
    expect(page.get_by_text(words("Saved for new items"))).to_be_visible()
    expect(field(page, "Warn when")).to_have_value("10")
    assert ada.add_item("Hat")["settings"]["alertMetres"] == 10


@pytest.mark.spec("T-5-2-1")
def test_colour_scheme_applies_to_all_devices_of_the_account(engine, person, sign_in):
    ada = person("Ada")
    page, other = sign_in(ada, color_scheme="light"), sign_in(ada, color_scheme="light")
    page.goto("/account")
    expect(row(page, "Light or dark")).to_contain_text("Same as device")
    row(page, "Light or dark").click()
    page.get_by_role("button", name=words("Dark")).click()
    expect(row(page, "Light or dark")).to_contain_text("Dark")
    background = "() => getComputedStyle(document.documentElement).backgroundColor"
    for one in (page, other):
        one.goto("/tracking/items")
        assert one.evaluate(background) == "rgb(0, 0, 0)"
        assert one.evaluate("() => getComputedStyle(document.documentElement).colorScheme") == "dark"
    # Signed-out pages follow the device.
    page.context.clear_cookies()
    page.goto("/sign-in")
    assert page.evaluate(background) != "rgb(0, 0, 0)"


def test_colour_scheme_can_be_changed_offline(engine, person, sign_in):
    ada = person("Ada")
    page = sign_in(ada, service_workers="allow")
    page.goto("/account/choices/appearance")
    with_worker(page)
    page.context.set_offline(True)
    page.get_by_role("button", name=words("Dark")).click()
    waits(page, 1)
    page.context.set_offline(False)
    waits(page, 0)
    assert ada.call("GET", "/account", expect=200)["appearance"] == "dark"
    # The placeholder of an unvisited page has the same scheme.
    page.goto("/tracking/items")
    page.context.set_offline(True)
    page.goto("/tracking/alerts")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    expect(page.locator("html")).to_have_attribute("data-scheme", "dark")


def test_a_missing_password_is_reported_before_the_deletion_is_confirmed(engine, person, sign_in):
    ada = person("Ada")
    page = sign_in(ada, viewport=SMALL)
    page.goto("/account/delete")
    page.get_by_role("button", name=words("Delete account")).click()
    expect(page.get_by_text("Enter your password.")).to_be_visible()
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    page.get_by_label("Password").fill(ada.password)
    page.get_by_role("button", name=words("Delete account")).click()
    expect(page.get_by_role("alertdialog", name="Delete your account?")).to_be_visible()
    assert not flaws(page)


def tab_colours(page):
    return page.locator(".tab-icon").evaluate_all(
        "(icons) => icons.map((icon) => getComputedStyle(icon).backgroundColor)")


def test_settings_keep_the_app_that_opened_them(engine, person, sign_in):
    start = "/carrepsa/profile"
    page = sign_in(person(app="family", dateOfBirth="1984-02-29", phone="+49 30 1234567"), service_workers="allow")
    page.goto(start)
    with_worker(page)
    colours = tab_colours(page)
    # Another window of the same browser shows another app.
    other = page.context.new_page()
    other.goto("/tracking/items")
    row(page, "Account and settings").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    stays = [page.locator("html"), page.get_by_role("navigation", name="Main sections").locator("[aria-current=page]")]

    def is_in_app():
        expect(stays[0]).to_have_attribute("data-app", "carrepsa")
        expect(stays[1]).to_have_text("Profile")

    is_in_app()
    assert tab_colours(page) == colours
    row(page, "Theme").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Theme")
    is_in_app()
    is_kept(page, "/account/choices/theme")
    go_offline(page)
    page.goto("/account/choices/theme")
    expect(page.get_by_role("heading", level=1)).to_have_text("Theme")
    is_in_app()
    go_online(page)
    expect(page.locator("html")).not_to_have_attribute("data-stored-at", re.compile("."), timeout=LONG)
    page.goto("/account")
    page.locator(".bar-back").click()
    expect(page).to_have_url(re.compile(f"{start}$"))


def test_theme_choices_show_their_colours(engine, person, sign_in):
    page = sign_in(person("Ada"))
    page.goto("/account/choices/theme")
    swatches = page.locator(".row-swatch")
    expect(swatches).to_have_count(7)
    expect(page.get_by_role("button", name=words("Ocean"))).to_be_visible()
    colours = "swatches => swatches.map((one) => getComputedStyle(one).backgroundColor)"
    seen = swatches.evaluate_all(colours)
    assert len(set(seen)) == 7
    page.emulate_media(forced_colors="active")
    assert swatches.evaluate_all(colours) == seen
    page.emulate_media(forced_colors="none", color_scheme="dark")
    assert len(set(swatches.evaluate_all(colours))) == 7 and swatches.evaluate_all(colours) != seen
    page.goto("/account/choices/appearance")
    expect(swatches).to_have_count(0)


DAYS = {"en": "Mon Tue Wed Thu Fri Sat Sun", "de": "Mo Di Mi Do Fr Sa So",
        "es": "lun mar mié jue vie sáb dom", "fr": "lun mar mer jeu ven sam dim"}
MONTHS = {"en": "Jan Feb Mar Apr May Jun Jul Aug Sept? Oct Nov Dec",
          "de": "Jan Feb März Apr Mai Juni Juli Aug Sept? Okt Nov Dez",
          "es": "ene feb mar abr may jun jul ago sept? oct nov dic",
          "fr": "janv févr mars avr mai juin juil août sept oct nov déc"}


def day_and_time(moment, language):
    """Returns the time as the language writes it: Sun 22 Nov, 14:02 and So., 22. Nov., 14:02 and dom, 22 nov, 14:02 and
    dim. 22 nov., 14:02."""
    day, month = DAYS[language].split()[moment.weekday()], MONTHS[language].split()[moment.month - 1]
    if language == "en":
        return re.compile(rf"^{day},? {moment.day} {month},? {moment:%H:%M}$")
    if language == "es":
        return re.compile(rf"^{day}, {moment.day} {month},? {moment:%H:%M}$")
    if language == "fr":
        return re.compile(rf"^{day}\. {moment.day} {month}\.?,? {moment:%H:%M}$")
    return re.compile(rf"^{day}\.?, {moment.day}\. {month}\.?,? {moment:%H:%M}$")


@pytest.mark.spec("T-5-2-1")
def test_numbers_and_dates_follow_the_chosen_language(engine, server, person, sign_in):
    ada = person("Ada", phone="+49 151 23456789")
    item = ada.add_item("Bag")
    secret = ada.add_osmand_tracker(item)
    ada.is_at(*HOME)
    ada.report(secret, *north(1_234))
    ada.call("GET", "/carrepsa/wallet", expect=200)
    assert server.command("wallet", "top-up", ada.email, "1134.50").returncode == 0
    page = sign_in(ada, timezone_id="Asia/Tokyo")
    written = {"en": (r"1\.2\skm", r"1,234\.50"), "de": (r"1,2\skm", r"1\.234,50"),
               "es": (r"1,2\skm", r"1234,50"), "fr": (r"1,2\skm", r"1\s234,50")}
    for language, (distance, money) in written.items():
        ada.call("PATCH", "/account", {"language": language}, expect=200)
        page.goto(f"/tracking/items/{item['id']}")
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("main").get_by_text(re.compile(rf"(?<![\d.,]){distance}")).first).to_be_visible()
        page.goto("/carrepsa/wallet/entries")
        expect(page.locator("#balance")).to_have_text(re.compile(rf"(?<![\d.,]){money}(?![\d.,])"))
        movement = page.locator(".movements li").first
        movement.locator("summary").click()
        when = movement.locator("time[data-exact]")
        there = datetime.fromisoformat(when.get_attribute("datetime")).astimezone(ZoneInfo("Asia/Tokyo"))
        expect(when).to_have_text(day_and_time(there, language))
