"""Takes phone-sized pictures of the demo's pages, light and dark: screenshots.py FOLDER."""

import re
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from conftest import ARGUMENTS, HEADLESS_SHELL
from support.children import sign_in_by_link
from support.demo import running_demo
from support.demo_people import HOME
from support.layout_checks import come_to_rest
from support.pages import sign_in_by_form, until

PARENT = {
    "items": ("/tracking/items", None),
    "item": ("/tracking/items", "Bicycle"),
    "map": ("/tracking/map", None),
    "family": ("/family/today", None),
    "family-child": ("/family", "Lena"),
    "offers": ("/carrepsa/packages", None),
    "offer": ("/carrepsa/packages", "Bike helmet"),
    "delivery": ("/carrepsa/packages?role=carrier", "Box of books"),
    "wallet": ("/carrepsa/wallet/entries", None),
}
CHILD = {"family-mine": ("/family", None)}


# Whether the visible pictures and the tiles of maps have arrived.
ARRIVED = """() => [...document.images]
  .filter((image) => image.checkVisibility() && image.getBoundingClientRect().top < innerHeight)
  .every((image) => image.complete) &&
  [...document.querySelectorAll('.map')].every((map) => {
    const tiles = [...map.querySelectorAll('.leaflet-tile')];
    // A tile fades in after it is loaded.
    const isShown = (tile) => tile.matches('.leaflet-tile-loaded') && getComputedStyle(tile).opacity === '1';
    return tiles.length && tiles.every(isShown);
  })"""


def take(page, views, folder, scheme):
    """Opens each page, and the entry of its list that is named, and takes its picture."""
    for name, (path, entry) in views.items():
        page.goto(path)
        if entry:
            page.get_by_role("link", name=re.compile(entry)).first.click()
        page.wait_for_load_state("load")
        until(page, ARRIVED)
        come_to_rest(page)
        page.screenshot(path=folder / f"{name}-{scheme}.png")


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, running_demo(place) as demo, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=HEADLESS_SHELL, headless=True, args=ARGUMENTS)

        def new_page():
            return browser.new_context(
                **playwright.devices["Pixel 7"] | {"device_scale_factor": 1.5}, base_url=demo.url, locale="en-GB",
                reduced_motion="reduce", permissions=["geolocation"],
                geolocation={"latitude": HOME[0], "longitude": HOME[1], "accuracy": 8}).new_page()

        parent, child = new_page(), new_page()
        sign_in_by_form(parent, demo.people["mia"])
        parent.goto("/tracking/items")
        parent.get_by_role("button", name="Not now").click()
        sign_in_by_link(child, demo.child_sign_in, "Lena")
        for scheme in ("light", "dark"):
            for page, views in ((parent, PARENT), (child, CHILD)):
                page.emulate_media(color_scheme=scheme)
                take(page, views, folder, scheme)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
