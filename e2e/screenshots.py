"""Writes a phone-sized screenshot of each view, light and dark: screenshots.py FOLDER [NAME...]. NAME selects views."""

import sys
import time
from functools import partial
from pathlib import Path

from playwright.sync_api import sync_playwright

from conftest import ARGUMENTS, CHROMIUM
from support.carrepsa import act, post
from support.children import sign_in_by_link
from support.codes import show_to_camera
from support.households import SampleHousehold
from support.items import HOME, north, upload
from support.layout_checks import come_to_rest
from support.pages import sign_in_by_form
from support.server import Person, Server

SIGNED_OUT = {
    "sign-in": "/sign-in", "carrepsa-welcome": "/carrepsa", "family-welcome": "/family",
    "family-register": "/register?app=family", "family-scan": "/family/scan",
    "family-sign-in": "/family/sign-in?code={code}",
    "family-join": "/family/invitations/{invitation}",
}
VIEWS = {
    "start": "/", "list": "/tracking/items", "add": "/tracking/items/new", "details": "/tracking/items/{bag}",
    "edit": "/tracking/items/{bag}/edit", "history": "/tracking/items/{bag}/fixes",
    "pair": "/tracking/items/{umbrella}/tracker", "sources": "/tracking/sources", "settings": "/account",
    "devices": "/account/sessions", "photos": "/pictures",
    "carrepsa-search": "/carrepsa/packages", "carrepsa-package": "/carrepsa/packages/{helmet}",
    "carrepsa-new": "/carrepsa/packages/new", "carrepsa-mine": "/carrepsa/packages?role=owner",
    "carrepsa-handover": "/carrepsa/packages/{lamp}", "carrepsa-travelling": "/carrepsa/packages/{cello}",
    "carrepsa-question": "/carrepsa/packages/{books}/questions/withdraw",
    "carrepsa-deliveries": "/carrepsa/packages?role=carrier", "carrepsa-delivery": "/carrepsa/packages/{skates}",
    "carrepsa-past": "/carrepsa/packages?role=carrier&past=true",
    "carrepsa-person": "/carrepsa/people/{mia}?package={skates}",
    "carrepsa-profile": "/carrepsa/profile", "carrepsa-wallet": "/carrepsa/wallet/entries",
    "carrepsa-disputes": "/carrepsa/disputes", "carrepsa-ledger": "/carrepsa/ledger",
}
PARENT = {
    "family-dashboard": "/family", "family-add": "/family#actions", "family-child": "/family/children/{mia}",
    "family-child-more": "/family/children/{mia}#actions", "family-child-edit": "/family/children/{mia}#edit",
    "family-assign": "/family/children/{mia}#assign", "family-finished": "/family/children/{mia}/assignments",
    "family-undo": "/family/children/{mia}#undo", "family-contracts": "/family/children/{mia}/contracts",
    "family-contract-new": "/family/children/{zoe}/contracts/new", "family-child-new": "/family/children/new",
    "family-chore-new": "/family/chores/new", "family-chore": "/family/chores/{chore}/edit",
    "family-code": "/family/children/{ben}/sign-in-codes", "family-devices": "/family/children/{mia}/devices",
    "family-account": "/family/account", "family-account-edit": "/family/account#edit",
    "family-account-more": "/family/account#actions", "family-invite": "/family/invitations#make",
    "family-deleted-children": "/family/deleted-children", "family-deleted-child": "/family/deleted-children/{deleted}",
}
CHILD = {
    "family-my-level": "/family#level", "family-my": "/family", "family-my-page": "/family/children/{mia}",
    "family-my-chores": "/family/children/{mia}#ask", "family-my-sibling": "/family/children/{ben}",
    "family-my-finished": "/family/children/{mia}/assignments", "family-my-account": "/family/account",
    "family-my-edit": "/family/account/edit",
    "family-my-devices": "/family/children/{mia}/devices", "family-my-more": "/family/account#actions",
}


