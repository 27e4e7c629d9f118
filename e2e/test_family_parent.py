"""A parent's side of Family: F-01, F-02, F-06 to F-09, F-11 to F-13."""

import re
from datetime import datetime, timedelta, timezone

import pytest
from playwright.sync_api import expect

from support.children import Household
from support.family import (
    BORN, card, cards, choose_photo, field, fill_level, give, is_marked, marked, names, open_assign, open_dashboard,
    open_profile, plus, press, score,
)
from support.pages import ONE_SECOND, answered, border_colors, is_red, until, words


@pytest.fixture
def ada(server):
    return Household(server, "Ada")


@pytest.fixture
def page(ada, sign_in):
    page = sign_in(ada)
    open_dashboard(page)
    return page


# F-01, F-02

def open_register(phone, server):
    page = phone(server)
    page.goto("/family")
    page.get_by_role("main").get_by_role("link", name=words("Register")).click()
    expect(page.locator("#dateOfBirth")).to_be_visible()
    return page


def fill_registration(page, **values):
    fields = {"name": "Ada", "email": f"f01-{abs(hash(page))}@example.org", "password": "correct horse battery",
              "dateOfBirth": "1990-05-01", **values}
    for name, value in fields.items():
        page.locator(f"#{name}").fill(value)
    return fields


def accounts(server):
    done = server.command("account", "list")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.smoke
@pytest.mark.spec("F-01-N")
def test_a_parent_registers_and_lands_on_the_dashboard(engine, server, phone):
    page = open_register(phone, server)
    fields = fill_registration(page)
    page.locator("form#register-form").get_by_role("button").click()
    page.wait_for_url(re.compile("/family$"))
    expect(page.get_by_role("heading", name=words("Family"), level=1)).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("Ada")
    assert fields["email"] in accounts(server)


@pytest.mark.spec("F-01-B")
@pytest.mark.parametrize("missing", ["name", "email", "password", "dateOfBirth"])
def test_the_one_empty_field_is_marked_until_it_is_right(engine, server, phone, missing):
    page = open_register(phone, server)
    fields = fill_registration(page, **{missing: ""})
    before = accounts(server)
    page.locator("form#register-form").get_by_role("button").click()
    one = page.locator(f"#{missing}")
    is_marked(one, page)
    expect(marked(page)).to_have_count(1)
    message = page.locator(f"#{missing}-error")
    assert is_red(message.evaluate("element => getComputedStyle(element).color"))
    for name in fields.keys() - {missing, "password"}:
        expect(page.locator(f"#{name}")).to_have_value(fields[name])
    assert accounts(server) == before
    half = {"email": "ada@", "password": "short", "dateOfBirth": "2999-01-01"}.get(missing)
    if half:
        one.fill(half)
        is_marked(one, page)
    right = {"name": "Ada", "email": "ada.b@example.org", "password": "correct horse battery",
             "dateOfBirth": "1990-05-01"}
    one.fill(right[missing])
    expect(marked(page)).to_have_count(0)
    expect(message).to_be_hidden()


@pytest.mark.spec("F-01-A")
def test_all_empty_and_a_malformed_email_are_marked_and_nothing_is_made(engine, server, phone):
    page = open_register(phone, server)
    before = accounts(server)
    page.locator("form#register-form").get_by_role("button").click()
    for name in ["name", "email", "password", "dateOfBirth"]:
        is_marked(page.locator(f"#{name}"), page)
    for malformed in ["ada", "ada@", "@example.org", "ada example.org"]:
        fill_registration(page, email=malformed)
        with answered(page):
            page.locator("form#register-form").get_by_role("button").click()
        expect(page.locator("#email")).to_have_value(malformed)
        is_marked(page.locator("#email"), page)
        expect(marked(page)).to_have_count(1)
    assert accounts(server) == before
    page.goto("/family/account")
    expect(page).to_have_url(re.compile("/sign-in"))


def open_sign_in(phone, server):
    page = phone(server)
    page.goto("/family")
    page.get_by_role("main").get_by_role("link", name=words("Sign in")).click()
    expect(page.get_by_role("heading", name=words("Sign in"))).to_be_visible()
    return page


def try_to_sign_in(page, email, password):
    page.locator("#email").fill(email)
    page.locator("#password").fill(password)
    press(page, "Sign in")


