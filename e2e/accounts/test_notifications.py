"""Notifications from end to end: Chromium's own push client, a push service on loopback, and the visible result."""

import json
import re

import pytest
from playwright.sync_api import expect

from support.administrators import administrator_of
from support.lock import lock_now, set_passcode, unlock
from support.pages import toast, until
from support.patience import wait_until
from support.push_service import PushService, push_phone, read_vapid, turn_on, wait_shown
from support.server import Person

pytestmark = pytest.mark.service_worker

REASON = "Notifications appear on this device even while Homeward is closed."


@pytest.fixture
def push():
    service = PushService()
    yield service
    service.close()


@pytest.fixture
def push_server(own_server, push):
    return own_server(environment=push.environment())


def asked(page):
    """Counts the page's requests for permission."""
    page.add_init_script("""
        window.permissionAsked = 0;
        const ask = Notification.requestPermission.bind(Notification);
        Notification.requestPermission = (...rest) => { window.permissionAsked += 1; return ask(...rest); };
    """)


def test_browser_decrypts_notifications_which_can_be_turned_off_and_on_again(playwright, push_server, push, desktop):
    person = Person(push_server)
    with push_phone(playwright, person, push, desktop=desktop) as page:
        asked(page)
        for path in ("/", "/tracking/items", "/notifications", "/account/notifications"):
            page.goto(path)
            assert page.evaluate("window.permissionAsked") == 0, f"asked for permission on arrival at {path}"
        # The page explains the purpose before it asks.
        expect(page.get_by_role("button", name="Turn on notifications")).to_be_visible()
        expect(page.get_by_text(REASON)).to_be_in_viewport()
        assert page.evaluate("window.permissionAsked") == 0
        turn_on(page, push)
        assert page.evaluate("window.permissionAsked") == 1

        send_test(page)
        message = push.next()
        assert message.status == 201
        [notification] = wait_shown(page)
        assert notification["title"] == "Notifications work"
        assert notification["body"] == "This is how Homeward notifies you."
        assert notification["actions"] == [{"action": "open", "title": "Open details"}]
        assert notification["data"]["url"] == "/account/notifications"

        # Its button opens its subject in the open page and marks it as read.
        page.goto("/")
        expect(page.get_by_role("link", name="Notifications, 1 unread")).to_be_visible()
        desktop.press("Open details")
        page.wait_for_url("**/account/notifications")
        until(page, "() => navigator.serviceWorker.ready.then((r) => r.getNotifications()).then((all) => !all.length)")
        page.goto("/notifications")
        expect(page.get_by_role("link", name="Notifications work")).to_be_visible()
        expect(page.get_by_role("button", name="Mark all as read")).to_have_count(0)

        # Turned off and on again, they arrive again.
        page.goto("/account/notifications")
        expect(page.get_by_text("Notifications are on")).to_be_visible()
        turn_off(page)
        assert page.evaluate("navigator.serviceWorker.ready.then((r) => r.pushManager.getSubscription())") is None
        turn_on(page, push)
        send_test(page)
        wait_shown(page)

        # The browser's push service doesn't respond.
        turn_off(page)
        page.add_init_script("PushManager.prototype.subscribe = () => new Promise(() => {});")
        page.clock.install()
        page.goto("/account/notifications")
        page.get_by_role("button", name="Turn on notifications").click()
        expect(page.get_by_text("One moment …")).to_be_visible()
        # The time-out starts when the browser is asked.
        page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
        for _ in range(5):
            page.clock.run_for(10_000)
        expect(page.get_by_text("your browser’s notification service can’t be reached")).to_be_visible()
        expect(page.get_by_role("button", name="Turn on notifications")).to_be_visible()


