"""Forms on a bad connection: what was typed stays, is sent once, and outlives a reload; secrets are kept nowhere."""

import re

import pytest
from playwright.sync_api import expect

from support.pages import fill_sign_in, intercept, later, name_field, open_add, save, toast, until, words
from test_tracking_add import photo_sheet

NOT_SENT = "No connection: nothing was sent. Try again."
KEPT_IN_THE_TAB = "() => JSON.stringify(Object.entries(sessionStorage))"


def buttons_are_free(page):
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    expect(page.locator("form[data-sending]")).to_have_count(0)


def names(someone):
    return [item["name"] for item in someone.call("GET", "/tracking/items")["items"]]


def sent_keys(page):
    """The idempotency keys of all forms that the page sends from now on."""
    keys = []

    def note(request):
        if request.method == "POST" and "/tracking/items" in request.url:
            keys.append(re.search(r'idempotencyKey"?[=\r\n]+([0-9a-f-]+)', request.post_data or "").group(1))

    page.on("request", note)
    return keys


@pytest.mark.smoke
def test_without_a_connection_the_form_stays_and_can_be_sent_again(engine, person, sign_in):
    """A form that opens something can't wait for a connection, as others do."""
    someone = person()
    item = someone.add_item("Keys")
    page = sign_in(someone)
    page.goto(f"/tracking/items/{item['id']}/tracker")
    code = page.locator("#pair-form [name=code]")
    code.fill("K7QF-2M9X-TR4C")
    keys = sent_keys(page)
    page.context.set_offline(True)
    for attempt in (1, 2):
        page.locator("#pair-form").evaluate("form => form.requestSubmit()")
        expect(toast(page, NOT_SENT)).to_be_visible()
        buttons_are_free(page)
        expect(page).to_have_url(re.compile("/tracker$"))
        expect(code).to_have_value("K7QF-2M9X-TR4C")
    page.context.set_offline(False)
    page.locator("#pair-form").evaluate("form => form.requestSubmit()")
    expect(code).to_have_attribute("aria-invalid", "true")
    assert len(keys) == 3 and len(set(keys)) == 1, "a retry is the same change"


