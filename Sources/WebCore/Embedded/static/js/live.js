// Live pages: listens to change events, and refreshes the parts that show the changed data.
import { isCachedPart } from "./cached-page.js";
import { announceLeaving } from "./leaving.js";
import { text } from "./strings.js";
import { toast } from "./toast.js";

const SHORTEST_PAUSE_MILLISECONDS = 250;
const FIRST_WAIT_MILLISECONDS = 250;
const LONGEST_WAIT_MILLISECONDS = 8_000;
const OFFLINE_AFTER_MILLISECONDS = 2_500;
const REFRESH_LIMIT_MILLISECONDS = 4_000;
const DUE_CHECK_MILLISECONDS = 5_000;
const DUE_PAUSE_MILLISECONDS = 60_000;
const CACHED_PART_MILLISECONDS = 1_000;

/** Whether an element that watches `kinds` below `prefixes` (space-separated, either may be empty) is affected by a
 * change. */
export function concerns(change, kinds, prefixes) {
  const isKind = !kinds || kinds.split(/\s+/).includes(change.kind);
  const isPlace = !prefixes || prefixes.trim().split(/\s+/).some((prefix) => change.resource.startsWith(prefix));
  return isKind && isPlace;
}

/** Runs `work` at once, then at most once per `pauseMilliseconds`; requests during the pause run once, after it. */
export function atMostEvery(pauseMilliseconds, work, now = () => performance.now()) {
  let last = -Infinity;
  let timer = 0;
  return () => {
    if (timer) return;
    const wait = last + pauseMilliseconds - now();
    const run = () => {
      timer = 0;
      last = now();
      work();
    };
    if (wait <= 0) run();
    else timer = setTimeout(run, wait);
  };
}

const address = document.body.dataset.liveStream && new URL(document.body.dataset.liveStream, location.href).href;

const refreshers = new WeakMap();
const inFlight = new WeakSet();
const stale = new WeakSet();

/** Refreshes a part soon, and after its running request. (htmx forgets a request that waits for another one, if the
 * response changes an attribute of the part.) */
export function refresh(element) {
  if (!refreshers.has(element)) {
    refreshers.set(element, atMostEvery(SHORTEST_PAUSE_MILLISECONDS, () => {
      if (!element.isConnected) return;
      // One request at a time: a second response could arrive before the first.
      if (inFlight.has(element)) stale.add(element);
      else element.dispatchEvent(new CustomEvent("hw:refresh"));
    }));
  }
  refreshers.get(element)();
}

// How often in a row the worker's copy was the response.
const cachedTimes = new WeakMap();

/** The first request after a reconnection can fail. Without a connection, the reconnection refreshes everything. */
function refreshLater(element) {
  if (document.documentElement.dataset.live !== "open") return;
  const times = cachedTimes.get(element) ?? 0;
  cachedTimes.set(element, times + 1);
  setTimeout(() => {
    if (document.hidden) missedWhileHidden = true;
    else refresh(element);
  }, Math.min(CACHED_PART_MILLISECONDS * 2 ** times, DUE_PAUSE_MILLISECONDS));
}

/** The live parts of the page, without those of a pane that isn't shown. */
function liveParts() {
  return [...document.body.querySelectorAll("[data-live]")].filter((element) => {
    const pane = element.closest("[data-pane]");
    return !pane || pane.checkVisibility();
  });
}

let missedWhileHidden = false;

function refreshMatching(isWanted) {
  if (document.hidden) {
    missedWhileHidden = true;
    return;
  }
  for (const element of liveParts()) {
    if (isWanted(element)) refresh(element);
  }
}

/** Refreshes every live part; resolves when the responses have arrived. */
export function refreshAll() {
  const answered = (element) => new Promise((resolve) => {
    element.addEventListener("htmx:afterRequest", resolve, { once: true });
    setTimeout(resolve, REFRESH_LIMIT_MILLISECONDS);
  });
  const waiting = liveParts().filter((element) => element.matches("[hx-get]")).map(answered);
  refreshMatching(() => true);
  return Promise.all(waiting);
}

function changed(data) {
  let change;
  try {
    change = JSON.parse(data);
  } catch {
    return;
  }
  document.dispatchEvent(new CustomEvent("hw:change", { detail: change }));
  // The person may not see the resource any more: its cached pages must not open without a connection.
  if (change.kind === "access") {
    navigator.serviceWorker?.controller?.postMessage({ kind: "forget", path: change.resource });
  }
  refreshMatching((element) => concerns(change, element.dataset.live, element.dataset.liveResource));
}

// A page is rendered before its stream opens, so it missed the events in between.
let wasLost = true;
let offlineTimer = 0;
const connection = document.getElementById("connection");

function opened() {
  clearTimeout(offlineTimer);
  offlineTimer = 0;
  // A cached page shows its age until the server was reached (offline.js).
  if (connection && !connection.hidden && !document.documentElement.dataset.storedAt) {
    connection.hidden = true;
    toast({ text: text("reconnected") });
  }
  document.documentElement.dataset.live = "open";
  document.dispatchEvent(new CustomEvent("hw:connected"));
  if (wasLost) refreshAll();
  wasLost = false;
}

