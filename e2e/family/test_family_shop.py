"""The shop: rewards that children buy with points, and what they save and wish for: F-28 to F-31."""

import re

import pytest
from playwright.sync_api import expect

from support.children import home, sign_in_by_link
from support.family import field, open_dashboard, press
from support.layout_checks import flaws
from support.offline import go_offline, go_online, is_refused, open_waiting, see, waits, with_worker
from support.pages import toast, words


def give(parent, child, points):
    chore = parent.chore("Work")
    for _ in range(points):
        parent.gives(child, chore, 1)


def reward(parent, name="Cinema", price=5, **fields):
    return parent.call("POST", "/family/shop", {"name": name, "price": price, **fields}, expect=201)


def buy(device, item, **fields):
    path = f"/family/children/{device.id}/purchases"
    return device.call("POST", path, {"rewardId": item["id"], **fields}, expect=201)


def spendable(person, child):
    return person.call("GET", f"/family/children/{child['id']}", expect=200)["spendablePoints"]


def offer(page, name):
    return page.locator(".my-offer").filter(has_text=name)


def waiting(page):
    return page.locator("#waiting").get_by_role("listitem")


def confirm(page, label):
    page.get_by_role("alertdialog").get_by_role("button", name=words(label)).click()


@pytest.mark.spec("F-28-N", "F-29-N")
def test_a_child_buys_a_reward_that_a_parent_approves(engine, server, home, sign_in, phone):
    give(home.parent, home.mia, 7)
    page = sign_in(home.parent)
    page.goto("/family/shop")
    expect(page.get_by_role("heading", name=words("The shop is empty"))).to_be_visible()
    assert flaws(page) == []
    # A suggestion fills the form in.
    page.get_by_role("link", name=words("Cinema")).click()
    expect(field(page, "Name")).to_have_value("Cinema")
    expect(page.locator("[data-photo-preview] img")).to_be_visible()
    field(page, "Price in points").fill("5")
    page.get_by_role("radio", name=words("Chosen children")).check()
    page.get_by_role("switch", name=words("Mia")).check()
    field(page, "Number available").fill("2")
    press(page, "Add a reward")
    expect(toast(page, "“Cinema” is in the shop")).to_be_visible()

    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    child.goto("/family/shop")
    child.get_by_role("button", name=words("Buy “Cinema” for 5 points")).click()
    confirm(child, "Buy")
    expect(waiting(child)).to_contain_text("Cinema")
    expect(child.get_by_text("You have 2 points to spend")).to_be_visible()
    expect(waiting(page)).to_contain_text("Mia · 5 points")
    expect(page.get_by_role("link", name=re.compile("^Cinema"))).to_contain_text("1 left")
    page.get_by_role("button", name=words("Approve “Cinema”")).click()
    expect(toast(page, "“Cinema” is approved")).to_be_visible()
    expect(child.locator("#waiting")).to_have_count(0)


@pytest.mark.spec("F-29-A")
def test_a_purchase_made_offline_is_sent_once(engine, server, home, phone):
    give(home.parent, home.mia, 9)
    reward(home.parent, "Story", 4, needsApproval=False)
    cinema = reward(home.parent)
    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    see(with_worker(child), "/family/shop")
    go_offline(child)
    child.get_by_role("button", name=words("Buy “Story” for 4 points")).click()
    confirm(child, "Buy")
    waits(child, 1)
    # The shop is shown offline, too.
    child.reload()
    waits(child, 1)
    go_online(child)
    waits(child, 0)
    expect(child.get_by_text("You have 5 points to spend")).to_be_visible()
    assert spendable(home.parent, home.mia) == 5

    # Another device spends the other points first.
    mia = home.parent.device(home.mia)
    go_offline(child)
    child.get_by_role("button", name=words("Buy “Cinema” for 5 points")).click()
    confirm(child, "Buy")
    waits(child, 1)
    buy(mia, cinema)
    go_online(child)
    is_refused(child, 1)
    assert spendable(home.parent, home.mia) == 0
    bought = home.parent.call("GET", f"/family/children/{mia.id}/purchases", expect=200)["items"]
    assert sorted(one["name"] for one in bought) == ["Cinema", "Story"]
    expect(open_waiting(child)).to_contain_text("Buy “Cinema” for 5 points")


@pytest.mark.spec("F-30-N")
def test_a_child_saves_for_a_reward(engine, server, home, phone):
    reward(home.parent, "Zoo", 5)
    give(home.parent, home.mia, 2)
    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    child.goto("/family/shop")
    child.get_by_role("button", name=words("Save for “Zoo”")).click()
    expect(toast(child, "You’re saving for “Zoo”")).to_be_visible()
    expect(child.locator("#goal")).to_contain_text("2 of 5 points")
    open_dashboard(child)
    expect(child.locator(".family-goal")).to_contain_text("Saving for “Zoo”")
    give(home.parent, home.mia, 3)
    expect(child.locator(".family-goal")).to_contain_text("5 of 5 points")
    # The card leads to the reward in the shop.
    child.locator(".family-goal").get_by_role("link", name=words("Buy")).click()
    expect(child.get_by_role("button", name=words("Buy “Zoo” for 5 points"))).to_be_in_viewport()


@pytest.mark.spec("F-31-N")
def test_a_wish_becomes_a_reward(engine, server, home, sign_in, phone):
    page = sign_in(home.parent)
    page.goto("/family/shop")
    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    child.goto("/family/shop")
    field(child, "I wish for").fill("Kite")
    press(child, "Add a wish")
    expect(child.locator("#wishes").get_by_role("listitem").filter(has_text="Kite")).to_be_visible()
    page.get_by_role("link", name=words("Add “Kite” to the shop")).click()
    expect(field(page, "Name")).to_have_value("Kite")
    expect(page.get_by_role("switch", name=words("Mia"))).to_be_checked()
    field(page, "Price in points").fill("9")
    press(page, "Add a reward")
    expect(page.get_by_role("link", name=re.compile("^Kite"))).to_contain_text("9 points")
    expect(offer(child, "Kite")).to_be_visible()
    expect(child.locator("#wishes").get_by_role("listitem")).to_have_count(0)