@pytest.mark.smoke
@pytest.mark.spec("F-02-N")
def test_a_parent_signs_in(engine, ada, phone):
    page = open_sign_in(phone, ada.server)
    try_to_sign_in(page, ada.email, ada.password)
    page.wait_for_url(re.compile("/family$"))
    expect(page.get_by_role("heading", name=words("Family"), level=1)).to_be_visible()


def is_refused(page):
    """An alert that doesn't say which of the two it was."""
    alert = page.get_by_role("alert").filter(has_text=re.compile(r"\w"))
    expect(alert.first).to_be_visible()
    expect(page).to_have_url(re.compile("/(sign-in|session)"))
    return alert.first.inner_text()


@pytest.mark.spec("F-02-B")
def test_wrong_pairs_get_one_and_the_same_alert(engine, ada, phone):
    page = open_sign_in(phone, ada.server)
    said = set()
    for email, password in [("nobody@example.org", ada.password), (ada.email, "wrong horse"),
                            ("nobody@example.org", "wrong horse")]:
        try_to_sign_in(page, email, password)
        # Typed before, and never filled in by an answer: the answer is here.
        expect(page.locator("#password")).to_have_value("")
        expect(page.locator("#email")).to_have_value(email)
        said.add(is_refused(page))
    for email, password in [("", ""), (ada.email, ""), ("", ada.password)]:
        page.reload()
        try_to_sign_in(page, email, password)
        said.add(is_refused(page))
        expect(marked(page)).to_have_count(0)
    assert len(said) == 1, said
    page.goto("/family/account")
    expect(page).to_have_url(re.compile("/sign-in"))


@pytest.mark.spec("F-02-A")
def test_email_and_password_in_each_others_field(engine, ada, phone):
    page = open_sign_in(phone, ada.server)
    try_to_sign_in(page, ada.password, ada.email)
    assert is_refused(page) == "Email or password is wrong."
    expect(marked(page)).to_have_count(0)
    page.goto("/family/account")
    expect(page).to_have_url(re.compile("/sign-in"))


# F-06

@pytest.mark.smoke
@pytest.mark.spec("F-06-N")
def test_a_card_for_each_child(engine, ada, page):
    children = [ada.child(name) for name in ["Mia", "Ben", "Zoé"]]
    dishes = ada.chore()
    ada.contract(children[0])
    ada.gives(children[0], dishes, 3)
    expect(cards(page)).to_have_count(3, timeout=ONE_SECOND * 3)
    mia = card(page, "Mia")
    for text in ["3 of 10", "3 in all", "Level 1"]:
        expect(mia).to_contain_text(text)
    expect(mia.locator("img")).to_be_visible()
    for name in ["Mia", "Ben", "Zoé"]:
        open_profile(page, name)
        page.go_back()
    ada.gives(children[1], dishes, 2)
    expect(card(page, "Ben")).to_contain_text("2 in all", timeout=ONE_SECOND)


@pytest.mark.spec("F-06-B")
def test_no_child_and_ten_children(engine, ada, page):
    expect(cards(page)).to_have_count(0)
    expect(page.get_by_role("main")).to_contain_text(re.compile("plus", re.I))
    for number in range(10):
        ada.child(f"Child {number}")
    expect(cards(page)).to_have_count(10)
    last = card(page, "Child 9")
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    last.get_by_role("link").click()
    expect(page.get_by_role("heading", name=words("Child 9"), level=1)).to_be_visible()


@pytest.mark.spec("F-06-A")
def test_a_child_deleted_elsewhere_disappears(engine, ada, page):
    mia, _ = ada.child("Mia"), ada.child("Ben")
    expect(cards(page)).to_have_count(2)
    ada.call("DELETE", f"/family/children/{mia['id']}", expect=204)
    expect(card(page, "Mia")).to_have_count(0, timeout=ONE_SECOND)
    expect(cards(page)).to_have_count(1)


@pytest.mark.spec("F-06-A")
def test_a_profile_that_is_open_goes_back_when_its_child_is_deleted_elsewhere(engine, ada, page):
    mia = ada.child("Mia")
    open_profile(page, "Mia")
    ada.call("DELETE", f"/family/children/{mia['id']}", expect=204)
    page.wait_for_url(re.compile("/family$"))
    expect(cards(page)).to_have_count(0)


# F-07

