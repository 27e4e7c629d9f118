// List rows for changes without a connection. `data-waiting-adds` on a list: the URL to which a form sends a new entry;
// `data-waiting-title`: the field with its title (default "name"); `data-waiting-last`: new entries come last. In the
// row's template, `data-waiting-has` on a part names the fields of which one is needed for the part, and `data-badge` is
// the place of the badge (default: after the title).
// `data-waiting-name` on a row's title: the URL of the entry.
import { isCachedPart } from "./cached-page.js";
import { enhance } from "./enhance.js";
import { refresh } from "./live.js";
import { template } from "./strings.js";

const LISTED = "[data-waiting-adds], [data-waiting-name]";

let waiting = [];
// Sent, but not yet in the list: these rows stay until the list is refreshed.
let sent = [];

const value = (change, name) => change.fields.find(([other]) => other === name)?.[1];

/** Whether a change has an entry or a file in a field. */
const has = (change, name) => Boolean(value(change, name)?.size ?? value(change, name));

function changesAt(address, title = "name") {
  const { pathname } = new URL(address, document.baseURI);
  const all = [...sent.map(({ change }) => change), ...waiting];
  return all.filter((change) => new URL(change.url).pathname === pathname && typeof value(change, title) === "string");
}

function addedRow(change, title) {
  const row = template("waiting-item-template");
  row.dataset.waitingRow = change.id;
  const text = row.querySelector("[data-title]");
  text.textContent = value(change, title).trim();
  text.hidden = text.textContent === "";
  const badge = template("waiting-badge-template");
  const place = row.querySelector("[data-badge]");
  if (place) place.replaceWith(badge);
  else text.after(badge);
  for (const part of row.querySelectorAll("[data-waiting-has]")) {
    part.hidden = !part.dataset.waitingHas.split(" ").some((name) => has(change, name));
  }
  return row;
}

function showAdded(list) {
  const title = list.dataset.waitingTitle ?? "name";
  const changes = changesAt(list.dataset.waitingAdds, title);
  const rows = new Map([...list.querySelectorAll("[data-waiting-row]")].map((row) => [row.dataset.waitingRow, row]));
  for (const [id, row] of rows) {
    if (!changes.some((change) => String(change.id) === id)) row.remove();
  }
  for (const change of changes) {
    if (rows.has(String(change.id))) continue;
    if (list.hasAttribute("data-waiting-last")) list.append(addedRow(change, title));
    else list.prepend(addedRow(change, title));
  }
  list.hidden = list.childElementCount === 0;
  const empty = (list.closest("[data-live]") ?? list.parentElement).querySelector("[data-waiting-empty]");
  if (empty) empty.hidden = changes.length > 0;
}

function showName(title) {
  const changes = changesAt(title.dataset.waitingName);
  const badge = title.parentElement.querySelector(".waiting-badge");
  const before = title.dataset.waitingBefore ?? title.textContent;
  if (changes.length === 0) {
    badge?.remove();
    if (title.dataset.waitingBefore !== undefined) title.textContent = before;
    delete title.dataset.waitingBefore;
    return;
  }
  const renamed = changes.filter(({ untouched }) => !untouched?.includes("name")).at(-1);
  const name = renamed ? value(renamed, "name").trim() : before;
  if (title.textContent !== name) title.textContent = name;
  title.dataset.waitingBefore = before;
  if (!badge) title.after(template("waiting-badge-template"));
}

function showAll() {
  document.querySelectorAll("[data-waiting-adds]").forEach(showAdded);
  document.querySelectorAll("[data-waiting-name]").forEach(showName);
}

/** Shows which of these changes add a row to a list of the page, or rename one of its rows. The server has the changes
 * that are no longer queued, except those with the ids `discarded`: their rows stay until the list contains the real
 * ones. (A message of the sender may come after the queue was read.) */
export function showWaiting(changes, discarded) {
  const isLeft = ({ id }) => !discarded.has(id) && !changes.some((other) => other.id === id);
  const delivered = waiting.filter(isLeft);
  waiting = changes.filter(({ state }) => state === "waiting");
  expectSent(delivered);
  showAll();
}

function expectSent(delivered) {
  const lists = new Set([...document.querySelectorAll(LISTED)].map((part) => part.closest("[data-live]")).filter(Boolean));
  if (delivered.length === 0 || lists.size === 0) return;
  sent.push(...delivered.map((change) => ({ change, isAsked: false })));
  lists.forEach(refresh);
}

// A list that was requested before the change was sent doesn't contain it yet.
document.addEventListener("htmx:beforeSend", ({ target }) => {
  if (target.querySelector(LISTED)) sent.forEach((entry) => (entry.isAsked = true));
});
// Before the browser paints, so that the rows don't flicker.
document.addEventListener("htmx:afterSwap", ({ target, detail }) => {
  if (target.querySelector(LISTED) && !isCachedPart(detail.xhr)) sent = sent.filter(({ isAsked }) => !isAsked);
  showAll();
});
enhance(LISTED, showAll);
