"""Devices: the commands of the README, and the simulated tracker with the real server."""

import os
import re
import subprocess
import time

import pytest
from playwright.sync_api import expect

from support.pages import card, open_list, toast, until
from support.pairing import pair_by_code
from support.patience import wait_until
from support.server import ROOT
from support.tracker_process import PATIENCE_SECONDS, simulator


def readme_posts():
    """Returns the README's commands that send a position, by the comment above each."""
    block = re.search(r"## Send a position.*?```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.S).group(1)
    parts = re.split(r"^# (.+)$", block, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


POSTS = readme_posts()
KINDS = {name: "owntracks" if name.startswith("OwnTracks") else "osmand" for name in POSTS}


def post(server, command, source):
    text = command.replace("SECRET", source["secret"]).replace("USER", source["user"] or "")
    text = text.replace("PASSPHRASE", source["passphrase"] or "")
    # The Python environment of the tests has the packages that the encrypted post needs.
    environment = {"PATH": f"{ROOT}/.tools/e2e/bin:{os.environ['PATH']}", "SERVER": server.url}
    return subprocess.run(["bash", "-c", text], env=environment, capture_output=True, text=True, timeout=30,
                          check=True).stdout


def source_of(someone, item, kind):
    return someone.call("POST", "/tracking/sources", {"kind": kind, "itemId": item["id"]}, expect=201)


def fixes(someone, item):
    return someone.call("GET", f"/tracking/items/{item['id']}/fixes", expect=200)["items"]


def test_readme_shows_four_sources():
    assert len(POSTS) == 4 and set(KINDS.values()) == {"owntracks", "osmand"}


@pytest.mark.engines
@pytest.mark.parametrize("name", POSTS)
def test_readme_post_moves_the_item(engine, server, person, name):
    someone = person()
    item = someone.add_item("Bike")
    source = source_of(someone, item, KINDS[name])
    # Within the same second, so that the second post is the same fix.
    frozen = re.sub(r"\$\(date \+%s\)", str(int(time.time())), POSTS[name])
    frozen = re.sub(r"\$\(date -u [^)]*\)", time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()), frozen)
    frozen = frozen.replace("int(time.time())", str(int(time.time())))
    post(server, frozen, source)
    stored = fixes(someone, item)
    assert len(stored) == 1
    assert stored[0]["latitude"] == pytest.approx(48.14, abs=0.01)
    assert someone.call("GET", f"/tracking/items/{item['id']}")["lastFix"]["id"] == stored[0]["id"]
    post(server, frozen, source)
    assert fixes(someone, item) == stored, "the same post twice makes one fix"


@pytest.mark.spec("T-3-2-1", "T-3-6-1")
def test_simulated_tracker_is_paired_located_rung_switched_and_released(engine, server, person, sign_in, simulator):
    someone = person()
    item = someone.add_item("Keys")
    path = f"/tracking/items/{item['id']}"
    tracker = simulator(server)
    code = tracker.code()

    def state():
        found = someone.call("GET", path)["tracker"]
        return found["wanted"], found["state"], found["pending"]

    page = sign_in(someone)
    page.goto(f"{path}/tracker")
    pair_by_code(page, code.lower().replace("-", " "))
    wait_until(lambda: state() == ("on", "active", False), PATIENCE_SECONDS)
    wait_until(lambda: len(fixes(someone, item)) >= 2, PATIENCE_SECONDS)

    page.goto(path)
    page.get_by_role("button", name="Ring").click()
    expect(page.get_by_role("status").filter(has_text="The tracker rang.")).to_be_visible(timeout=20_000)

    open_list(page)
    box = card(page, "Keys")
    switch = box.get_by_role("switch")
    expect(switch).to_have_attribute("aria-checked", "true")
    expect(box.get_by_text(re.compile("^off since", re.I))).to_have_count(0)
    switch.click()
    told = toast(page, "Turning Keys off")
    expect(told).to_be_visible()
    told.get_by_role("button", name="Undo").click()
    expect(toast(page, "Turning Keys on")).to_be_visible()
    expect(switch).to_be_checked()
    wait_until(lambda: state() == ("on", "active", False), PATIENCE_SECONDS)

    open_list(page)
    switch.click()
    expect(switch).to_have_attribute("aria-checked", "false")
    expect(box.get_by_text(re.compile(r"off since \d", re.I))).to_be_visible(timeout=20_000)
    until(page, "() => getComputedStyle(document.querySelector('.card .photo')).filter.includes('grayscale')")
    page.goto(path)
    expect(page.locator(".hero-text").get_by_text(re.compile(r"off since \d", re.I))).to_be_visible()
    assert state() == ("off", "off", False)

    someone.call("DELETE", path, expect=204)
    assert tracker.code() != code, "it has turned itself off and is free, with a new code"
