// The rules of the queue of changes that were made without a connection.
import assert from "node:assert/strict";
import { MemoryDatabase } from "./indexed-db.js";

const database = new MemoryDatabase();
globalThis.indexedDB = database;
await import("../../Sources/WebCore/Embedded/static/js/queue.js");
const queue = globalThis.homewardQueue;

const ITEM = "https://homeward.test/tracking/items/1";
const OWN = { "Homeward-Server": "1" };

function test(name, run) {
  Deno.test(name, async () => {
    database.clear();
    await run();
  });
}

const respond = (status, body = {}, headers = OWN) => () =>
  new Response(status === 204 ? null : JSON.stringify(body), { status, headers });
const reject = (fields = {}) => respond(422, { error: { message: "Not accepted", fields } });
const disconnect = () => {
  throw new TypeError("no connection");
};

/** Sends an account's changes to a server that returns these responses and repeats the last one. Returns the
 * requests and the outcome. */
async function send(account, ...responses) {
  const requests = [];
  globalThis.fetch = async (url, options) => {
    const request = new Request(url, options);
    const { method, headers, redirect } = request;
    requests.push({
      url, method, redirect, key: headers.get("Idempotency-Key"), account: headers.get("Homeward-Account"),
      fields: [...await request.formData()],
    });
    return (responses.length > 1 ? responses.shift() : responses[0])();
  };
  return { requests, outcome: await queue.send(account) };
}

async function add(key, change = {}) {
  const enctype = "application/x-www-form-urlencoded";
  assert(await queue.add({ account: "ada", key, url: ITEM, enctype, fields: [["name", key]], ...change }));
}

const keys = (changes) => changes.map(({ key }) => key);
const states = async () => (await queue.list("ada")).map(({ key, state }) => `${key} ${state}`);

test("Changes are sent once, in their order, each with its key and account", async () => {
  await add("first");
  await add("second", { url: `${ITEM}/2` });
  await add("third");
  const { requests, outcome } = await send("ada", respond(200), respond(204), respond(201));
  assert.deepEqual(outcome, { sent: 3, stopped: null });
  assert.deepEqual(keys(requests), ["first", "second", "third"]);
  assert.deepEqual(requests[1], {
    url: `${ITEM}/2`, method: "POST", redirect: "manual", key: "second", account: "ada", fields: [["name", "second"]],
  });
  assert.deepEqual(await queue.list("ada"), []);
  assert.deepEqual((await send("ada", respond(200))).requests, []);
});

test("Two changes with the same content are both sent", async () => {
  const fields = [["points.1", "2"]];
  await add("one", { fields });
  await add("other", { fields });
  const { requests } = await send("ada", respond(201));
  assert.deepEqual(requests.map((request) => [request.key, request.fields]), [["one", fields], ["other", fields]]);
});

test("Files are sent with their form", async () => {
  const photo = new File(["photo"], "photo.jpg");
  await add("photo", { enctype: "multipart/form-data", fields: [["name", "Keys"], ["picture", photo]] });
  const { requests: [{ fields: [name, [field, sent]] }] } = await send("ada", respond(201));
  assert.deepEqual([name, field, sent.name, await sent.text()], [["name", "Keys"], "picture", "photo.jpg", "photo"]);
});

test("Changes of another account aren't listed, sent or deleted", async () => {
  await add("hers");
  await add("his", { account: "ben" });
  assert.deepEqual(keys(await queue.list("ada")), ["hers"]);
  assert.deepEqual(keys((await send("ada", respond(200))).requests), ["hers"]);
  await queue.clear("ada");
  assert.deepEqual(keys(await queue.list("ben")), ["his"]);
  await queue.clear("ben");
  assert.deepEqual(await queue.list("ben"), []);
});

// What stops the queue

const STOPS = [
  ["without a connection", disconnect, "offline", true],
  ["after the session has ended", respond(401), "signedOut", false],
  ["while the app is locked", respond(423), "locked", false],
  ...[408, 429, 500, 503].map((status) => [`after status ${status}`, respond(status), "later", true]),
  // A maintenance page, a check for robots, a sign-in page, a redirect to one, and a proxy that gave up waiting.
  ...[200, 204, 302, 401, 403, 404, 408, 409, 410, 503].map((status) =>
    [`after status ${status} of a proxy`, respond(status, {}, {}), "intercepted", true]),
];

for (const [name, response, stopped, isToBeTried] of STOPS) {
  test(`All changes wait ${name}`, async () => {
    await add("first");
    await add("second");
    const { requests, outcome } = await send("ada", response);
    assert.deepEqual(outcome, { sent: 0, stopped });
    assert.deepEqual(keys(requests), ["first"]);
    assert.deepEqual(await states(), ["first waiting", "second waiting"]);
    assert.equal(await queue.fact("stopped"), stopped);
    assert.equal(queue.isToBeTried(stopped), isToBeTried);
    // The same keys again, so that a change whose response was lost is applied once.
    assert.deepEqual(keys((await send("ada", respond(200))).requests), ["first", "second"]);
    assert.equal(await queue.fact("stopped"), null);
  });
}

test("Changes after a lost connection wait, and those before it aren't sent again", async () => {
  for (const key of ["first", "second", "third"]) await add(key);
  assert.deepEqual((await send("ada", respond(200), disconnect)).outcome, { sent: 1, stopped: "offline" });
  assert.deepEqual(keys((await send("ada", respond(200))).requests), ["second", "third"]);
});

test("Sending from two pages at the same time sends each change once", async () => {
  await add("first");
  await add("second");
  const { requests } = await send("ada", () => {
    queue.send("ada");
    return respond(200)();
  });
  await queue.send("ada");
  assert.deepEqual(keys(requests), ["first", "second"]);
});