@pytest.mark.smoke
@pytest.mark.spec("F-07-N")
def test_a_child_is_added(engine, ada, page):
    plus(page, "Add a child")
    field(page, "Child's name").fill("Mia 🦊")
    field(page, "Date of birth").fill("2016-02-29")
    press(page, "Add a child")
    page.wait_for_url(re.compile("/family$"))
    expect(card(page, "Mia 🦊")).to_be_visible()
    child = ada.call("GET", "/family/children")["items"][0]
    assert (child["name"], child["dateOfBirth"], child["theme"]) == ("Mia 🦊", "2016-02-29", "standard")
    assert child["avatarPictureId"]


@pytest.mark.spec("F-07-N")
def test_a_child_is_added_with_a_theme(engine, ada, page):
    plus(page, "Add a child")
    field(page, "Child's name").fill("Mia")
    field(page, "Date of birth").fill(BORN)
    page.get_by_role("radio", name=words("Ocean")).check()
    press(page, "Add a child")
    page.wait_for_url(re.compile("/family$"))
    assert ada.call("GET", "/family/children")["items"][0]["theme"] == "ocean"


@pytest.mark.spec("F-07-B")
@pytest.mark.parametrize("name, date, faults", [
    ("", BORN, ["Child's name"]), ("Mia", "", ["Date of birth"]), ("", "", ["Child's name", "Date of birth"]),
])
def test_what_a_child_lacks_is_red(engine, ada, page, name, date, faults):
    plus(page, "Add a child")
    field(page, "Child's name").fill(name)
    field(page, "Date of birth").fill(date)
    press(page, "Add a child")
    for label in faults:
        is_marked(field(page, label), page)
        assert all(is_red(color) and width != "0px" for width, color in border_colors(field(page, label)))
    expect(marked(page)).to_have_count(len(faults))
    expect(page.get_by_text("Enter your")).to_have_count(0)
    assert names(ada) == []


def utc_day(days):
    return (datetime.now(timezone.utc) + timedelta(days=days)).date().isoformat()


@pytest.mark.spec("F-07-B")
@pytest.mark.parametrize("date", ["1899-12-31", "today", "tomorrow", "2999-01-01"])
def test_a_child_is_born_in_the_past(engine, ada, page, date):
    date = {"today": utc_day(0), "tomorrow": utc_day(1)}.get(date, date)
    plus(page, "Add a child")
    field(page, "Child's name").fill("Mia")
    field(page, "Date of birth").fill(date)
    press(page, "Add a child")
    is_marked(field(page, "Date of birth"), page)
    assert names(ada) == []


@pytest.mark.spec("F-07-N")
@pytest.mark.parametrize("date", ["1900-01-01", "yesterday"])
def test_the_first_and_the_last_day_to_be_born(engine, ada, page, date):
    date = utc_day(-1) if date == "yesterday" else date
    plus(page, "Add a child")
    field(page, "Child's name").fill("ميا 👩‍🚀")
    field(page, "Date of birth").fill(date)
    press(page, "Add a child")
    expect(page).to_have_url(re.compile("/family$"))
    child, = ada.call("GET", "/family/children")["items"]
    assert (child["name"], child["dateOfBirth"]) == ("ميا 👩‍🚀", date)


@pytest.mark.spec("F-07-A")
def test_the_same_name_twice_stays_two_children(engine, ada, page):
    first = ada.child("Mia")
    plus(page, "Add a child")
    field(page, "Child's name").fill("Mia")
    field(page, "Date of birth").fill(BORN)
    press(page, "Add a child")
    page.wait_for_url(re.compile("/family$"))
    expect(card(page, "Mia")).to_have_count(2)
    ada.gives(first, ada.chore(), 3)
    expect(card(page, "Mia").filter(has_text="3 in all")).to_have_count(1)
    expect(card(page, "Mia").filter(has_text="0 in all")).to_have_count(1)


# F-08

@pytest.mark.smoke
@pytest.mark.spec("F-08-N")
def test_a_chore_is_added_and_listed(engine, ada, page):
    plus(page, "Add a chore")
    field(page, "Name").fill("Set the table")
    choose_photo(page)
    press(page, "Add a chore")
    page.wait_for_url(re.compile("/family$"))
    page.goto("/family/account")
    expect(page.locator("#chores")).to_contain_text("Set the table")
    expect(page.locator("#chores img").first).to_be_visible()


