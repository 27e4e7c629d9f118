"""Control of a browser's service worker, its caches, and its queue of pending changes."""

import contextlib
import http.client
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from playwright.sync_api import Error, expect

from support.pages import name_field, save, until, words
from support.patience import wait_until
from support.server import Server, free_port

WORKER_SECONDS = 60
# Longer than the longest pause between two checks for an unreachable server.
LONG = 40_000
QUEUED = "kept on this device, and sent when it is back"
CONTROLLED = "() => Boolean(navigator.serviceWorker.controller)"
KEPT = """async () => {
  const kept = [];
  for (const name of (await caches.keys()).filter((one) => !one.startsWith("homeward-static-"))) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const url = new URL(request.url);
      const response = await cache.match(request);
      const isText = !response.headers.get("Content-Type").startsWith("image/");
      kept.push({
        cache: name, path: url.pathname, face: url.searchParams.get("homeward-face"),
        text: isText ? await response.text() : "",
      });
    }
  }
  return kept;
}"""
WAITING = """async () => {
  const request = indexedDB.open("homeward");
  await new Promise((resolve) => (request.onsuccess = resolve));
  const all = request.result.transaction("changes").objectStore("changes").getAll();
  await new Promise((resolve) => (all.onsuccess = resolve));
  request.result.close();
  const texts = (fields) => fields.filter(([, value]) => typeof value === "string");
  return all.result.map((change) => ({ ...change, fields: texts(change.fields) }));
}"""


def with_worker(page):
    """Waits until the worker controls this page. Opens a page first if none is open."""
    if page.url == "about:blank":
        page.goto("/account")
    until(page, CONTROLLED, seconds=WORKER_SECONDS)
    return page


def kept(page):
    """Returns the pages, fragments and pictures that this browser could show offline."""
    return page.evaluate(KEPT)


IS_KEPT = """async ([path, face, query, words]) => {
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const url = new URL(request.url);
      if (url.pathname !== path || url.searchParams.get("homeward-face") !== face) continue;
      if (!url.search.includes(query)) continue;
      if (!words || (await (await cache.match(request))?.text())?.includes(words)) return true;
    }
  }
  return false;
}"""


def is_kept(page, path, face="page", query="", words=""):
    """Waits until a page with that path is cached whose query and text contain those words."""
    until(page, IS_KEPT, [path, face, query, words])


def says_what_is_kept(page, path, words):
    """Whether the cached page of that path contains those words now."""
    return page.evaluate(IS_KEPT, [path, "page", "", words])


def see(page, path):
    """Opens a page and waits until it is cached."""
    page.goto(path)
    is_kept(page, path)


def go_offline(page):
    page.context.set_offline(True)


def go_online(page):
    page.context.set_offline(False)


def save_and_leave(page):
    """Saves a form. Its page closes once the change is sent or queued."""
    save(page)
    expect(page).not_to_have_url(re.compile("/(new|edit)$"))


def rename_offline(page, item, name):
    page.goto(f"/tracking/items/{item['id']}/edit")
    page.locator("#item-form [name=name]").fill(name)
    save_and_leave(page)


def add_offline(page, name):
    page.goto("/tracking/items/new")
    name_field(page).fill(name)
    save_and_leave(page)


def names(someone):
    """Returns the names of the person's items on the server."""
    return sorted(item["name"] for item in someone.call("GET", "/tracking/items?limit=200")["items"])


def waiting(page):
    """Returns the pending changes of this browser, in order."""
    return page.evaluate(WAITING)


def chip(page):
    return page.get_by_role("button", name=re.compile(r"^(Waiting|Not sent) \(\d+\)"))


# The placeholder of a page that can't be shown belongs to no account. The pending changes still belong to their
# account.
HAS_SENT_ALL = """async () => {
  const account = document.body.dataset.person || await homewardQueue.fact("account");
  return (await homewardQueue.list(account)).length === 0;
}"""


def has_sent_all(page):
    try:
        return page.evaluate(HAS_SENT_ALL)
    except Error:
        # A page that is unloading or has not loaded yet shows no count.
        return False


def waits(page, count):
    if count:
        expect(chip(page)).to_have_text(f"Waiting ({count})")
    else:
        # A page that is loading shows no count either.
        wait_until(lambda: has_sent_all(page), 20, "not all was sent", pause=lambda: page.wait_for_timeout(50))
        expect(chip(page)).to_have_count(0)


def is_refused(page, count):
    """Expects `count` pending changes to be rejected, kept and reported."""
    expect(chip(page)).to_have_text(f"Not sent ({count})", timeout=20_000)


def open_waiting(page):
    chip(page).click()
    sheet = page.get_by_role("dialog", name="Waiting changes")
    expect(sheet).to_be_visible()
    return sheet


def open_again(waiting):
    """Opens the form of a rejected change from the list of pending changes."""
    waiting.get_by_role("button", name=words("Open the form again")).click()


class ReverseProxy:
    """A reverse proxy before a server. A test decides what it serves: another worker, half a response, or nothing."""

    def __init__(self, port):
        self.worker_suffix = ""
        # What the proxy answers in the server's place, as (status, content), or None.
        self.own_answer = None
        # The path whose next response stops in the middle until the proxy is closed, and whether that has happened.
        self.halved, self.has_halved, self.closed = None, threading.Event(), threading.Event()
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                if self.path == "/events":
                    return self.send_error(503)
                length = int(self.headers.get("Content-Length") or 0)
                if proxy.own_answer:
                    self.rfile.read(length)
                    return self.answer_alone(*proxy.own_answer)
                connection = http.client.HTTPConnection("127.0.0.1", proxy.server_port, timeout=30)
                # The proxy changes the worker, so the server must not answer that it is unchanged.
                dropped = ("connection", "if-none-match")
                headers = {name: value for name, value in self.headers.items() if name.lower() not in dropped}
                connection.request(self.command, self.path, self.rfile.read(length), headers)
                answer = connection.getresponse()
                content = answer.read()
                if self.path == "/service-worker.js":
                    content += proxy.worker_suffix.encode()
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if self.path == proxy.halved:
                    proxy.halved = None
                    self.wfile.write(content[:len(content) // 2])
                    proxy.has_halved.set()
                    proxy.closed.wait()
                elif self.command != "HEAD":
                    self.wfile.write(content)
                connection.close()

            def answer_alone(self, status, content):
                self.send_response(status)
                self.send_header("Content-Type", "text/html")
                if 300 <= status < 400:
                    self.send_header("Location", "/proxy-sign-in")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)

            do_GET = do_POST = do_HEAD = do_PUT = handle_any

            def log_message(self, *_):
                pass

        self.server_port = None
        self.listener = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def close(self):
        self.closed.set()
        self.listener.shutdown()
        self.listener.server_close()


@contextlib.contextmanager
def proxied_server():
    """A server behind a reverse proxy, and the proxy."""
    port = free_port()
    server = Server(environment={"HOMEWARD_URL": f"http://localhost:{port}"})
    server.url = f"http://localhost:{server.port}"
    with contextlib.ExitStack() as stack:
        stack.callback(server.close)
        server.start()
        proxy = ReverseProxy(port)
        stack.callback(proxy.close)
        proxy.server_port = server.port
        server.url = f"http://localhost:{port}"
        yield server, proxy