def test_a_live_update_leaves_what_is_being_typed_guarded(engine, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    page = sign_in(someone)
    page.goto(f"/tracking/items/{item['id']}/tracker")
    form = page.locator("#pair-form")
    form.locator("[name=code]").fill("K7QF")
    key = form.locator("[name=idempotencyKey]").input_value()
    with page.expect_response("**/tracker"):
        page.locator("#tracker").dispatch_event("hw:refresh")
    until(page, "() => !document.querySelector('.htmx-request')")
    assert form.locator("[name=idempotencyKey]").input_value() == key, "sent again, it is the same change"
    page.locator("[data-back]").click()
    expect(page.get_by_role("alertdialog")).to_contain_text("Discard")


def test_an_answer_that_is_lost_does_not_make_a_second_thing(engine, person, sign_in):
    someone = person()
    page = sign_in(someone)
    open_add(page)
    name_field(page).fill("Umbrella")

    def lose(route):
        if route.request.method != "POST":
            return route.continue_()
        route.fetch(max_redirects=0)
        route.abort()

    intercept(page, re.compile("/tracking/items$"), lose)
    save(page)
    expect(toast(page, "kept on this device")).to_be_visible()
    assert names(someone) == ["Umbrella"]
    # A try that is under way is still lost; it must not end after that.
    page.unroute_all(behavior="wait")
    # By itself the page tries again after a while, which grows with each try.
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect(page.get_by_role("button", name="Waiting (1)")).to_have_count(0)
    assert names(someone) == ["Umbrella"]


def test_signing_in_without_a_connection_loses_nothing_either(engine, server, person, phone):
    someone = person()
    page = phone(server)
    # What the page loads by and by is there before the connection goes.
    page.goto("/sign-in", wait_until="networkidle")
    page.get_by_label("Email").fill(someone.email)
    page.get_by_label("Password", exact=True).fill("wrong battery staple")
    page.context.set_offline(True)
    page.get_by_role("button", name=words("Sign in")).click()
    expect(toast(page, NOT_SENT)).to_be_visible()
    expect(page.get_by_label("Email")).to_have_value(someone.email)
    page.context.set_offline(False)
    # The answer's page is shown as the browser would show it: the reason, the email, no password.
    page.get_by_role("button", name=words("Sign in")).click()
    expect(page.get_by_role("alert")).to_contain_text("wrong")
    expect(page.get_by_label("Email")).to_have_value(someone.email)
    expect(page.get_by_label("Password", exact=True)).to_have_value("")
    page.get_by_label("Password", exact=True).fill(someone.password)
    page.get_by_role("button", name=words("Sign in")).click()
    page.wait_for_url(lambda url: "/tracking/items" in url)


def test_a_server_in_trouble_costs_no_words(engine, person, sign_in):
    someone = person()
    page = sign_in(someone)
    open_add(page)
    name_field(page).fill("Keys")
    intercept(page, re.compile("/tracking/items$"), lambda route: route.fulfill(status=502, body="Bad gateway")
              if route.request.method == "POST" else route.continue_())
    save(page)
    expect(toast(page, "That didn't work")).to_be_visible()
    buttons_are_free(page)
    expect(name_field(page)).to_have_value("Keys")


def test_what_is_wrong_is_told_at_the_field_and_can_be_put_right(engine, person, sign_in):
    someone = person()
    page = sign_in(someone)
    open_add(page)
    name_field(page).fill("x" * 51)
    save(page)
    expect(name_field(page)).to_have_attribute("aria-invalid", "true")
    expect(name_field(page)).to_be_focused()
    expect(name_field(page)).to_have_value("x" * 51)
    buttons_are_free(page)
    # All of the page works as before: the sheet for photos, the guard, Save.
    photo_sheet(page).get_by_text(words("Cancel")).click()
    name_field(page).fill("Bag")
    save(page)
    later(page)
    assert names(someone) == ["Bag"]


def test_a_long_form_outlives_a_reload_until_it_is_sent(engine, person, sign_in):
    someone = person()
    page = sign_in(someone)
    open_add(page)
    name_field(page).fill("Grandfather's telescope")
    page.reload()
    expect(name_field(page)).to_have_value("Grandfather's telescope")
    expect(toast(page, "Your entries are restored.")).to_be_visible()
    # Also with an error in between.
    name_field(page).fill("x" * 51)
    save(page)
    expect(name_field(page)).to_have_attribute("aria-invalid", "true")
    name_field(page).fill("Telescope")
    page.goto("/tracking/items/new")
    expect(name_field(page)).to_have_value("Telescope")
    save(page)
    later(page)
    page.goto("/tracking/items/new")
    expect(name_field(page)).to_have_value("")
    assert "Telescope" not in page.evaluate(KEPT_IN_THE_TAB)


def test_a_draft_goes_when_it_is_discarded(engine, person, sign_in):
    page = sign_in(person())
    open_add(page)
    name_field(page).fill("Keys")
    page.get_by_role("link", name=words("Cancel")).click()
    expect(page.get_by_role("heading", name=words("Items"), level=1)).to_be_visible()
    page.goto("/tracking/items/new")
    expect(name_field(page)).to_have_value("")


def test_a_draft_gives_way_to_what_was_changed_elsewhere(engine, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    page = sign_in(someone)
    page.goto(f"/tracking/items/{item['id']}/edit")
    page.locator("#item-form [name=name]").fill("My keys")
    someone.call("PATCH", f"/tracking/items/{item['id']}", {"name": "Office keys"}, expect=200)
    page.reload()
    expect(page.locator("#item-form [name=name]")).to_have_value("Office keys")


def test_a_draft_is_gone_after_signing_out_and_never_another_persons(engine, server, person, sign_in):
    someone, other = person(), person("Eve")
    page = sign_in(someone)
    open_add(page)
    name_field(page).fill("A secret present")
    page.goto("/account")
    page.get_by_role("button", name=words("Sign out")).click()
    expect(page.get_by_role("link", name=words("Sign in"))).to_be_visible()
    assert "present" not in page.evaluate(KEPT_IN_THE_TAB)

    # A session that ended by itself: the draft waits for its owner, and is dropped for anybody else.
    # (Without a worker: a page that it still fetches would bring the session's cookie back.)
    page = sign_in(someone, service_workers="block")
    open_add(page)
    name_field(page).fill("A secret present")
    until(page, "() => JSON.stringify(Object.entries(sessionStorage)).includes('present')")
    page.context.clear_cookies()
    save(page)
    page.wait_for_url(lambda url: "/sign-in" in url)
    fill_sign_in(page, other)
    page.goto("/tracking/items/new")
    expect(name_field(page)).to_have_value("")
    assert "present" not in page.evaluate(KEPT_IN_THE_TAB)


def test_passwords_and_codes_are_kept_nowhere(engine, server, person, sign_in, phone):
    someone = person()
    item = someone.add_item("Keys")
    page = sign_in(someone)
    page.goto(f"/tracking/items/{item['id']}/tracker")
    page.locator("#pair-form [name=code]").fill("K7QF-2M9X-TR4C")
    page.goto("/account/password")
    page.get_by_label(re.compile("current password", re.I)).fill("correct horse battery")
    page.get_by_label(re.compile("new password", re.I)).fill("staple battery horse")
    stranger = phone(server)
    stranger.goto("/register")
    stranger.get_by_label("Password", exact=True).fill("staple battery horse")
    for tab in (page, stranger):
        kept = tab.evaluate(KEPT_IN_THE_TAB)
        assert "K7QF" not in kept and "battery" not in kept, kept


def test_signing_out_works_from_the_page_and_forgets_the_photos(engine, person, sign_in):
    page = sign_in(person())
    page.goto("/account")
    with page.expect_response(lambda answer: "/session?" in answer.url) as sent:
        page.get_by_role("button", name=words("Sign out")).click()
    assert sent.value.all_headers().get("clear-site-data") == '"cache"'
    expect(page.get_by_role("link", name=words("Sign in"))).to_be_visible()
    page.goto("/account")
    expect(page).to_have_url(re.compile("/sign-in"))
