"""Elements and actions that all apps' pages share."""

import re
import struct
import tempfile
import zlib
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import expect

from support.patience import wait_until

IPHONE = ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
          "Version/18.0 Mobile/15E148 Safari/604.1")

# A requirement that says "within 5 s" is awaited for exactly that time.
FIVE_SECONDS = 5_000


def words(text):
    """Returns a pattern that matches the whole label and ignores case."""
    return re.compile(rf"^\s*{re.escape(text)}\s*$", re.I)


# A hidden page has no animation frames, so a wait inside it would never end.
FRAME = "() => new Promise((done) => { requestAnimationFrame(done); setTimeout(done, 100); })"


def until(page, condition, argument=None, seconds=10):
    """Waits for a condition inside the page, checked once per frame. (Playwright's own function evaluates a string in
    the page, which our content security policy forbids.)"""
    wait_until(lambda: page.evaluate(condition, argument), seconds, condition,
               pause=lambda: page.evaluate(FRAME))


def open_list(page):
    page.goto("/tracking/items")
    expect(page.get_by_role("heading", name=words("Items"), level=1)).to_be_visible()


def open_add(page):
    open_list(page)
    page.get_by_role("link", name=re.compile("add", re.I)).first.click()
    expect(page.get_by_role("heading", name=words("Add item"))).to_be_visible()


def card(page, name):
    """Returns the item's card in the list."""
    return page.get_by_role("listitem").filter(has=page.get_by_text(name, exact=True))


def toast(page, text):
    return page.locator("[data-toast]", has_text=text)


def sign_in_by_form(page, person):
    page.goto("/sign-in")
    fill_sign_in(page, person)


def fill_sign_in(page, person):
    page.get_by_label("Email").fill(person.email)
    page.get_by_label("Password", exact=True).fill(person.password)
    page.get_by_role("button", name=words("Sign in")).click()
    page.wait_for_url(lambda url: "/sign-in" not in url)


def name_field(page):
    return page.get_by_placeholder(words("Enter item’s name"))


def open_advanced(page):
    """Expands the rules of an item's form."""
    page.locator("#advanced > summary").click()


def save(page):
    page.get_by_role("button", name=words("Save")).click()


def later(page):
    """Postpones pairing in the sheet that follows a save."""
    sheet = page.get_by_role("dialog", name=re.compile("pair a tracker", re.I))
    expect(sheet).to_be_visible()
    sheet.get_by_text(words("Later")).click()
    expect(sheet).to_be_hidden()


def is_red(color):
    """Whether a person would call a computed CSS colour red."""
    red, green, blue = (float(value) for value in re.findall(r"[\d.]+", color)[:3])
    return red > 150 and red > 1.6 * green and red > 1.6 * blue


def border_colors(locator):
    return locator.evaluate(
        "element => ['top', 'right', 'bottom', 'left'].map(side => "
        "[getComputedStyle(element)[`border-${side}-width`], getComputedStyle(element)[`border-${side}-color`]])")


def png(width=640, height=480, color=(200, 60, 40), paint=None):
    """Creates a PNG, so that the repository needs none: in one colour, or with paint(x, y) as the colour of each
    pixel."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = ((b"\0" + bytes(byte for x in range(width) for byte in paint(x, y)) for y in range(height)) if paint
            else [b"\0" + bytes(color) * width] * height)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"".join(rows))) + chunk(b"IEND", b""))


def png_file(**options):
    path = Path(tempfile.mkdtemp(prefix="homeward-picture-")) / "picture.png"
    path.write_bytes(png(**options))
    return path


def intercept(page, pattern, handler):
    """Routes the page's requests to the handler. If the page is loading with a service worker, Chromium may exclude all
    later requests of its scripts from the interception."""
    page.wait_for_load_state("load")
    page.route(pattern, handler)


@contextmanager
def answered(page):
    """Waits for the response to an action, so that a test doesn't type into a form that is being sent."""
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        yield
    expect(page.locator("button[aria-busy=true]")).to_have_count(0)
