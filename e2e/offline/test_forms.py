"""Forms on a bad connection: input is kept, sent once, and survives a reload. Secrets are never stored."""

import re

from playwright.sync_api import expect

from support.items import photo_sheet
from support.pages import fill_sign_in, intercept, later, name_field, open_add, save, toast, until, words

NOT_SENT = "No connection: nothing was sent. Try again."
KEPT_IN_THE_TAB = "() => JSON.stringify(Object.entries(sessionStorage))"


def buttons_are_free(page):
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    expect(page.locator("form[data-sending]")).to_have_count(0)


def names(someone):
    return [item["name"] for item in someone.call("GET", "/tracking/items")["items"]]


def sent_keys(page):
    """Collects the idempotency keys of all forms that the page sends."""
    keys = []

    def note(request):
        if request.method == "POST" and "/tracking/items" in request.url:
            keys.append(re.search(r'idempotencyKey"?[=\r\n]+([0-9a-f-]+)', request.post_data or "").group(1))

    page.on("request", note)
    return keys


def test_form_stays_offline_and_can_be_sent_again(engine, person, sign_in):
    """This form opens a result, so it can't be queued like other forms."""
    someone = person()
    item = someone.add_item("Keys")
    page = sign_in(someone)
    page.goto(f"/tracking/items/{item['id']}/tracker")
    code = page.locator("#pair-form [name=code]")
    code.fill("K7QF-2M9X-TR4C")
    keys = sent_keys(page)
    page.context.set_offline(True)
    for _ in range(2):
        page.locator("#pair-form").evaluate("form => form.requestSubmit()")
        expect(toast(page, NOT_SENT)).to_be_visible()
        buttons_are_free(page)
        expect(page).to_have_url(re.compile("/tracker$"))
        expect(code).to_have_value("K7QF-2M9X-TR4C")
    page.context.set_offline(False)
    page.locator("#pair-form").evaluate("form => form.requestSubmit()")
    expect(code).to_have_attribute("aria-invalid", "true")
    assert len(keys) == 3 and len(set(keys)) == 1, "a retry is the same change"


def test_live_update_keeps_the_unsaved_changes_guard(engine, person, sign_in):
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


def test_lost_response_creates_no_second_item(engine, person, sign_in):
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
    # The try in progress must end before the connection returns, because it also fails.
    page.unroute_all(behavior="wait")
    # The page would retry automatically after a pause that grows with each try.
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect(page.get_by_role("button", name="Waiting (1)")).to_have_count(0)
    assert names(someone) == ["Umbrella"]


def test_failed_sign_in_offline_keeps_the_input(engine, server, person, phone):
    someone = person()
    page = phone(server)
    # Deferred resources of the page load before the connection is cut.
    page.goto("/sign-in", wait_until="networkidle")
    page.get_by_label("Email").fill(someone.email)
    page.get_by_label("Password", exact=True).fill("wrong battery staple")
    page.context.set_offline(True)
    page.get_by_role("button", name=words("Sign in")).click()
    expect(toast(page, NOT_SENT)).to_be_visible()
    expect(page.get_by_label("Email")).to_have_value(someone.email)
    page.context.set_offline(False)
    # The page of the response shows the error and the email, without the password.
    page.get_by_role("button", name=words("Sign in")).click()
    expect(page.get_by_role("alert")).to_contain_text("wrong")
    expect(page.get_by_label("Email")).to_have_value(someone.email)
    expect(page.get_by_label("Password", exact=True)).to_have_value("")
    page.get_by_label("Password", exact=True).fill(someone.password)
    page.get_by_role("button", name=words("Sign in")).click()
    page.wait_for_url(lambda url: "/tracking/items" in url)


def test_server_error_keeps_the_input(engine, person, sign_in):
    someone = person()
    page = sign_in(someone)
    open_add(page)
    name_field(page).fill("Keys")
    ours = {"Homeward-Server": "1"}
    intercept(page, re.compile("/tracking/items$"), lambda route: route.fulfill(status=500, headers=ours, body="Error")
              if route.request.method == "POST" else route.continue_())
    save(page)
    expect(toast(page, "That didn’t work")).to_be_visible()
    buttons_are_free(page)
    expect(name_field(page)).to_have_value("Keys")


def test_error_is_shown_at_its_field_and_can_be_corrected(engine, person, sign_in):
    someone = person()
    page = sign_in(someone)
    open_add(page)
    name_field(page).fill("x" * 51)
    save(page)
    expect(name_field(page)).to_have_attribute("aria-invalid", "true")
    expect(name_field(page)).to_be_focused()
    expect(name_field(page)).to_have_value("x" * 51)
    buttons_are_free(page)
    # The page still works: the photo sheet, the guard, and Save.
    photo_sheet(page).get_by_text(words("Cancel")).click()
    name_field(page).fill("Bag")
    save(page)
    later(page)
    assert names(someone) == ["Bag"]


def test_draft_of_a_long_form_survives_reloads_until_sent(engine, person, sign_in):
    someone = person()
    page = sign_in(someone)
    open_add(page)
    name_field(page).fill("Grandfather's telescope")
    page.reload()
    expect(name_field(page)).to_have_value("Grandfather's telescope")
    expect(toast(page, "Your entries are restored.")).to_be_visible()
    # Also with an error between the reloads.
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


def test_discarded_draft_is_deleted(engine, person, sign_in):
    page = sign_in(person())
    open_add(page)
    name_field(page).fill("Keys")
    page.get_by_role("link", name=words("Cancel")).click()
    expect(page.get_by_role("heading", name=words("Items"), level=1)).to_be_visible()
    page.goto("/tracking/items/new")
    expect(name_field(page)).to_have_value("")


def test_draft_is_dropped_when_the_item_changed_elsewhere(engine, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    page = sign_in(someone)
    page.goto(f"/tracking/items/{item['id']}/edit")
    page.locator("#item-form [name=name]").fill("My keys")
    someone.call("PATCH", f"/tracking/items/{item['id']}", {"name": "Office keys"}, expect=200)
    page.reload()
    expect(page.locator("#item-form [name=name]")).to_have_value("Office keys")


def test_draft_is_deleted_on_sign_out_and_never_shown_to_another_account(engine, server, person, sign_in):
    someone, other = person(), person("Eve")
    page = sign_in(someone)
    open_add(page)
    name_field(page).fill("A secret present")
    page.goto("/account")
    page.get_by_role("button", name=words("Sign out")).click()
    expect(page.get_by_role("link", name=words("Sign in"))).to_be_visible()
    assert "present" not in page.evaluate(KEPT_IN_THE_TAB)

    # After an expired session the draft waits for its owner. Another account deletes it. (Without a worker, because a
    # page that it is still fetching would restore the session's cookie.)
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


def test_passwords_and_codes_are_never_stored(engine, server, person, sign_in, phone):
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


def test_sign_out_from_the_page_deletes_cached_photos(engine, person, sign_in):
    page = sign_in(person())
    page.goto("/account")
    with page.expect_response(lambda answer: "/session?" in answer.url) as sent:
        page.get_by_role("button", name=words("Sign out")).click()
    assert sent.value.all_headers().get("clear-site-data") == '"cache"'
    expect(page.get_by_role("link", name=words("Sign in"))).to_be_visible()
    page.goto("/account")
    expect(page).to_have_url(re.compile("/sign-in"))
