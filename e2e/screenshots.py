"""Writes a phone-size picture of each view, light and dark: screenshots.py FOLDER."""

import sys
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from conftest import ARGUMENTS, CHROMIUM
from support.server import Person, Server
from test_tracking_items import HOME, north, upload

VIEWS = {
    "start": "/", "list": "/tracking/items", "add": "/tracking/items/new", "details": "/tracking/items/{bag}",
    "edit": "/tracking/items/{bag}/edit", "history": "/tracking/items/{bag}/fixes",
    "pair": "/tracking/items/{umbrella}/tracker", "sources": "/tracking/sources", "settings": "/account",
    "devices": "/account/sessions", "photos": "/pictures",
}


def furnish(server):
    """Made-up things around a made-up home."""
    someone = Person(server, "Ada")
    someone.is_at(*HOME)
    ids = {}
    for name, metres, color in [("Umbrella", None, None), ("Keys", 2, (196, 148, 66)), ("Bike", 4, (60, 120, 90)),
                                ("Bag", 340, (150, 70, 60))]:
        picture = {"pictureId": upload(someone, color=color)} if color else {}
        item = someone.add_item(name, **picture)
        ids[name.lower()] = item["id"]
        if metres is not None:
            secret = someone.add_osmand_tracker(item)
            for step in range(9, -1, -1):
                latitude, longitude = north(metres - step * metres / 12)
                someone.report(secret, latitude, longitude + step * step * 0.00002 * metres / 340,
                               at=time.time() - 90 - step * 600, batt=82 - step, accuracy=6)
    return someone, ids


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    server = Server().start()
    try:
        someone, ids = furnish(server)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=ARGUMENTS)
            for scheme in ("light", "dark"):
                device = {key: value for key, value in playwright.devices["Pixel 7"].items() if key != "default_browser_type"}
                context = browser.new_context(**{**device, "device_scale_factor": 1.5}, base_url=server.url,
                                              locale="en-GB", color_scheme=scheme)
                page = context.new_page()
                page.goto("/sign-in")
                page.screenshot(path=folder / f"sign-in-{scheme}.png")
                page.get_by_label("Email").fill(someone.email)
                page.get_by_label("Password", exact=True).fill(someone.password)
                page.get_by_role("button", name="Sign in").click()
                page.wait_for_url(lambda url: "/sign-in" not in url)
                for name, path in VIEWS.items():
                    page.goto(path.format(**ids))
                    page.wait_for_load_state("load")
                    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
                    page.screenshot(path=folder / f"{name}-{scheme}.png")
            browser.close()
    finally:
        server.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