/** The response to a form that is being sent navigates by itself. */
const isSending = () => document.querySelector("form[data-sending]") !== null;

/** A stream also ends because the session did: then this person may not see the page any more. */
async function explainLoss() {
  offlineTimer = 0;
  try {
    const answer = await fetch(address, { method: "HEAD", headers: { Accept: "application/json" } });
    const isAnswered = isSending();
    // Locked content must not be visible, even while the browser asks before reloading.
    if (answer.status === 423 && !isAnswered) document.documentElement.dataset.covered = "";
    if (answer.status === 401 || answer.status === 423) return isAnswered || location.reload();
  } catch {
    // There is no connection.
  }
  if (connection && !document.hidden && document.documentElement.dataset.live === "lost") {
    connection.hidden = false;
    document.dispatchEvent(new CustomEvent("hw:disconnected"));
  }
}

function lost() {
  wasLost = true;
  document.documentElement.dataset.live = "lost";
  // Each failed try fires again; the wait counts from the first. A later failure can have another reason, for example a
  // session that was locked during the outage.
  offlineTimer ||= setTimeout(explainLoss, OFFLINE_AFTER_MILLISECONDS);
}

/** If the browser has no shared workers, each page has a separate stream while it is visible. */
function listenAlone() {
  let stream = null;
  let wait = 0;
  let timer = 0;
  const open = () => {
    clearTimeout(timer);
    stream?.close();
    stream = new EventSource(address);
    stream.onopen = () => {
      wait = 0;
      opened();
    };
    stream.addEventListener("change", (event) => changed(event.data));
    stream.onerror = () => {
      stream.close();
      lost();
      wait = Math.min(LONGEST_WAIT_MILLISECONDS, wait ? wait * 2 : FIRST_WAIT_MILLISECONDS);
      timer = setTimeout(open, wait);
    };
  };
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) return open();
    clearTimeout(timer);
    stream?.close();
    wasLost = true;
  });
  addEventListener("pagehide", () => stream?.close());
  addEventListener("pageshow", (event) => event.persisted && open());
  open();
}

function listenTogether() {
  const worker = new SharedWorker(new URL("live-worker.js", import.meta.url), { name: "homeward-live" });
  worker.port.onmessage = ({ data }) => {
    if (data.kind === "change") changed(data.data);
    else if (data.kind === "open") opened();
    else lost();
  };
  worker.onerror = () => listenAlone();
  const join = (kind) => worker.port.postMessage({ kind, address });
  join("hello");
  addEventListener("pagehide", () => join("bye"));
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    wasLost = true;
    join("hello");
  });
  addEventListener("online", () => join("again"));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) join("again");
  });
}

if (address) {
  if (window.SharedWorker) listenTogether();
  else listenAlone();
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden || !missedWhileHidden) return;
  missedWhileHidden = false;
  refreshAll();
});

const dueAt = new WeakMap();

/** Refreshes the parts that a time changes (`data-live-until`): something is overdue, or the day is over. */
function refreshDue() {
  for (const element of document.hidden ? [] : liveParts()) {
    // A clock that is ahead asks too early, and gets the same time again.
    const isEarly = performance.now() - (dueAt.get(element) ?? -Infinity) < DUE_PAUSE_MILLISECONDS;
    if (isEarly || !(Date.parse(element.dataset.liveUntil) <= Date.now())) continue;
    dueAt.set(element, performance.now());
    refresh(element);
  }
}

setInterval(refreshDue, DUE_CHECK_MILLISECONDS);
document.addEventListener("visibilitychange", refreshDue);

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.elt.hasAttribute?.("data-live")) inFlight.add(event.detail.elt);
});

// After a sign-out the server sends a refresh to the page for signing in. The form's response leads elsewhere.
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { elt, xhr } = event.detail;
  if (elt.hasAttribute?.("data-live") && xhr.getResponseHeader("HX-Redirect") && isSending()) event.preventDefault();
});

document.addEventListener("htmx:afterRequest", async (event) => {
  const element = event.detail.elt;
  if (!element.hasAttribute?.("data-live")) return;
  inFlight.delete(element);
  if (stale.delete(element)) refresh(element);
  if (isCachedPart(event.detail.xhr)) refreshLater(element);
  else cachedTimes.delete(element);
  // A deletion on this page gets a response with a page and a toast that offers to undo it.
  const isGone = event.detail.xhr?.status === 404 && !isSending();
  if (!isGone || !element.dataset.liveGone) return;
  await announceLeaving(element);
  location.replace(element.dataset.liveGone);
});

// The phone moved: the server computes distances, and just got the new position.
document.addEventListener("hw:position", () => {
  const change = { kind: "position", resource: "/tracking/position" };
  refreshMatching((element) => concerns(change, element.dataset.live, element.dataset.liveResource));
});
