"""The shop: rewards that children buy with points, and what they save and wish for: F-28 to F-31."""

import re

import pytest
from playwright.sync_api import expect

from support.children import Household, home, sign_in_by_link
from support.family import field, is_marked, open_dashboard, press, score
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
@pytest.mark.smoke
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


@pytest.mark.spec("F-28-B")
def test_rewards_are_edited_deleted_and_brought_back(server, sign_in):
    ada = Household(server, "Ada")
    ada.child("Mia")
    reward(ada)
    page = sign_in(ada)
    page.goto("/family/shop")
    page.get_by_role("link", name=re.compile("^Cinema")).click()
    # An only child needs no choice.
    expect(page.get_by_role("radio")).to_have_count(0)
    field(page, "Price in points").fill("8")
    field(page, "Days between purchases").fill("7")
    page.get_by_role("switch", name=re.compile("A parent approves")).uncheck()
    press(page, "Update")
    row = page.get_by_role("link", name=re.compile("^Cinema"))
    expect(row).to_contain_text("once in 7 days, without approval")
    row.click()
    expect(field(page, "Price in points")).to_have_value("8")
    press(page, "Delete reward")
    expect(page.get_by_role("heading", name=words("The shop is empty"))).to_be_visible()
    page.get_by_role("button", name=words("Undo")).click()
    expect(row).to_be_visible()


@pytest.mark.spec("F-28-A")
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_wrong_fields_are_marked_and_nothing_is_lost(server, sign_in, scripts):
    ada = Household(server, "Ada")
    ada.child("Mia")
    ada.child("Ben")
    page = sign_in(ada, java_script_enabled=scripts)
    page.goto("/family/shop/new")
    field(page, "Price in points").fill("many")
    field(page, "Number available").fill("-1")
    field(page, "Days between purchases").fill("0")
    page.get_by_role("radio", name=words("Chosen children")).check()
    press(page, "Add a reward")
    for label in ("Name", "Price in points", "Number available", "Days between purchases"):
        is_marked(field(page, label), page)
    expect(page.locator("#childIds-error")).to_have_text("Choose at least one child.")
    expect(field(page, "Price in points")).to_have_value("many")
    field(page, "Name").fill("Zoo")
    field(page, "Price in points").fill("4")
    field(page, "Number available").fill("")
    field(page, "Days between purchases").fill("")
    page.get_by_role("switch", name=words("Ben")).check()
    press(page, "Add a reward")
    expect(page.get_by_role("link", name=re.compile("^Zoo"))).to_contain_text("Ben")


@pytest.mark.spec("F-29-B")
def test_the_shop_says_why_a_reward_cannot_be_bought(engine, server, home, phone):
    mia = home.parent.device(home.mia)
    give(home.parent, home.mia, 9)
    reward(home.parent, "Kite", 1, stock=0)
    film = reward(home.parent, "Film", 2, cooldownDays=7)
    reward(home.parent, "Zoo", 30)
    free = reward(home.parent, "Story", 3, needsApproval=False)
    bought = buy(mia, film)
    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    child.goto("/family/shop")
    expect(offer(child, "Kite")).to_contain_text("Sold out")
    expect(offer(child, "Zoo")).to_contain_text("23 points to go")
    expect(offer(child, "Film")).to_contain_text("Available again on")
    child.get_by_role("button", name=words("Cancel “Film”")).click()
    expect(toast(child, "“Film” is cancelled. You got 2 points back.")).to_be_visible()
    expect(child.get_by_role("button", name=words("Buy “Film” for 2 points"))).to_be_visible()
    mia.call("DELETE", f"/family/children/{mia.id}/purchases/{bought['id']}", expect=409)
    child.get_by_role("button", name=words("Buy “Story” for 3 points")).click()
    confirm(child, "Buy")
    expect(toast(child, "“Story” is yours")).to_be_visible()
    assert spendable(home.parent, home.mia) == 6
    assert buy(mia, free)["state"] == "approved"


@pytest.mark.spec("F-29-B")
def test_a_parent_declines_with_a_reason_and_gives_points_back(engine, server, home, sign_in):
    mia = home.parent.device(home.mia)
    chore = home.parent.chore("Dishes")
    for _ in range(3):
        home.parent.gives(home.mia, chore, 3)
    cinema = reward(home.parent)
    page = sign_in(home.parent)
    first = buy(mia, cinema)
    page.goto(f"/family/children/{mia.id}/purchases/{first['id']}")
    expect(page.get_by_text("It costs 5 points. Mia then has 4 points left.")).to_be_visible()
    field(page, "Reason").fill("Homework first")
    assert flaws(page) == []
    press(page, "Decline")
    expect(toast(page, "“Cinema” is declined")).to_be_visible()
    [told] = [one for one in mia.call("GET", "/notifications", expect=200)["items"]
              if one["kind"] == "purchaseDecided"]
    assert (told["title"], told["body"]) == ("Paula declined “Cinema”", "“Homework first” You got 5 points back.")
    buy(mia, reward(home.parent, "Story", 7, needsApproval=False))
    # Points that are spent can't be undone.
    page.goto(f"/family/children/{mia.id}")
    page.get_by_role("button", name=words("Undo 3 points for “Dishes”")).first.click()
    confirm(page, "Undo")
    expect(toast(page, re.compile("These points are spent already."))).to_be_visible()
    page.get_by_role("link", name=re.compile("^Bought in the shop")).click()
    assert flaws(page) == []
    page.get_by_role("button", name=words("Give back 7 points for “Story”")).click()
    confirm(page, "Give back")
    expect(toast(page, "7 points given back")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="Story")).to_contain_text("Points given back")
    assert spendable(home.parent, home.mia) == 9


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


@pytest.mark.spec("F-30-A")
def test_a_goal_is_hidden_from_siblings_and_ends_with_its_reward(server, home, phone):
    zoo = reward(home.parent, "Zoo", 5)
    mia, ben = home.parent.device(home.mia), home.parent.device(home.ben)
    path = f"/family/children/{mia.id}"
    mia.call("PUT", f"{path}/goal", {"rewardId": zoo["id"]}, expect=200)
    assert home.parent.call("GET", path, expect=200)["savingGoal"]["name"] == "Zoo"
    assert ben.call("GET", path, expect=200)["savingGoal"] is None
    ben.call("PUT", f"{path}/goal", {"rewardId": zoo["id"]}, expect=403)
    home.parent.call("DELETE", f"{path}/goal", expect=403)
    home.parent.call("DELETE", f"/family/shop/{zoo['id']}", expect=204)
    assert mia.call("GET", path, expect=200)["savingGoal"] is None
    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    child.goto("/family/shop")
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


@pytest.mark.spec("F-31-A")
def test_wishes_are_checked_and_private(server, home):
    mia, ben = home.parent.device(home.mia), home.parent.device(home.ben)
    path = f"/family/children/{mia.id}/wishes"
    mia.call("POST", path, {"name": " "}, expect=422)
    wish = mia.call("POST", path, {"name": "Kite"}, expect=201)
    for number in range(19):
        mia.call("POST", path, {"name": f"Wish {number}"}, expect=201)
    mia.call("POST", path, {"name": "One more"}, expect=409)
    ben.call("GET", path, expect=403)
    assert ben.call("GET", "/family/shop", expect=200)["wishes"] == []
    ben.call("DELETE", f"{path}/{wish['id']}", expect=403)
    home.parent.call("POST", path, {"name": "Mine"}, expect=403)
