"""Fixtures: a server, people, and phone-sized browsers signed in as them."""

import os

import pytest
from playwright.sync_api import expect, sync_playwright

from support.bluetooth import SWITCHES
from support.bluez import Broker
from support.desktop import Desktop
from support.parcels import Village
from support.server import Person, Postgres, Server
from support.turns import names_a_time, turn

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
# A window's suggestions are two pages of the browser's own, made with each window at more than what our page costs. The list
# replaces Playwright's, and so repeats what of that counts on Linux.
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
    # Without this, the graphics card that isn't there is played by the processor.
    "--disable-gpu",
    # Nothing leaves loopback.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]
# The end of a failure says what failed; a whole server's log with it would hide the other tests' failures.
RERUN_CHARACTERS = 2_500
# Well above what a slow shared machine needs; a bound that a requirement names is passed at the expectation itself.
expect.set_options(timeout=10_000)


@pytest.fixture(autouse=True)
def spec_ids(request, record_property):
    """Writes the ids of `@pytest.mark.spec` beside the result, where coverage-of-spec reads them."""
    for mark in request.node.iter_markers("spec"):
        for requirement in mark.args:
            record_property("spec", requirement)


@pytest.fixture(autouse=True)
def own_turn(request, tmp_path_factory):
    """Nobody else's test runs while one that names a time does."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        yield
        return
    with turn(tmp_path_factory.getbasetemp().parent, names_a_time(request.function)):
        yield


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Tests that must be alone come last, one after the other: in between, each would wait for what the other process is at."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=lambda item: names_a_time(item.function))


def pytest_terminal_summary(terminalreporter):
    """Why a test needed its second try."""
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.section(f"first try of {report.nodeid}")
        terminalreporter.write_line(report.longreprtext[-RERUN_CHARACTERS:])


def pytest_generate_tests(metafunc):
    if "engine" in metafunc.fixturenames:
        smoke = metafunc.definition.get_closest_marker("smoke")
        metafunc.parametrize("engine", ["sqlite", "postgres"] if smoke else ["sqlite"], scope="session")


@pytest.fixture(scope="session")
def postgres():
    cluster = Postgres().start()
    yield cluster
    cluster.close()


@pytest.fixture(scope="session")
def servers(request):
    """The shared servers, one for each engine, started on first use. `is_fresh` replaces the one in use; the one before runs
    until the end, as fixtures of a file may hold on to it."""
    running, started = {}, []

    def get(engine, is_fresh=False):
        if is_fresh or engine not in running:
            url = request.getfixturevalue("postgres").new_database() if engine == "postgres" else None
            running[engine] = Server(url).start()
            started.append(running[engine])
        return running[engine]

    yield get
    for server in started:
        server.close()


@pytest.fixture
def server(engine, servers, request):
    """The shared server. A second try gets a fresh one, so that what the first try left behind can't fail it, or pass it."""
    return servers(engine, is_fresh=getattr(request.node, "execution_count", 1) > 1)


@pytest.fixture
def own_server():
    """Makes servers that a test may kill; closed with it."""
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
    browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def broker():
    """A private bus on which trackers and browsers find a Bluetooth adapter each."""
    broker = Broker().start()
    yield broker
    broker.close()


@pytest.fixture(scope="module")
def chromium_with_bluetooth(playwright, broker):
    """A browser that finds its Bluetooth at the broker."""
    browser = playwright.chromium.launch(
        executable_path=CHROMIUM, headless=True, args=[*ARGUMENTS, *SWITCHES],
        env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": broker.address})
    yield browser
    browser.close()


@pytest.fixture
def village(server):
    """Neighbours who carry parcels; in the end no money was lost or made."""
    place = Village(server)
    yield place
    place.is_sound()


@pytest.fixture
def desktop():
    """Where a browser's notifications are shown, and can be tapped."""
    with Desktop() as desktop:
        yield desktop


@pytest.fixture
def motion(request):
    """Pages move where the smoke tests go, once; elsewhere waiting for them shows nothing more."""
    is_smoke = request.node.get_closest_marker("smoke") is not None
    is_again = getattr(request.node, "callspec", None) and request.node.callspec.params.get("engine") == "postgres"
    return "no-preference" if is_smoke and not is_again else "reduce"


# Of these the service worker is part of the subject.
WITH_WORKER = {
    "test_offline_pages", "test_offline_owners", "test_offline_changes", "test_offline_conflicts", "test_offline_two_phones",
    "test_offline_never_blank", "test_offline_photos", "test_offline_rows",
    "test_update", "test_install", "test_notifications", "test_alerts", "test_lock", "test_lock_passcode",
    "test_passkeys", "test_forms", "test_cut_off", "test_keyboard_phone", "test_launch",
}


@pytest.fixture
def workers(request, motion):
    """The service worker, which every new browser first fetches a hundred files for, runs where it is part of the subject:
    its own tests, the rows without a connection (…-A), and once in each smoke test."""
    rows = [row for mark in request.node.iter_markers("spec") for row in mark.args]
    is_subject = request.module.__name__ in WITH_WORKER or any(row.endswith("-A") for row in rows)
    return "allow" if is_subject or motion == "no-preference" else "block"


@pytest.fixture
def phone(playwright, chromium, motion, workers):
    """Opens a fresh phone-sized browser; each has its own cookies."""
    contexts = []

    def open_phone(server, **options):
        settings = {**playwright.devices["Pixel 7"], "base_url": server.url, "locale": "en-GB", "reduced_motion": motion,
                    "service_workers": workers, **options}
        settings.pop("default_browser_type", None)
        context = chromium.new_context(**settings)
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
        context.close()
    assert not problems, f"errors in the page: {problems}"


@pytest.fixture
def sign_in(phone):
    """A phone-sized browser on which the person has signed in, by the form's request. (The form itself is the subject of
    tests of its own.)"""

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
    """Makes people on the test's server."""
    return lambda name="Ada", **fields: Person(server, name, **fields)
