"""The shop: rewards that children buy with points, and what they save and wish for: F-28 to F-31."""

import re

import pytest
from playwright.sync_api import expect

from support.children import home, sign_in_by_link
from support.family import field, open_dashboard, press, score
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
    open_dashboard(page)
    page.get_by_role("link", name=re.compile("^Shop")).click()
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
    assert flaws(page) == []
    press(page, "Add a reward")
    expect(toast(page, "“Cinema” is in the shop")).to_be_visible()
    row = page.get_by_role("link", name=re.compile("^Cinema"))
    expect(row).to_contain_text("Mia, 2 left")
    expect(row).to_contain_text("5 points")

    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    shop = child.get_by_role("link", name=re.compile("^Shop"))
    expect(shop).to_contain_text("7 points to spend")
    shop.click()
    assert flaws(child) == []
    child.get_by_role("button", name=words("Buy “Cinema” for 5 points")).click()
    confirm(child, "Buy")
    expect(waiting(child)).to_contain_text("Cinema")
    expect(child.get_by_text("You have 2 points to spend")).to_be_visible()
    expect(offer(child, "Cinema")).to_contain_text("3 points to go")
    expect(waiting(page)).to_contain_text("Mia · 5 points")
    expect(row).to_contain_text("1 left")
    assert flaws(page) == []
    page.get_by_role("button", name=words("Approve “Cinema”")).click()
    expect(toast(page, "“Cinema” is approved")).to_be_visible()
    expect(child.locator("#waiting")).to_have_count(0)
    child.get_by_role("link", name=words("What I bought")).click()
    expect(child.get_by_role("listitem").filter(has_text="Cinema")).to_contain_text("Bought")
    assert flaws(child) == []
    # The points that the child did get stay as they are.
    assert score(home.parent, home.mia) == (0, 7, 0)
    ben = home.parent.device(home.ben)
    assert ben.call("GET", "/family/shop", expect=200)["items"] == []
    ben.call("GET", f"/family/children/{home.mia['id']}/purchases", expect=403)


@pytest.mark.spec("F-29-A")
def test_points_are_spent_once_by_two_devices(engine, server, home, phone):
    give(home.parent, home.mia, 5)
    cinema = reward(home.parent)
    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    see(with_worker(child), "/family/shop")
    mia = home.parent.device(home.mia)
    go_offline(child)
    # The shop is shown offline, too.
    child.goto("/family/shop")
    child.get_by_role("button", name=words("Buy “Cinema” for 5 points")).click()
    confirm(child, "Buy")
    waits(child, 1)
    buy(mia, cinema)
    go_online(child)
    is_refused(child, 1)
    assert spendable(home.parent, home.mia) == 0
    bought = home.parent.call("GET", f"/family/children/{mia.id}/purchases", expect=200)["items"]
    assert len(bought) == 1
    expect(open_waiting(child)).to_contain_text("Buy “Cinema” for 5 points")
    mia.call("POST", f"/family/children/{mia.id}/purchases/{bought[0]['id']}/approval", {}, expect=403)
    mia.call("POST", "/family/shop", {"name": "Own", "price": 1}, expect=403)


@pytest.mark.spec("F-29-A")
def test_a_purchase_made_offline_is_sent_once(engine, server, home, phone):
    give(home.parent, home.mia, 9)
    reward(home.parent, "Story", 4, needsApproval=False)
    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    see(with_worker(child), "/family/shop")
    go_offline(child)
    child.get_by_role("button", name=words("Buy “Story” for 4 points")).click()
    confirm(child, "Buy")
    waits(child, 1)
    child.reload()
    waits(child, 1)
    go_online(child)
    waits(child, 0)
    expect(child.get_by_text("You have 5 points to spend")).to_be_visible()
    assert spendable(home.parent, home.mia) == 5


