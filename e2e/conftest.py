"""Fixtures: a server, accounts, and phone-sized browsers that are signed in."""

import os
from contextlib import ExitStack
from functools import partial

import pytest
from playwright.sync_api import Error, expect, sync_playwright

from support.bluetooth import SWITCHES
from support.bluez import Broker
from support.carrepsa import RICH, CarrepsaFixture
from support.cluster_figures import FIGURES
from support.desktop import Desktop
from support.patience import answers, wait_until
from support.server import Person, Postgres, Server

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
# Chromium's content layer without a desktop's windows, which takes a quarter less processor time. The full browser runs
# what only it has: Bluetooth, push, installation, windows.
HEADLESS_SHELL = os.environ.get("HEADLESS_SHELL", "/usr/bin/chromium-headless-shell")
# Chromium creates two internal pages for the suggestions of each window, which cost more than the page under test.
# This list replaces Playwright's own, so it repeats the entries of that list that matter on Linux.
DISABLED = [
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "PreloadTopChromeWebUI",
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
    "PreconnectToSearch",
]
ARGUMENTS = [
    f"--disable-features={','.join(DISABLED)}",
    "--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking",
    "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
    # Without this switch Chromium emulates the missing graphics card on the processor.
    "--disable-gpu",
    # The tests use loopback only.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]
# The phone draws seven times the pixels of its CSS size. Only layouts depend on them; elsewhere they cost time.
PIXELS = {True: {}, False: {"device_scale_factor": 1}}
# Long enough for a slow shared machine. A time limit from a requirement is passed to the expectation itself.
expect.set_options(timeout=10_000)


@pytest.fixture(autouse=True)
def spec_ids(request, record_property):
    """Writes the ids of `@pytest.mark.spec` to the result, where coverage-of-spec reads them."""
    for mark in request.node.iter_markers("spec"):
        for requirement in mark.args:
            record_property("spec", requirement)


def pytest_terminal_summary(terminalreporter):
    """Prints the figures of each fault over all rounds."""
    if FIGURES.faults:
        terminalreporter.section("faults")
    for line in FIGURES.lines():
        terminalreporter.write_line(line)


def pytest_generate_tests(metafunc):
    if "engine" in metafunc.fixturenames:
        # The stores' Swift tests compare the engines. In the browser, one flow of each kind runs on both.
        is_on_both = metafunc.definition.get_closest_marker("engines")
        metafunc.parametrize("engine", ["sqlite", "postgres"] if is_on_both else ["sqlite"], scope="session")


@pytest.fixture(scope="session")
def postgres():
    cluster = Postgres().start()
    with ExitStack() as cluster.users:
        yield cluster
    cluster.close()


@pytest.fixture(scope="session")
def servers(request):
    """The shared servers, one for each engine, started on first use. At the end, each ledger must be sound."""
    running = {}

    def get(engine):
        if engine not in running:
            cluster = request.getfixturevalue("postgres") if engine == "postgres" else None
            running[engine] = Server(cluster and cluster.new_database(), RICH).start()
            (cluster.users if cluster else users).callback(finish, running[engine])
        return running[engine]

    def finish(server):
        ledger = server.command("verify")
        server.close()
        assert ledger.returncode == 0, ledger.stdout + ledger.stderr

    with ExitStack() as users:
        yield get


@pytest.fixture
def server(engine, servers):
    """The shared server."""
    return servers(engine)


@pytest.fixture
def own_server():
    """Starts servers that a test may kill, and stops them after the test."""
    made = []

    def make(*arguments, **options):
        made.append(Server(*arguments, **options))
        return made[-1].start()

    yield make
    for server in made:
        server.close()


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as instance:
        yield instance


@pytest.fixture(scope="session")
def chromium(playwright):
    browser = playwright.chromium.launch(executable_path=HEADLESS_SHELL, headless=True, args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def full_chromium(playwright):
    """The browser with all its features, for tests with the mark `full_browser`."""
    browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=ARGUMENTS)
    browser.is_full = True
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def broker():
    """A private D-Bus on which each tracker and each browser finds a Bluetooth adapter."""
    broker = Broker().start()
    yield broker
    broker.close()


@pytest.fixture(scope="module")
def chromium_with_bluetooth(playwright, broker):
    """A browser whose Bluetooth adapter comes from the broker."""
    browser = playwright.chromium.launch(
        executable_path=CHROMIUM, headless=True, args=[*ARGUMENTS, *SWITCHES],
        env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": broker.address})
    browser.is_full = True
    yield browser
    browser.close()


@pytest.fixture
def carrepsa(server):
    """Users of Carrepsa."""
    return CarrepsaFixture(server)


@pytest.fixture
def desktop():
    """A desktop that shows a browser's notifications, so that a test can tap them."""
    with Desktop() as desktop:
        yield desktop


@pytest.fixture
def motion(request):
    """Enables animations in the tests with the mark `engines`, on SQLite. Elsewhere, waiting for animations would show
    nothing new."""
    has_mark = request.node.get_closest_marker("engines") is not None
    return "no-preference" if has_mark and request.node.callspec.params["engine"] == "sqlite" else "reduce"


@pytest.fixture
def workers(request, motion):
    """Allows the service worker only where a test needs it: with the mark `service_worker`, in requirements about
    connection loss (ids that end with -A), and in the tests with animations. In every new browser the worker first
    fetches a hundred files, which takes as much processor time as five pages."""
    if request.node.get_closest_marker("no_service_worker"):
        return "block"
    rows = [row for mark in request.node.iter_markers("spec") for row in mark.args]
    has_mark = request.node.get_closest_marker("service_worker") is not None
    is_subject = has_mark or any(row.endswith("-A") for row in rows)
    return "allow" if is_subject or motion == "no-preference" else "block"


def close(context):
    """Closes a context. The full browser never closes a window that has just begun to load a page."""
    if getattr(context.browser, "is_full", False):
        for page in context.pages:
            # Another navigation may interrupt this one, or hold it up.
            wait_until(answers(partial(page.goto, "about:blank", timeout=3_000), Error), 20)
    context.close()


@pytest.fixture
def phone(request, playwright, motion, workers):
    """Opens a new phone-sized browser with its own cookies."""
    needs_all = request.node.get_closest_marker("full_browser") is not None
    browser = request.getfixturevalue("full_chromium" if needs_all else "chromium")
    contexts = []

    def open_phone(server, **options):
        settings = {**playwright.devices["Pixel 7"], "base_url": server.url, "locale": "en-GB",
                    "reduced_motion": motion, **PIXELS["layout" in request.module.__name__],
                    "service_workers": workers, **options}
        settings.pop("default_browser_type", None)
        context = browser.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("console", lambda message: page.problems.append(message.text)
                if message.type == "error" and "Content Security Policy" in message.text else None)
        return page

    yield open_phone
    problems = [problem for context in contexts for page in context.pages for problem in getattr(page, "problems", [])]
    for context in contexts:
        close(context)
    assert not problems, f"errors in the page: {problems}"


@pytest.fixture
def sign_in(phone):
    """Opens a phone-sized browser that is signed in by the form's request. (The form has tests of its own.)"""

    def open_signed_in(person, **options):
        page = phone(person.server, **options)
        answer = page.context.request.post(
            "/session", form={"email": person.email, "password": person.password}, max_redirects=0,
            headers={"Accept": "text/html"})
        assert answer.status == 303, (answer.status, answer.text())
        return page

    return open_signed_in


@pytest.fixture
def person(server):
    """Creates accounts on the test's server."""
    return lambda name="Ada", **fields: Person(server, name, **fields)
