"""What the tests say about pages, in the words of the requirements."""

import re
import struct
import tempfile
import zlib
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import expect

from support.patience import wait_until

# A row that says "within 5 s" is waited for that long and no longer.
FIVE_SECONDS = 5_000
ONE_SECOND = 1_000


def words(text):
    """Matches the whole label, whatever its case."""
    return re.compile(rf"^\s*{re.escape(text)}\s*$", re.I)


# A page that isn't drawn has no frames, and what waits inside a page waits without end.
FRAME = "() => new Promise((done) => { requestAnimationFrame(done); setTimeout(done, 100); })"


def until(page, condition, argument=None, seconds=10):
    """Waits for a condition inside the page, looked at once a frame. (Playwright's own way evaluates a string inside the
    page, which our content security policy forbids.)"""
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
    """The item's card in the list."""
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
    return page.get_by_placeholder(words("Enter item's name"))


def open_advanced(page):
    """Unfolds the rules of an item's form."""
    page.locator("#advanced > summary").click()


def save(page):
    page.get_by_role("button", name=words("Save")).click()


def later(page):
    """Puts off pairing in the sheet that follows a save."""
    sheet = page.get_by_role("dialog", name=re.compile("pair a tracker", re.I))
    expect(sheet).to_be_visible()
    sheet.get_by_text(words("Later")).click()
    expect(sheet).to_be_hidden()


def is_red(color):
    """Whether a computed CSS colour would be called red."""
    red, green, blue = (float(value) for value in re.findall(r"[\d.]+", color)[:3])
    return red > 150 and red > 1.6 * green and red > 1.6 * blue


def border_colors(locator):
    return locator.evaluate(
        "element => ['top', 'right', 'bottom', 'left'].map(side => "
        "[getComputedStyle(element)[`border-${side}-width`], getComputedStyle(element)[`border-${side}-color`]])")


def png(width=640, height=480, color=(200, 60, 40), paint=None):
    """A real picture, made here so that none has to be kept: of one color, or as paint(x, y) says for each point."""
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
    """Routes the page's requests to the handler. While a page with a service worker loads, Chromium may leave all later
    requests of its scripts out of the interception."""
    page.wait_for_load_state("load")
    page.route(pattern, handler)


@contextmanager
def answered(page):
    """Waits until what is pressed inside was answered, so that nothing is typed into a form that is under way."""
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        yield
    expect(page.locator("button[aria-busy=true]")).to_have_count(0)