@pytest.mark.spec("F-30-N", "F-30-B")
def test_a_child_saves_for_a_reward(engine, server, home, sign_in, phone):
    reward(home.parent, "Zoo", 5)
    give(home.parent, home.mia, 2)
    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    child.goto("/family/shop")
    child.get_by_role("button", name=words("Save for “Zoo”")).click()
    expect(toast(child, "You’re saving for “Zoo”")).to_be_visible()
    expect(child.locator("#goal")).to_contain_text("2 of 5 points")
    expect(offer(child, "Zoo")).to_contain_text("Your saving goal")
    assert flaws(child) == []
    open_dashboard(child)
    expect(child.locator(".family-goal")).to_contain_text("Saving for “Zoo”")
    assert flaws(child) == []
    page = sign_in(home.parent)
    page.goto(f"/family/children/{home.mia['id']}")
    expect(page.locator("#goal")).to_contain_text("2 of 5 points")
    assert flaws(page) == []
    give(home.parent, home.mia, 3)
    expect(child.locator(".family-goal")).to_contain_text("5 of 5 points")
    expect(child.get_by_text("Enough points: the goal is reached!")).to_be_visible()
    mia = home.parent.device(home.mia)
    told = [one["title"] for one in mia.call("GET", "/notifications", expect=200)["items"]]
    assert told.count("Enough points for “Zoo”") == 1
    body = next(one["body"] for one in mia.call("GET", "/notifications")["items"] if one["kind"] == "goalReached")
    assert body == "You have reached your saving goal."
    # The card leads to the reward in the shop.
    child.locator(".family-goal").get_by_role("link", name=words("Buy")).click()
    child.get_by_role("button", name=words("Buy “Zoo” for 5 points")).click()
    confirm(child, "Buy")
    # A parent could decline, so the goal is over once a parent approves.
    expect(child.locator("#waiting")).to_contain_text("Zoo")
    expect(child.locator("#goal")).to_be_visible()
    bought = mia.call("GET", f"/family/children/{mia.id}/purchases", expect=200)["items"][0]
    home.parent.call("POST", f"/family/children/{mia.id}/purchases/{bought['id']}/approval", {}, expect=201)
    expect(child.locator("#goal")).to_have_count(0)


@pytest.mark.spec("F-31-N", "F-31-B")
def test_a_wish_becomes_a_reward(engine, server, home, sign_in, phone):
    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    child.goto("/family/shop")
    for name in ("Kite", "Pony"):
        field(child, "I wish for").fill(name)
        press(child, "Add a wish")
        expect(child.locator("#wishes").get_by_role("listitem").filter(has_text=name)).to_be_visible()
    assert flaws(child) == []
    page = sign_in(home.parent)
    open_dashboard(page)
    row = page.get_by_role("link", name=re.compile("^Shop"))
    expect(row).to_contain_text("2 wishes")
    row.click()
    assert flaws(page) == []
    page.get_by_role("link", name=words("Add “Kite” to the shop")).click()
    expect(field(page, "Name")).to_have_value("Kite")
    expect(page.get_by_role("switch", name=words("Mia"))).to_be_checked()
    field(page, "Price in points").fill("9")
    press(page, "Add a reward")
    expect(page.get_by_role("link", name=re.compile("^Kite"))).to_contain_text("9 points")
    page.get_by_role("button", name=words("Decline “Pony”")).click()
    expect(page.locator("#wishes")).to_have_count(0)
    expect(offer(child, "Kite")).to_be_visible()
    expect(child.locator("#wishes").get_by_role("listitem")).to_have_count(0)
    mia = home.parent.device(home.mia)
    told = [one["title"] for one in mia.call("GET", "/notifications", expect=200)["items"]]
    assert {"Your wish “Kite” is in the shop", "Your wish “Pony” was declined"} <= set(told)
    field(child, "I wish for").fill("Drum")
    press(child, "Add a wish")
    expect(page.locator("#wishes")).to_contain_text("Drum")
    child.get_by_role("button", name=words("Withdraw “Drum”")).click()
    expect(page.locator("#wishes")).to_have_count(0)