@pytest.mark.spec("F-08-B")
def test_a_chore_needs_name_and_picture(engine, ada, page):
    plus(page, "Add a chore")
    press(page, "Add a chore")
    is_marked(field(page, "Name"), page)
    problem = page.locator("[data-photo-error]")
    expect(problem).not_to_be_empty()
    assert is_red(problem.evaluate("element => getComputedStyle(element).color"))
    field(page, "Name").fill("Set the table")
    # What stands there already would satisfy the next lines, and the answer would then come upon later words.
    with answered(page):
        press(page, "Add a chore")
    expect(problem).not_to_be_empty()
    expect(field(page, "Name")).to_have_value("Set the table")
    expect(marked(page).filter(has_not=page.locator("button"))).to_have_count(0)
    field(page, "Name").fill("")
    choose_photo(page)
    press(page, "Add a chore")
    is_marked(field(page, "Name"), page)
    expect(page.locator("[data-photo-preview] img")).to_be_visible()
    assert names(ada, "/family/chores") == []


@pytest.mark.spec("F-08-A")
def test_a_chore_like_another_is_taken_with_a_notice(engine, ada, page):
    ada.chore("Set the table")
    plus(page, "Add a chore")
    field(page, "Name").fill("Set the table")
    choose_photo(page)
    press(page, "Add a chore")
    expect(page.locator(".toasts")).to_contain_text(re.compile("another chore"))
    assert names(ada, "/family/chores") == ["Set the table"] * 2


@pytest.mark.spec("F-08-N")
def test_a_chore_is_edited_and_a_deletion_undone(engine, ada, page):
    ada.chore("Dishes")
    page.goto("/family/account")
    page.locator("#chores").get_by_role("link", name=re.compile("Dishes")).click()
    expect(field(page, "Name")).to_have_value("Dishes")
    field(page, "Name").fill("Laundry")
    press(page, "Update")
    page.wait_for_url(re.compile("/family/account$"))
    expect(page.locator("#chores")).to_contain_text("Laundry")
    page.locator("#chores").get_by_role("link", name=re.compile("Laundry")).click()
    press(page, "Delete chore")
    page.wait_for_url(re.compile("/family/account$"))
    expect(page.locator("#chores")).not_to_contain_text("Laundry")
    assert names(ada, "/family/chores") == []
    page.locator(".toasts").get_by_role("button", name=words("Undo")).click()
    expect(page.locator("#chores")).to_contain_text("Laundry")
    assert names(ada, "/family/chores") == ["Laundry"]


# F-09

@pytest.mark.smoke
@pytest.mark.spec("F-09-N")
def test_a_contract_is_added(engine, ada, page):
    mia = ada.child("Mia")
    ada.gives(mia, ada.chore(), 2)
    open_profile(page, "Mia")
    plus(page, "Add contract")
    field(page, "Maximum points").fill("10")
    field(page, "Description").fill("Until summer")
    for index, (reward, points) in enumerate([("Ice cream", 3), ("Cinema", 3), ("Zoo", 3), ("Book", 1)]):
        if index == 3:
            press(page, "Add a level")
        fill_level(page, index, reward, points)
    expect(page.locator("[data-level-sum]")).to_contain_text("10 of 10")
    press(page, "Add contract")
    page.wait_for_url(re.compile(f"/family/children/{mia['id']}$"))
    main = page.get_by_role("main")
    expect(page.locator("#gained")).to_contain_text("0 of 10")
    expect(page.locator("#achievement")).to_contain_text("2")
    for reward in ["Ice cream", "Cinema", "Zoo", "Book", "Until summer"]:
        expect(main).to_contain_text(reward)
    assert score(ada, mia) == (0, 2, 0)


@pytest.mark.spec("F-09-N")
def test_a_new_contract_ends_the_present_one(engine, ada, page):
    mia = ada.child("Mia")
    ada.contract(mia)
    ada.gives(mia, ada.chore(), 3)
    open_profile(page, "Mia")
    expect(page.locator("#gained")).to_contain_text("3 of 10")
    plus(page, "Add contract")
    field(page, "Maximum points").fill("5")
    fill_level(page, 0, "Park", 5)
    press(page, "Add contract")
    expect(page.locator("#gained")).to_contain_text("0 of 5")
    page.get_by_role("link", name=re.compile("Contracts so far")).click()
    expect(page.get_by_role("main")).to_contain_text("Park")
    expect(page.get_by_role("main")).to_contain_text("Ice cream")
    expect(page.get_by_role("main")).to_contain_text("Ended")
    assert score(ada, mia) == (0, 3, 0)


