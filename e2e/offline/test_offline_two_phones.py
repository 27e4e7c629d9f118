"""Offline: two phones of one person, whose server is killed while they reconnect."""

import datetime
import random
import re

import pytest
from playwright.sync_api import expect

from support.offline import add_offline, go_offline, go_online, names, rename_offline, see, waiting, waits, with_worker
from support.pages import open_list, until
from support.server import Person

pytestmark = pytest.mark.service_worker

CHANGES = 20
# Queues the changes of the two forms again, for other items and with other names.
QUEUE_COPIES = """async (copies) => {
  const [rename, addition] = await homewardQueue.list(document.body.dataset.person);
  for (const { item, names } of copies) {
    for (const [form, name] of [[rename, names[0]], [addition, names[1]]]) {
      const { id, ...change } = form;
      const key = crypto.randomUUID();
      const typed = { name, idempotencyKey: key };
      const fields = form.fields.map(([field, value]) => [field, typed[field] ?? value]);
      const url = form.url.replace(/items\\/[0-9a-f-]{36}/, `items/${item}`);
      if (!(await homewardQueue.add({ ...change, key, url, fields }))) throw new Error("the queue is full");
    }
  }
}"""


def send_all(page, server, changes):
    """Sends the changes like the app, as a script that ignores the browser's connection."""
    statuses = []
    for change in changes:
        answer = page.context.request.post(
            change["url"], form=dict(change["fields"]),
            headers={"Accept": "application/json", "Idempotency-Key": change["key"],
                     "Homeward-Account": change["account"],
                     "Origin": server.url})
        statuses.append(answer.status)
    return statuses


def versions(someone, items):
    """Returns how often each item has been changed, including its creation."""
    found = []
    for item in items:
        status, headers, _ = someone.server.request("GET", f"/tracking/items/{item['id']}", token=someone.token)
        assert status == 200
        found.append(int(headers["ETag"].strip('"')))
    return found


def added(someone, items):
    known = {item["id"] for item in items}
    return [item for item in someone.call("GET", "/tracking/items?limit=200")["items"] if item["id"] not in known]


def test_queued_changes_of_two_phones_are_each_applied_once(own_server, sign_in):
    server = own_server()
    someone = Person(server)
    items = [someone.add_item(f"Thing {number}") for number in range(CHANGES)]
    phones = [with_worker(sign_in(someone)) for _ in range(2)]
    now = datetime.datetime.now(datetime.UTC)
    wanted = []
    for index, page in enumerate(phones):
        page.clock.set_system_time(now + datetime.timedelta(days=index))
        own = items[index::2]
        pairs = [[f"Renamed {index}.{number}", f"New {index}.{number}"] for number in range(len(own))]
        see(page, "/tracking/items")
        see(page, "/tracking/items/new")
        see(page, f"/tracking/items/{own[0]['id']}/edit")
        go_offline(page)
        rename_offline(page, own[0], pairs[0][0])
        waits(page, 1)
        add_offline(page, pairs[0][1])
        waits(page, 2)
        # The forms queue the first pair only, because opening a form twenty times shows nothing new.
        copies = zip(own[1:], pairs[1:], strict=True)
        page.evaluate(QUEUE_COPIES, [{"item": item["id"], "names": pair} for item, pair in copies])
        waits(page, CHANGES)
        wanted += [name for pair in pairs for name in pair]
    queues = [waiting(page) for page in phones]
    assert [len(queue) for queue in queues] == [CHANGES, CHANGES]
    assert len({change["key"] for queue in queues for change in queue}) == 2 * CHANGES

    # All changes arrive shuffled and twice, and the server is killed in between.
    random.seed(1)
    for page, queue in zip(phones, queues, strict=True):
        twice = queue * 2
        random.shuffle(twice)
        half = len(twice) // 2
        assert set(send_all(page, server, twice[:half])) <= {200, 201}
        server.kill()
        server.start()
        assert set(send_all(page, server, twice[half:])) <= {200, 201}
    assert versions(someone, items) == [2] * CHANGES, "each was renamed once"

    # Then the phones send them again, and the server is killed once more.
    for page in phones:
        go_online(page)
    until(phones[0], """async () => (await homewardQueue.list(document.body.dataset.person)).length < 20""")
    server.restart(how=9)
    for page in phones:
        expect(page.get_by_role("button", name=re.compile("^(Waiting|Not sent)"))).to_have_count(0, timeout=90_000)
        assert waiting(page) == []
    assert names(someone) == sorted(wanted)
    assert versions(someone, items) == [2] * CHANGES, "each was renamed once"
    assert versions(someone, added(someone, items)) == [1] * CHANGES, "nothing happened to what was added"
    shown = []
    for page in phones:
        open_list(page)
        expect(page.locator("main .card-title")).to_have_count(2 * CHANGES)
        shown.append(sorted(page.locator("main .card-title").all_inner_texts()))
    assert shown[0] == shown[1] == sorted(wanted)
