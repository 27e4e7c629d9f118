"""Errors are shown at their fields, and each message disappears as soon as its field is right."""

import re

import pytest
from playwright.sync_api import expect

from support.family import is_marked, marked, open_profile
from support.pages import words
from support.parents import ada, page
from support.server import Person

PASSWORD = "correct horse battery"


def open_register(phone, server, **options):
    page = phone(server, **options)
    page.goto("/register?app=family&return=%2Ffamily")
    return page


def submit(page):
    page.locator("form#register-form").get_by_role("button").click()


# F-01

@pytest.mark.spec("F-01-A", "F-01-B")
def test_messages_disappear_as_fields_are_filled_and_the_password_stays(engine, server, phone):
    page = open_register(phone, server)
    page.locator("#name").fill("Ada")
    page.locator("#email").fill("ada@")
    page.locator("#password").fill(PASSWORD)
    page.locator("#dateOfBirth").fill("1990-05-01")
    submit(page)
    is_marked(page.locator("#email"), page)
    expect(marked(page)).to_have_count(1)
    expect(page.locator("#password")).to_have_value(PASSWORD)
    values = {"name": "Ada", "email": f"kept-{abs(hash(page))}@example.org", "password": PASSWORD,
              "dateOfBirth": "1990-05-01"}
    for name in values:
        page.locator(f"#{name}").fill("")
    submit(page)
    expect(marked(page)).to_have_count(len(values))
    for left, (name, value) in enumerate(values.items(), 1):
        page.locator(f"#{name}").fill(value)
        expect(page.locator(f"#{name}-error")).to_be_hidden()
        expect(marked(page)).to_have_count(len(values) - left)
    submit(page)
    page.wait_for_url(re.compile("/family$"))


# T-2-1

def test_a_field_keeps_its_message_until_it_is_right(engine, server, sign_in):
    page = sign_in(Person(server))
    page.goto("/tracking/items/new")
    name = page.get_by_label("Name")
    page.locator("main form").first.evaluate("form => form.requestSubmit()")
    is_marked(name, page)
    name.fill("Keys")
    expect(marked(page)).to_have_count(0)
    expect(page.locator("main .field-error:not(:empty)")).to_have_count(0)
    # It stays until all invalid characters are removed.
    name.fill("Ke\u0007ys")
    page.locator("main form").first.evaluate("form => form.requestSubmit()")
    is_marked(name, page)
    name.press("End")
    name.press_sequentially("x")
    is_marked(name, page)
    name.fill("Keys")
    expect(marked(page)).to_have_count(0)
    name.fill("K\u0007")
    is_marked(name, page)


# F-09

@pytest.mark.spec("F-09-A")
def test_contract_without_levels_marks_the_first_row_and_keeps_all_rows(engine, ada, page):
    mia = ada.child("Mia")
    open_profile(page, "Mia")
    page.goto(f"/family/children/{mia['id']}/contracts/new")
    rows = page.locator("[data-level-row]")
    page.get_by_role("button", name=words("Add a level")).click()
    before = rows.count()
    assert before == 2
    page.locator("#maxPoints").fill("10")
    page.locator("main").get_by_role("button", name=words("Add contract")).click()
    reward = page.locator("#levels-0-reward")
    is_marked(reward, page)
    expect(page.locator("#levels-0-reward-error")).to_have_text("Add at least one level.")
    expect(rows).to_have_count(before)
    reward.fill("Cinema")
    expect(marked(page)).to_have_count(0)
    # A blank row before a wrong one: the message is at the wrong one.
    reward.fill("")
    page.locator("#levels-1-reward").fill("Zoo")
    page.locator("main").get_by_role("button", name=words("Add contract")).click()
    is_marked(page.locator("#levels-1-points"), page)
    expect(rows).to_have_count(before)
    expect(page.locator("#levels-1-reward")).to_have_value("Zoo")
    page.locator("#levels-1-points").fill("4")
    expect(marked(page)).to_have_count(0)
    page.locator("main").get_by_role("button", name=words("Add contract")).click()
    page.wait_for_url(re.compile(f"/family/children/{mia['id']}$"))
    expect(page.locator("#rewards")).to_contain_text("Zoo")