@pytest.mark.spec("F-09-B")
@pytest.mark.parametrize("levels, fault", [([11], 0), ([3, 3, 5], 2)])
def test_a_level_or_the_sum_above_the_maximum_is_marked(engine, ada, page, levels, fault):
    mia = ada.child("Mia")
    page.goto(f"/family/children/{mia['id']}/contracts/new")
    field(page, "Maximum points").fill("10")
    for index, points in enumerate(levels):
        fill_level(page, index, f"Reward {index}", points)
    # The page marks it while one types; the answer would come upon later words.
    with answered(page):
        press(page, "Add contract")
    is_marked(page.locator(f"[name='levels.{fault}.points']"), page)
    expect(marked(page)).to_have_count(1)
    assert ada.call("GET", f"/family/children/{mia['id']}")["contract"] is None
    page.locator(f"[name='levels.{fault}.points']").fill("4")
    expect(marked(page)).to_have_count(0)
    press(page, "Add contract")
    page.wait_for_url(re.compile(f"/family/children/{mia['id']}$"))


@pytest.mark.spec("F-09-A")
def test_text_in_the_maximum_is_marked(engine, ada, page):
    mia = ada.child("Mia")
    page.goto(f"/family/children/{mia['id']}/contracts/new")
    for typed in ["ten", "", "1.5", "-1", "0"]:
        field(page, "Maximum points").fill(typed)
        fill_level(page, 0, "Zoo", 3)
        with answered(page):
            press(page, "Add contract")
        expect(field(page, "Maximum points")).to_have_value(typed)
        is_marked(field(page, "Maximum points"), page)
        expect(page.locator("[name='levels.0.reward']")).to_have_value("Zoo")
    assert ada.call("GET", f"/family/children/{mia['id']}")["contract"] is None


@pytest.mark.spec("F-09-N")
def test_levels_are_added_without_scripts_too(engine, ada, sign_in):
    mia = ada.child("Mia")
    page = sign_in(ada, java_script_enabled=False)
    page.goto(f"/family/children/{mia['id']}/contracts/new")
    field(page, "Maximum points").fill("10")
    fill_level(page, 0, "Zoo", 4)
    press(page, "Add a level")
    expect(page.locator("[name='levels.0.reward']")).to_have_value("Zoo")
    fill_level(page, 1, "Cinema", 6)
    press(page, "Add contract")
    page.wait_for_url(re.compile(f"/family/children/{mia['id']}$"))
    levels = ada.call("GET", f"/family/children/{mia['id']}")["contract"]["levels"]
    assert [(level["reward"], level["points"]) for level in levels] == [("Zoo", 4), ("Cinema", 6)]


# F-11

@pytest.mark.smoke
@pytest.mark.spec("F-11-N")
def test_chores_are_assigned(engine, ada, page, sign_in):
    mia = ada.child("Mia")
    for name in ["Dishes", "Dog", "Laundry"]:
        ada.chore(name)
    ada.contract(mia)
    other = sign_in(ada)
    open_profile(other, "Mia")
    open_profile(page, "Mia")
    dialog = open_assign(page)
    give(dialog, "Dishes", 3)
    give(dialog, "Dog", 3)
    press(dialog, "Assign")
    expect(dialog).to_be_hidden()
    for there in [page, other]:
        finished = there.locator("#finished")
        expect(finished.get_by_role("heading", name=words("Finish chores"))).to_be_visible()
        expect(finished.locator("h2 svg")).to_be_visible()
        expect(finished.get_by_role("listitem")).to_have_count(2)
        for name in ["Dishes", "Dog"]:
            done = finished.get_by_role("listitem").filter(has_text=name)
            expect(done).to_contain_text("+3")
            expect(done.locator("img")).to_be_visible()
        expect(there.locator("#gained")).to_contain_text("6 of 10")
        expect(there.locator("#level")).to_contain_text("2")
    assert score(ada, mia) == (6, 6, 2)


