"""The item list on a slow phone: Chromium with a quarter of the processor and a poor mobile connection."""

import contextlib
import http.server
import os
import statistics
import struct
import time
import zlib

from playwright.sync_api import sync_playwright

from support.board import Network
from support.loopback import served
from support.server import Person, Server

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-gpu",
             "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"]
RUNS = 5
ITEMS = 20
SLOWER = 4
CONNECTION = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
# Long enough for animations that continue after the last byte.
SETTLED_MILLISECONDS = 1_500

OBSERVER = """
window.seen = { paint: 0, what: "", shift: 0 };
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    seen.paint = entry.startTime;
    seen.what = entry.element ? `${entry.element.localName}.${entry.element.className}` : "";
  }
}).observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


def photo(shade):
    """A picture with some noise, like a camera's."""
    width, height, state = 640, 480, shade * 7_919 + 1
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            state = (state * 1_103_515_245 + 12_345) & 0x7FFFFFFF
            noise = state >> 27
            rows += bytes(
                ((x * 200 // width + noise) & 255, (y * 200 // height + noise) & 255, (shade * 12 + noise) & 255))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(bytes(rows), 1)) + chunk(b"IEND", b""))


def furnish(server):
    """A person with twenty items, each with a photo and a position."""
    someone = Person(server)
    now = int(time.time())
    someone.is_at(50.77, 6.08)
    for number in range(ITEMS):
        boundary = "homeward-boundary"
        head = (f'--{boundary}\r\nContent-Disposition: form-data; name="picture"; filename="p.png"\r\n'
                "Content-Type: image/png\r\n\r\n")
        body = head.encode() + photo(number) + f"\r\n--{boundary}--\r\n".encode()
        status, _, picture = server.request(
            "POST", "/pictures", body, someone.token, {"Content-Type": f"multipart/form-data; boundary={boundary}"})
        assert status == 201, (status, picture)
        item = someone.add_item(f"Thing {number}", pictureId=picture["id"])
        someone.report(someone.add_osmand_tracker(item), 50.77 + number * 0.001, 6.08, at=now - 60)
    return someone


class Wire:
    """The transferred bytes, as the browser's developer tools count them."""

    def __init__(self, session):
        self.kinds, self.sizes = {}, {}
        session.on("Network.responseReceived", self._heard)
        session.on("Network.loadingFinished", self._done)

    def _heard(self, event):
        self.kinds[event["requestId"]] = event["type"]

    def _done(self, event):
        self.sizes[event["requestId"]] = event["encodedDataLength"]

    def kibibytes(self, kind=None):
        return sum(size for one, size in self.sizes.items() if kind in (None, self.kinds.get(one))) / 1024

    def requests(self):
        """The requests that the browser's cache didn't answer."""
        return sum(1 for size in self.sizes.values() if size)


def look(page, wire_of, address):
    wire = Wire(wire_of)
    page.goto(address)
    page.wait_for_load_state("load")
    page.wait_for_timeout(SETTLED_MILLISECONDS)
    seen = page.evaluate("seen")
    assert seen["paint"], "nothing was painted"
    assert page.get_by_role("listitem").filter(has_text="Thing").count() >= ITEMS
    script = page.evaluate(
        "performance.getEntriesByType('resource').filter(one => new URL(one.name).pathname.endsWith('.js'))"
        ".reduce((sum, one) => sum + one.decodedBodySize, 0)") / 1024
    return {"paint": seen["paint"], "shift": seen["shift"], "what": seen["what"], "all": wire.kibibytes(),
            "script": wire.kibibytes("Script"), "parsed": script, "requests": wire.requests()}


def signed_in(browser, playwright, someone, url):
    """A new browser of a phone, with the person signed in."""
    device = {name: value for name, value in playwright.devices["Pixel 7"].items() if name != "default_browser_type"}
    context = browser.new_context(**device, base_url=url, locale="en-GB")
    answer = context.request.post(
        "/session", form={"email": someone.email, "password": someone.password}, max_redirects=0,
        headers={"Accept": "text/html"})
    assert answer.status == 303
    return context


def visit(browser, playwright, server, someone, elsewhere, is_slow):
    """A first visit with nothing cached, and a second one in the same browser: the app is launched again."""
    context = signed_in(browser, playwright, someone, server.url)
    found = []
    for _ in range(2):
        page = context.new_page()
        page.add_init_script(OBSERVER)
        # Settings made before the first real navigation have no effect. On another site, the app isn't open yet, so
        # that leaving its page takes no time.
        page.goto(f"{elsewhere}/before")
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        if is_slow:
            session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            session.send("Network.emulateNetworkConditions", CONNECTION)
        found.append(look(page, session, "/tracking/items"))
        page.close()
    context.close()
    return found


def whole_wire(browser, playwright, server, someone):
    """Bytes both ways and requests of a first and a second visit, with the service worker's own requests: a page's
    developer tools don't see those, so the bytes are counted between browser and server."""
    network = Network(server.port)
    context = signed_in(browser, playwright, someone, f"http://localhost:{network.port}")
    found = []
    for _ in range(2):
        before = network.bytes, network.requests
        page = context.new_page()
        page.goto("/tracking/items")
        page.evaluate("navigator.serviceWorker.ready")
        counted = None
        while counted != network.requests:
            counted = network.requests
            page.wait_for_timeout(SETTLED_MILLISECONDS)
        found.append({"all": (network.bytes - before[0]) / 1024, "requests": network.requests - before[1]})
        page.close()
    context.close()
    network.close()
    return found


class BarePage(http.server.BaseHTTPRequestHandler):
    """The lower bound for a page on this phone: twenty names, no styles, no scripts, no pictures."""

    def do_GET(self):
        names = "".join(f"<li>Thing {number}</li>" for number in range(ITEMS))
        page = f"<!doctype html><title>Bare</title><ul>{names}</ul>".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def bare_server():
    with served(BarePage) as port:
        yield f"http://localhost:{port}"


def bare_visit(browser, playwright, url, elsewhere):
    """The largest paint of the bare page, in milliseconds."""
    device = {name: value for name, value in playwright.devices["Pixel 7"].items() if name != "default_browser_type"}
    context = browser.new_context(**device)
    page = context.new_page()
    page.add_init_script(OBSERVER)
    page.goto(f"{elsewhere}/before")
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    session.send("Network.emulateNetworkConditions", CONNECTION)
    page.goto(f"{url}/bare")
    page.wait_for_timeout(SETTLED_MILLISECONDS)
    paint = page.evaluate("seen.paint")
    context.close()
    return paint


def medians(visits):
    return {name: statistics.median(visit[name] for visit in visits) for name in visits[0] if name != "what"}


def slow_phone(say):
    server = Server(environment={"HOMEWARD_LOG_LEVEL": "warning"}).start()
    try:
        someone = furnish(server)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=ARGUMENTS)
            with bare_server() as url:
                # A browser treats two ports of one host name as one site.
                elsewhere = url.replace("localhost", "127.0.0.1")
                fast = [visit(browser, playwright, server, someone, elsewhere, False) for _ in range(RUNS)]
                slow = [visit(browser, playwright, server, someone, elsewhere, True) for _ in range(RUNS)]
                bare = statistics.median(bare_visit(browser, playwright, url, elsewhere) for _ in range(RUNS))
            whole = whole_wire(browser, playwright, server, someone)
            browser.close()
        for index, name in enumerate(("first", "second")):
            baseline, now = medians([pair[index] for pair in fast]), medians([pair[index] for pair in slow])
            say(f"item list on a slow phone, {name} visit: largest paint", now["paint"], "ms", bare,
                f"a bare list on the same phone; unthrottled {baseline['paint']:.0f}, of {slow[0][index]['what']}")
            say(f"item list on a slow phone, {name} visit: layout shift", now["shift"], "", None, f"{now['shift']:.4f}")
            say(f"item list on a slow phone, {name} visit: transferred", now["all"], "KiB", None,
                f"in {now['requests']:.0f} requests; scripts {now['script']:.1f}, {now['parsed']:.1f} unpacked")
            say(f"item list on a slow phone, {name} visit: transferred with the worker's store", whole[index]["all"],
                "KiB", None,
                f"both ways, in {whole[index]['requests']} requests")
    finally:
        server.close()