def sample_photo(color):
    """Draws a sample photo: an object of the given colour on a table."""
    side, middle, radius = 240, 120, 74

    def shade(part, light):
        return max(0, min(255, round(part * light)))

    def paint(x, y):
        away = ((x - middle) ** 2 + (y - middle + 8) ** 2) ** 0.5
        if away < radius:
            return tuple(shade(part, 1.35 - 0.7 * ((x - 70) ** 2 + (y - 60) ** 2) ** 0.5 / side) for part in color)
        if y > 168:
            shadow = 0.82 if (x - middle) ** 2 / 4 + (y - 190) ** 2 * 4 < 1_800 else 1
            return tuple(shade(part, shadow * (0.95 - (y - 168) / 700)) for part in (206, 190, 170))
        return tuple(shade(part, 1 - y / 900) for part in (228, 230, 234))

    return {"width": side, "height": side, "paint": paint}


CHORES = [(120, 130, 150), (150, 110, 70), (90, 130, 170), (190, 120, 90), (90, 140, 90), (170, 150, 190)]


def create_family_content(server):
    """Creates a sample family, and a parent whose family is empty."""
    from support.children import Household

    home = SampleHousehold(server, paint=lambda number: sample_photo(CHORES[number]))
    home.beginner = Household(server, "Bea")
    home.ids["invitation"] = home.invitation()["code"]
    return home


def carrepsa_person(server, name, amount):
    email = f"{name.lower()}@example.org"
    someone = Person(server, name, app="carrepsa", phone=f"+49 151 555010{Person.count}", email=email)
    someone.email = email
    done = server.command("wallet", "top-up", someone.email, amount)
    assert done.returncode == 0, done.stderr
    return someone


def create_tracking_content(someone):
    """Creates sample items around a sample home."""
    someone.is_at(*HOME)
    ids = {}
    for name, metres, color in [("Umbrella", None, None), ("Keys", 2, (196, 148, 66)), ("Bike", 4, (60, 120, 90)),
                                ("Bag", 340, (150, 70, 60))]:
        picture = {"pictureId": upload(someone, **sample_photo(color))} if color else {}
        item = someone.add_item(name, **picture)
        ids[name.lower()] = item["id"]
        if metres is not None:
            secret = someone.add_osmand_tracker(item)
            for step in range(9, -1, -1):
                latitude, longitude = north(metres - step * metres / 12)
                someone.report(secret, latitude, longitude + step * step * 0.00002 * metres / 340,
                               at=time.time() - 90 - step * 600, batt=82 - step, accuracy=6)
    return ids


def create_carrepsa_content(server, someone):
    """Creates sample packages of several people, one in each state."""
    mia, ben = carrepsa_person(server, "Mia", "250.00"), carrepsa_person(server, "Ben", "80.00")

    def offer(owner, title, start, goal, weight, reward, lock, color=None, **fields):
        picture = {"pictureId": upload(owner, **sample_photo(color))} if color else {}
        return post(owner, title, weight=weight, reward=reward, moneyLock=lock,
                    **{"from": start, "to": goal}, **picture,
                    **fields)

    deliveries = [offer(mia, "Old camera", "Aachen", "Eupen", 900, 900, 4_000),
                  offer(mia, "Ice skates", "Bonn", "Aachen", 2_100, 1_100, 3_000, (70, 110, 160))]
    for package in deliveries:
        act(someone, package, "acceptance")
    act(mia, deliveries[0], "pickup")
    act(mia, deliveries[0], "delivery")

    cello = offer(someone, "Cello", "Aachen", "Köln", 8_500, 2_500, 6_000, (140, 80, 50))
    lamp = offer(someone, "Desk lamp", "Aachen", "Liège", 2_400, 800, 2_000, (190, 160, 80))
    books = offer(someone, "Four books", "Aachen", "Bonn", 3_000, 600, 1_500)
    act(mia, cello, "acceptance")
    act(someone, cello, "pickup")
    act(mia, cello, "delivery-report")
    act(ben, lamp, "acceptance")

    offer(ben, "Winter coat", "Düren", "Aachen", 1_400, 500, 2_500)
    broken = offer(mia, "Vase", "Aachen", "Maastricht", 1_900, 700, 1_000)
    act(ben, broken, "acceptance")
    act(mia, broken, "pickup")
    act(mia, broken, "dispute", body={"reason": "It arrived in two pieces."})
    offer(ben, "Toolbox", "Aachen", "Köln", 6_200, 950, 5_000, (90, 95, 105))
    helmet = offer(mia, "Bike helmet", "Aachen", "Bonn", 1_200, 1_200, 4_000, (60, 120, 90),
                   description="In its box. Ring at the second door, please.", deadline="2030-06-01T18:00:00Z")
    done = server.command("account", "operator", someone.email)
    assert done.returncode == 0, done.stderr
    return {"helmet": helmet["id"], "lamp": lamp["id"], "cello": cello["id"], "books": books["id"],
            "skates": deliveries[1]["id"], "mia": mia.id}