@pytest.mark.smoke
@pytest.mark.spec("F-11-N")
def test_points_and_levels_follow_each_booking_and_each_undo(engine, ada, page):
    mia, chore = ada.child("Mia"), ada.chore()
    ada.contract(mia)
    open_profile(page, "Mia")
    booked = []

    def shows(gained, level, achievement):
        expect(page.locator("#gained")).to_have_text(f"{gained} of 10")
        expect(page.locator("#level")).to_have_text(str(level))
        expect(page.locator("#achievement")).to_have_text(str(achievement))
        assert score(ada, mia) == (gained, achievement, level)

    for points, *shown in [(3, 3, 1, 3), (2, 5, 1, 5), (1, 6, 2, 6), (3, 9, 2, 9), (1, 10, 3, 10), (2, 10, 3, 12)]:
        booked.append(ada.gives(mia, chore, points))
        shows(*shown)
    expect(page.locator("#rewards")).to_contain_text("2 points above the maximum")
    for *shown, lost in [(10, 3, 10, 0), (9, 2, 9, 1), (6, 2, 6, 1), (5, 1, 5, 2), (3, 1, 3, 2), (0, 0, 0, 3)]:
        ada.call("DELETE", f"/family/children/{mia['id']}/assignments/{booked.pop()['id']}", expect=204)
        shows(*shown)
        expect(page.locator("#rewards").get_by_text("Lost again")).to_have_count(lost)
    expect(page.locator("#rewards")).not_to_contain_text("above the maximum")


@pytest.mark.spec("F-11-N")
def test_an_assignment_is_undone(engine, ada, page):
    mia = ada.child("Mia")
    ada.contract(mia)
    ada.gives(mia, ada.chore("Dishes"), 3)
    open_profile(page, "Mia")
    page.get_by_role("button", name=re.compile("Undo 3 points")).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words("Undo")).click()
    expect(page.locator("#finished")).to_contain_text("Undone")
    expect(page.locator("#gained")).to_contain_text("0 of 10")
    expect(page.locator("#rewards")).to_contain_text("Lost again")
    assert score(ada, mia) == (0, 0, 0)


@pytest.mark.spec("F-11-B")
def test_close_discards_and_nothing_chosen_books_nothing(engine, ada, page):
    mia = ada.child("Mia")
    ada.chore("Dishes")
    open_profile(page, "Mia")
    dialog = open_assign(page)
    give(dialog, "Dishes", 2)
    press(dialog, "Close")
    expect(dialog).to_be_hidden()
    assert score(ada, mia) == (0, 0, 0)
    dialog = open_assign(page)
    expect(dialog.locator("input:checked[data-takes-back]")).to_have_count(0)
    press(dialog, "Assign")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("alert")).to_contain_text(re.compile("at least one"))
    assert score(ada, mia) == (0, 0, 0)
    give(dialog, "Dishes", 2)
    expect(dialog.get_by_role("alert")).to_be_hidden()
    # A choice is taken back by a second tap, or by the space bar.
    chosen = dialog.get_by_role("radio", name=words("2 points"))
    chosen.press(" ")
    expect(chosen).not_to_be_checked()
    give(dialog, "Dishes", 1)
    press(dialog, "Assign")
    expect(page.locator("#finished")).to_contain_text("+1")
    assert score(ada, mia) == (0, 1, 0)


@pytest.mark.spec("F-11-A")
def test_a_chore_deleted_meanwhile(engine, ada, page):
    mia = ada.child("Mia")
    _, dog = ada.chore("Dishes"), ada.chore("Dog")
    open_profile(page, "Mia")
    dialog = open_assign(page)
    give(dialog, "Dishes", 2)
    row = dialog.get_by_role("listitem").filter(has_text="Dog")
    expect(row).to_be_visible()
    ada.call("DELETE", f"/family/chores/{dog['id']}", expect=204)
    expect(row).to_have_count(0)
    expect(dialog.locator("input:checked[data-takes-back]")).to_have_count(1)
    # A page that missed it sends it all the same.
    dialog.locator("form[action$='/assignments']").evaluate(
        """(form, id) => {
            const sent = document.createElement('input');
            Object.assign(sent, {type: 'hidden', name: `points.${id}`, value: '3'});
            form.append(sent);
        }""", dog["id"])
    press(dialog, "Assign")
    expect(dialog.get_by_role("alert")).to_contain_text(re.compile("deleted meanwhile"))
    assert score(ada, mia) == (0, 0, 0)
    press(dialog, "Assign")
    expect(page.locator("#finished")).to_contain_text("Dishes")
    assert score(ada, mia) == (0, 2, 0)