test("Sending with a broken store stops and never rejects", async () => {
  await add("first");
  database.isBroken = true;
  try {
    assert.deepEqual((await send("ada", respond(200))).outcome, { sent: 0, stopped: "later" });
  } finally {
    database.isBroken = false;
  }
});

// Rejected and discarded changes

test("A rejected change stays with its reason, blocks no other, and isn't sent again", async () => {
  await add("rejected");
  await add("accepted", { url: `${ITEM}/2` });
  const { requests, outcome } = await send("ada", reject({ name: ["Too long"] }), respond(200));
  assert.deepEqual(outcome, { sent: 2, stopped: null });
  assert.deepEqual(keys(requests), ["rejected", "accepted"]);
  const [left, ...others] = await queue.list("ada");
  assert.deepEqual(others, []);
  assert.deepEqual(left.fields, [["name", "rejected"]]);
  assert.equal(left.state, "refused");
  assert.deepEqual(left.problem, { status: 422, message: "Not accepted", fields: { name: ["Too long"] } });
  assert.deepEqual((await send("ada", respond(200))).requests, []);
});

for (const status of [400, 403, 404, 409, 410, 422]) {
  test(`Status ${status} of the server rejects a change`, async () => {
    await add("change");
    await send("ada", respond(status));
    assert.deepEqual(await states(), ["change refused"]);
  });
}

test("A discarded change is never sent, not even while others are being sent", async () => {
  for (const key of ["first", "second", "third"]) await add(key);
  const [, second, third] = await queue.list("ada");
  await queue.discard(second.id);
  const { requests, outcome } = await send("ada", async () => {
    await queue.discard(third.id);
    return respond(200)();
  });
  assert.deepEqual(outcome, { sent: 1, stopped: null });
  assert.deepEqual(keys(requests), ["first"]);
  assert.deepEqual(await queue.list("ada"), []);
});

test("A wrong picture PIN rejects the later changes with it, and counts as one attempt", async () => {
  const url = (child, chore) => `https://homeward.test/family/tablet/children/${child}/chores/${chore}`;
  await add("wrong", { url: url(1, 1), fields: [["pin", "1-1-1"]] });
  await add("same", { url: url(1, 2), fields: [["pin", "1-1-1"]] });
  await add("another PIN", { url: url(1, 3), fields: [["pin", "3-1-3"]] });
  await add("another child", { url: url(2, 1), fields: [["pin", "1-1-1"]] });
  const { requests } = await send("ada", reject({ pin: ["Wrong"] }), respond(200));
  assert.deepEqual(keys(requests), ["wrong", "another PIN", "another child"]);
  assert.deepEqual(await states(), ["wrong refused", "same refused"]);
});

// Several changes of the same version

const version = (number, ...fields) => [["version", String(number)], ...fields];

test("A later change of the same version gets the version that the earlier one led to", async () => {
  for (const name of ["Car keys", "Bike keys"]) await add(name, { fields: version(1, ["name", name]) });
  const { requests } = await send("ada", respond(200, { version: 2 }), respond(200, { version: 3 }));
  assert.deepEqual(requests[1].fields, version(2, ["name", "Bike keys"]));
});

test("A later change keeps the earlier one's values of fields that it left unchanged", async () => {
  await add("name", { fields: version(1, ["name", "Car keys"], ["metres", "50"]), untouched: ["metres"] });
  await add("metres", { fields: version(1, ["name", "Keys"], ["metres", "40"]), untouched: ["name"] });
  const { requests } = await send("ada", respond(200, { version: 2 }), respond(200, { version: 3 }));
  assert.deepEqual(Object.fromEntries(requests[1].fields), { version: "2", name: "Car keys", metres: "40" });
});

for (const made of [{ pictureId: "new" }, { avatarPictureId: "new" }]) {
  test(`A later change keeps the earlier one's photo: ${Object.keys(made)}`, async () => {
    await add("photo", { fields: version(1, ["pictureId", "old"]) });
    await add("name", { fields: version(1, ["pictureId", "old"], ["name", "Keys"]), untouched: ["pictureId"] });
    const { requests } = await send("ada", respond(200, { version: 2, ...made }), respond(200, { version: 3 }));
    assert.deepEqual(Object.fromEntries(requests[1].fields), { version: "2", name: "Keys", pictureId: "new" });
  });
}

test("A later change of another page or version keeps its version and fields", async () => {
  await add("first", { fields: version(1) });
  await add("another page", { url: `${ITEM}/2`, fields: version(1) });
  await add("another version", { fields: version(5) });
  const { requests } = await send("ada", respond(200, { version: 2 }));
  assert.deepEqual(requests.slice(1).map(({ fields }) => fields), [version(1), version(5)]);
});

test("A later change isn't moved past another person's change", async () => {
  await add("first", { fields: version(1) });
  await add("second", { fields: version(1) });
  const { requests } = await send("ada", respond(200, { version: 3 }));
  assert.deepEqual(requests[1].fields, version(1));
});

// Limits

test("An account has room for 200 changes, including rejected ones", async () => {
  for (let number = 1; number <= 200; number += 1) await add(`change ${number}`);
  await send("ada", reject(), disconnect);
  assert.equal(await queue.add({ account: "ada", key: "too many", url: ITEM, fields: [] }), false);
  await add("his", { account: "ben" });
});

test("A change may have 2 MiB, including its files", async () => {
  const most = 2 * 1024 * 1024;
  const photo = (bytes) => new File([new Uint8Array(bytes)], "photo.jpg");
  const change = (bytes) => ({ account: "ada", url: ITEM, fields: [["picture", photo(bytes)]] });
  assert.equal(await queue.add(change(most - "picture".length)), true);
  assert.equal(await queue.add(change(most - "picture".length + 1)), false);
});