# The browser fetches photos of a list only when they come near the viewport, and photos of a closed sheet never.
PHOTOS = """() => Promise.all([...document.images]
  .filter(image => image.getClientRects().length && image.getBoundingClientRect().top < innerHeight)
  .map(image => image.decode().catch(() => {})))"""


def is_wanted(name, words):
    return not words or any(word in name for word in words)


# The elements tapped before a screenshot, by the fragment of the address.
TAPS = {
    "actions": "header a.bar-icon", "edit": "main a[data-sheet=edit]", "undo": ".family-undo",
    "make": "main form button[type=submit]", "assign": "header a.bar-icon", "ask": "", "level": "",
}


def tap(page, what):
    if TAPS[what]:
        page.locator(TAPS[what]).first.click()
    if what == "assign":
        page.locator("dialog[open] a[data-sheet=assign]").click()
    if what == "make":
        page.locator("figure.qr").wait_for()
    if what == "ask":
        page.locator("#ask").evaluate("element => element.scrollIntoView()")
    elif what == "level":
        page.evaluate("() => localStorage.clear()")
        page.reload()
        page.locator(".celebration").wait_for()
        page.locator("canvas.confetti").wait_for(state="detached")
    # Sheets and celebrations are animated.
    come_to_rest(page)


def take_screenshots(page, views, folder, scheme):
    for name, address in views.items():
        path, _, what = address.partition("#")
        page.goto(path)
        page.wait_for_load_state("load")
        page.evaluate(PHOTOS)
        if name == "family-code":
            page.locator("figure.qr").wait_for()
        if name == "family-scan":
            page.locator("[data-message]:not(:empty)").wait_for()
        if what:
            tap(page, what)
        elif page.locator(".celebration").count():
            page.locator(".celebration button").click()
        page.evaluate(PHOTOS)
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        page.screenshot(path=folder / f"{name}-{scheme}.png")


def screenshot_family(new_page, home, views, folder, scheme):
    """Takes screenshots of each view of a parent, of a new parent, and of a child, each in its own browser."""
    if chosen := views(PARENT):
        page = new_page()
        sign_in_by_form(page, home.parent)
        take_screenshots(page, chosen, folder, scheme)
    if chosen := views({"family-empty": "/family"}):
        page = new_page()
        sign_in_by_form(page, home.beginner)
        take_screenshots(page, chosen, folder, scheme)
    if chosen := views(CHILD):
        take_screenshots(sign_in_by_link(new_page(), home.code(), "Mia"), chosen, folder, scheme)


def main(folder, words):
    folder.mkdir(parents=True, exist_ok=True)
    server = Server().start()
    try:
        someone = carrepsa_person(server, "Ada", "100.00")
        ids = {**create_tracking_content(someone), **create_carrepsa_content(server, someone)}
        home = create_family_content(server)
        ids |= home.ids

        def chosen(views):
            return {name: path.format(**ids) for name, path in views.items() if is_wanted(name, words)}

        with sync_playwright() as playwright:
            # A white picture instead of the browser's test pattern.
            wall = server.folder / "wall.y4m"
            show_to_camera(wall)
            camera = f"--use-file-for-fake-video-capture={wall}"
            browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=[*ARGUMENTS, camera])
            device = {name: value for name, value in playwright.devices["Pixel 7"].items()
                      if name != "default_browser_type"}

            def new_page(scheme):
                settings = {**device, "device_scale_factor": 1.5, "base_url": server.url, "locale": "en-GB"}
                return browser.new_context(**settings, color_scheme=scheme).new_page()

            for scheme in ("light", "dark"):
                page = new_page(scheme)
                # A newer code revokes the previous one.
                ids["code"] = home.code("ben")["code"]
                take_screenshots(page, chosen(SIGNED_OUT), folder, scheme)
                if views := chosen(VIEWS):
                    sign_in_by_form(page, someone)
                    take_screenshots(page, views, folder, scheme)
                screenshot_family(partial(new_page, scheme), home, chosen, folder, scheme)
            browser.close()
    finally:
        server.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