@pytest.mark.spec("F-11-N")
def test_a_request_is_approved_or_declined_and_a_reward_ticked_off(engine, ada, page):
    mia = ada.child("Mia")
    ada.contract(mia)
    dishes, dog = ada.chore("Dishes"), ada.chore("Dog")
    device = ada.device(mia)
    for chore in [dishes, dog]:
        device.call("POST", f"/family/children/{mia['id']}/requests", {"choreId": chore["id"]}, expect=201)
    expect(card(page, "Mia")).to_contain_text("2 chores to approve")
    open_profile(page, "Mia")
    page.get_by_role("button", name=words("Give 3 points for “Dishes”")).click()
    expect(page.locator("#finished")).to_contain_text("Dishes")
    page.get_by_role("button", name=words("Decline “Dog”")).click()
    expect(page.locator("#requests")).to_have_count(0)
    assert score(ada, mia) == (3, 3, 1)
    page.get_by_role("checkbox", name=re.compile("Ice cream.*handed over")).click()
    expect(page.get_by_role("checkbox", name=re.compile("Ice cream"))).to_be_checked()
    contract = ada.call("GET", f"/family/children/{mia['id']}")["contract"]
    assert contract["levels"][0]["handedOverAt"]


# F-12, F-13

def open_edit(page):
    page.get_by_role("main").get_by_role("link", name=words("Edit")).click()
    sheet = page.locator("dialog#edit")
    expect(sheet).to_be_visible()
    return sheet


@pytest.mark.smoke
@pytest.mark.spec("F-12-N")
def test_a_child_is_edited_in_a_sheet(engine, ada, page):
    mia = ada.child("Mia", theme="forest")
    open_profile(page, "Mia")
    avatar = page.locator("main .family-avatar").bounding_box()
    button = page.get_by_role("main").get_by_role("link", name=words("Edit")).bounding_box()
    assert button["y"] >= avatar["y"] + avatar["height"] - 1, "the edit button is not under the avatar"
    sheet = open_edit(page)
    expect(field(sheet, "Name")).to_have_value("Mia")
    expect(field(sheet, "Date of birth")).to_have_value(BORN)
    expect(sheet.get_by_role("radio", name=words("Forest"))).to_be_checked()
    expect(sheet.locator("input[name=avatarPictureId]:checked")).to_have_count(1)
    field(sheet, "Name").fill("Mia Sofia")
    field(sheet, "Date of birth").fill("2016-02-29")
    sheet.get_by_role("radio", name=words("Space")).check()
    sheet.locator("input[name=avatarPictureId]:not(:checked)").nth(2).check()
    press(sheet, "Update")
    page.wait_for_url(re.compile("/family$"))
    expect(card(page, "Mia Sofia")).to_be_visible()
    now = ada.call("GET", f"/family/children/{mia['id']}")
    assert (now["name"], now["dateOfBirth"], now["theme"]) == ("Mia Sofia", "2016-02-29", "space")
    assert now["avatarPictureId"] != mia["avatarPictureId"]


@pytest.mark.spec("F-12-B")
def test_empty_fields_of_a_child_are_marked_in_the_sheet(engine, ada, page):
    mia = ada.child("Mia")
    open_profile(page, "Mia")
    sheet = open_edit(page)
    field(sheet, "Name").fill("")
    field(sheet, "Date of birth").fill("")
    press(sheet, "Update")
    for label in ["Name", "Date of birth"]:
        is_marked(field(sheet, label), page)
    expect(sheet).to_be_visible()
    assert ada.call("GET", f"/family/children/{mia['id']}")["name"] == "Mia"
    field(sheet, "Name").fill("Mo")
    field(sheet, "Date of birth").fill(BORN)
    press(sheet, "Update")
    page.wait_for_url(re.compile("/family$"))
    expect(card(page, "Mo")).to_be_visible()


@pytest.mark.spec("F-12-A")
def test_a_child_gets_another_childs_data(engine, ada, page):
    ben = ada.child("Ben", theme="ocean")
    ada.child("Mia")
    open_profile(page, "Mia")
    sheet = open_edit(page)
    field(sheet, "Name").fill("Ben")
    sheet.get_by_role("radio", name=words("Ocean")).check()
    sheet.locator(f"input[name=avatarPictureId][value='{ben['avatarPictureId']}']").check()
    press(sheet, "Update")
    page.wait_for_url(re.compile("/family$"))
    expect(card(page, "Ben")).to_have_count(2)