@pytest.mark.full_browser
def test_denied_permission_shows_how_to_change_it(person, sign_in):
    page = sign_in(person())
    page.goto("/account/notifications")
    # A headless browser without a granted permission denies every request.
    page.get_by_role("button", name="Turn on notifications").click()
    expect(page.get_by_text("Your browser blocks notifications from Homeward")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on notifications")).to_be_hidden()
    page.reload()
    expect(page.get_by_text("Your browser blocks notifications from Homeward")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on notifications")).to_be_hidden()


def test_iphone_outside_the_home_screen_must_install_first(person, sign_in, playwright):
    page = sign_in(person(), user_agent=playwright.devices["iPhone 15"]["user_agent"])
    page.goto("/account/notifications")
    expect(page.get_by_text("Add Homeward to your home screen first")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on notifications")).to_be_hidden()


def test_browser_without_push_is_reported(person, sign_in):
    page = sign_in(person())
    page.add_init_script("delete window.PushManager;")
    page.goto("/account/notifications")
    expect(page.get_by_text("This browser can’t show notifications.")).to_be_visible()


def test_independent_implementation_decrypts_the_notification_and_the_list_is_live(push_server, push, sign_in):
    import http_ece

    person = Person(push_server)
    described, key, secret = push.subscription()
    person.call("PUT", "/notifications/subscription", described, expect=204)
    page = sign_in(person)
    page.goto("/notifications")
    expect(page.get_by_role("heading", name="Nothing yet")).to_be_visible()
    person.call("POST", "/notifications/test", expect=204)
    expect(page.get_by_role("link", name="Notifications work")).to_be_visible()
    page.get_by_role("button", name="Mark all as read").click()
    expect(page.get_by_role("button", name="Mark all as read")).to_have_count(0)
    assert person.call("GET", "/notifications", expect=200)["items"][0]["readAt"]

    message = push.next()
    assert message.status == 201
    text = http_ece.decrypt(message.body, private_key=key, auth_secret=secret, version="aes128gcm")
    said = json.loads(text)
    assert said["title"] == "Notifications work" and said["url"] == "/account/notifications"
    assert len(text) <= 3 * 1024
    claims, public = read_vapid(message.headers["authorization"])
    assert claims["aud"] == "https://fcm.googleapis.com"
    settings = person.call("GET", "/account/notifications", expect=200)
    assert settings["publicKey"] == public and settings["subscribed"]
    assert 0 < int(message.headers["ttl"]) <= 24 * 60 * 60
    assert re.fullmatch(r"[A-Za-z0-9_-]{32}", message.headers["topic"])


@pytest.mark.spec("H-14")
def test_subscription_renewed_while_locked_is_registered_and_tested(playwright, push_server, push):
    administrator = administrator_of(push_server)
    with push_phone(playwright, administrator, push) as page:
        page.goto("/admin/push")
        expect(page.get_by_role("heading", name="Notifications are off")).to_be_visible()
        page.get_by_role("link", name="Open notification settings").click()
        expect(page.get_by_role("button", name="Turn on notifications")).to_be_visible()
        turn_on(page, push)

        def is_on():
            return page.request.get("/account/notifications",
                                    headers={"Accept": "application/json"}).json().get("subscribed")

        # The server has no subscription any more, and the browser has a new one.
        page.request.delete("/notifications/subscription", headers={"Accept": "application/json"})
        assert is_on() is False
        set_passcode(administrator)
        lock_now(page)
        page.context.service_workers[0].evaluate("""async () => {
            const newSubscription = await registration.pushManager.getSubscription();
            self.dispatchEvent(Object.assign(new ExtendableEvent("pushsubscriptionchange"), { newSubscription }));
        }""")
        until(page, "() => homewardQueue.fact('renewed-subscription').then(Boolean)")
        unlock(page)
        page.wait_for_url(lambda url: "/lock?" not in url)
        wait_until(is_on, pause=lambda: page.wait_for_timeout(50))
        until(page, "() => homewardQueue.fact('renewed-subscription').then((left) => left === null)")

        # A test says what the push service responded.
        page.goto("/admin/push")
        test = page.get_by_role("button", name=re.compile("^Test notification to .*this device"))
        test.click()
        expect(toast(page, "The push service accepted it. It should appear in a moment.")).to_be_visible()
        assert push.next().status == 201
        [notification] = wait_shown(page)
        assert notification["title"] == "Notifications work"
        push.answer(503)
        test.click()
        expect(page.get_by_role("alert")).to_contain_text("The push service is busy (status 503).")
        push.answer(410)
        test.click()
        expect(page.get_by_role("alert")).to_contain_text("The push service no longer knows this device.")
        expect(page.get_by_role("heading", name="Notifications are off")).to_be_visible()


def turn_off(page):
    page.get_by_role("button", name="Turn off").click()
    expect(page.get_by_text("Notifications are off")).to_be_visible()


def send_test(page):
    page.get_by_role("button", name="Send a test notification").click()
    # The next page shows the message.
    expect(page.get_by_text("Sent. It should appear in a moment.")).to_be_visible()