@pytest.mark.spec("F-12-N")
def test_a_child_is_deleted_and_brought_back(engine, ada, page):
    mia = ada.child("Mia")
    ada.gives(mia, ada.chore(), 3)
    open_profile(page, "Mia")
    sheet = open_edit(page)
    press(sheet, "Delete Mia")
    page.get_by_role("alertdialog").get_by_role("button", name=words("Delete")).click()
    page.wait_for_url(re.compile("/family$"))
    expect(cards(page)).to_have_count(0)
    page.locator(".toasts").get_by_role("button", name=words("Undo")).click()
    expect(card(page, "Mia")).to_contain_text("3 in all")
    assert score(ada, mia) == (0, 3, 0)


@pytest.mark.spec("F-12-N")
def test_what_is_deleted_here_waits_for_the_offer_to_undo_it(engine, ada, page):
    mia = ada.child("Mia")
    open_profile(page, "Mia")
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    sheet = open_edit(page)
    press(sheet, "Delete Mia")
    held, visits = [], []
    page.route("**/*_method=delete", lambda route: held.append((route, route.fetch(max_redirects=0))))
    page.on("request", lambda request: visits.append(request.url) if request.is_navigation_request() else None)
    # The news that it is gone overtakes the answer.
    with page.expect_response(lambda answer: answer.status == 404 and answer.url.endswith(mia["id"])):
        page.get_by_role("alertdialog").get_by_role("button", name=words("Delete")).click()
    until(page, "() => true")
    assert visits == []
    route, answer = held[0]
    route.fulfill(response=answer)
    page.locator(".toasts").get_by_role("button", name=words("Undo")).click()
    expect(card(page, "Mia")).to_be_visible()


def open_account(page):
    tabs = page.get_by_role("navigation", name=re.compile("main sections", re.I)).get_by_role("link")
    expect(tabs.last).to_have_text(words("Account"))
    tabs.last.click()
    page.wait_for_url(re.compile("/family/account$"))


@pytest.mark.smoke
@pytest.mark.spec("F-13-N")
def test_a_parent_edits_its_own_profile(engine, ada, page):
    open_account(page)
    main = page.get_by_role("main")
    expect(main).to_contain_text("Ada")
    sheet = open_edit(page)
    expect(field(sheet, "Name")).to_have_value("Ada")
    expect(field(sheet, "Date of birth")).to_have_value("1984-02-29")
    field(sheet, "Name").fill("Ada L.")
    field(sheet, "Date of birth").fill("1985-03-01")
    sheet.get_by_role("radio", name=words("Berry")).check()
    sheet.locator("input[name=avatarPictureId]").nth(1).check()
    press(sheet, "Update")
    expect(main).to_contain_text("Ada L.")
    expect(page).to_have_url(re.compile("/family/account$"))
    expect(main).to_contain_text("1 March 1985")
    expect(main).to_contain_text("Berry")
    account = ada.call("GET", "/account")
    assert (account["name"], account["dateOfBirth"], account["theme"]) == ("Ada L.", "1985-03-01", "berry")
    open_dashboard(page)
    expect(main).to_contain_text("Ada L.")
    expect(main.locator(f"img[src*='{account['avatarPictureId']}']")).to_be_visible()


@pytest.mark.spec("F-13-B")
def test_empty_fields_of_a_parent_are_marked(engine, ada, page):
    open_account(page)
    sheet = open_edit(page)
    field(sheet, "Name").fill("")
    field(sheet, "Date of birth").fill("")
    press(sheet, "Update")
    for label in ["Name", "Date of birth"]:
        is_marked(field(sheet, label), page)
    account = ada.call("GET", "/account")
    assert (account["name"], account["dateOfBirth"]) == ("Ada", "1984-02-29")


@pytest.mark.spec("F-13-A")
def test_a_parent_has_another_parents_data(engine, server, ada, page):
    other = Household(server, "Bea")
    other.call("PATCH", "/account", {"theme": "candy", "dateOfBirth": "1990-01-01"}, expect=200)
    open_account(page)
    sheet = open_edit(page)
    field(sheet, "Name").fill("Bea")
    field(sheet, "Date of birth").fill("1990-01-01")
    sheet.get_by_role("radio", name=words("Candy")).check()
    sheet.locator("input[name=avatarPictureId]").first.check()
    press(sheet, "Update")
    expect(page.get_by_role("main")).to_contain_text("Bea")
    account = ada.call("GET", "/account")
    assert (account["name"], account["id"]) == ("Bea", ada.id)
