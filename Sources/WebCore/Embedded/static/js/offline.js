// The service worker of the pages: registers it, shows the age of cached pages, and offers new versions.
import { enhanceAll } from "./enhance.js";
import { isCachedPage } from "./cached-page.js";
import { refreshAll } from "./live.js";
import { goToLock } from "./lock.js";
import { template, text } from "./strings.js";
import { toast } from "./toast.js";
/* global homewardQueue */

const FIRST_WAIT_MILLISECONDS = 2_000;
const LONGEST_WAIT_MILLISECONDS = 30_000;
const OPENABLE_SHOWN = 12;
const LANGUAGE = "offline-language";
const GUARDED = "homeward-guarded";
const PUT_AWAY = "homeward-update-put-away";
// The mark that lock-early.js sets in an unlocked tab.
const LET_IN = "homeward-tab";
const workers = navigator.serviceWorker;
const root = document.documentElement;
const account = document.body.dataset.person;
const connection = document.getElementById("connection");

// The age of a cached page --------------------------------------------------------------------------------------------

function showAge(moment) {
  const age = connection.querySelector("[data-age]");
  const time = age.querySelector("time");
  connection.querySelector("[data-words]").hidden = true;
  age.hidden = false;
  time.dateTime = moment;
  time.dataset.relative = "";
  enhanceAll(age);
}

let since = null;
document.addEventListener("hw:disconnected", () => {
  since ??= new Date().toISOString();
  if (!root.dataset.storedAt) showAge(root.dataset.launchedAt ?? since);
});
document.addEventListener("hw:connected", () => (since = null));

/** Live parts may have been cached later than the page. */
function showKeptParts() {
  const ages = [];
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    const at = detail.elt.hasAttribute("data-live") && detail.xhr?.getResponseHeader("Homeward-Stored-At");
    if (!at) return;
    ages.push(at);
    showAge(ages.reduce((oldest, other) => (other < oldest ? other : oldest)));
  });
  if (document.readyState === "complete") refreshAll();
  else addEventListener("load", () => setTimeout(refreshAll), { once: true });
}

/** Shows the age of the page until the server can be reached. */
function standStored(moment) {
  document.querySelector("#main .main").before(connection);
  connection.classList.add("is-inline");
  connection.hidden = false;
  showAge(moment);
  showKeptParts();
  connected().then(bringUpToDate);
}

if (root.dataset.storedAt) standStored(root.dataset.storedAt);

// A page that was shown before the server responded: the worker sends the result.
workers?.addEventListener("message", ({ data }) => {
  if (data?.kind !== "confirmed" && data?.kind !== "stored") return;
  delete root.dataset.launchedAt;
  if (data.kind === "confirmed") return keepAhead();
  root.dataset.storedAt = data.at;
  standStored(data.at);
});

/** Reloads pages that aren't live, unless the reader is typing. */
async function bringUpToDate() {
  const isFollowing = document.querySelector("#main [data-live][hx-get]");
  if (!isFollowing && !document.querySelector("form[data-changed]")) return location.reload();
  if (!isFollowing) return;
  delete root.dataset.storedAt;
  await refreshAll();
  connection.hidden = true;
  connection.classList.remove("is-inline");
  toast({ text: text("reconnected") });
}

// The lock without a connection ----------------------------------------------------------------------------------------

/** Deletes pages that were cached before there was a passcode, because they would open without it. */
async function dropUnguarded() {
  for (const name of (await globalThis.caches?.keys()) ?? []) {
    if (!name.startsWith("homeward-pages-")) continue;
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      if (new URL(request.url).searchParams.get("homeward-face") !== "page") continue;
      const words = await (await cache.match(request))?.text();
      if (words && !/<html [^>]*data-lock-after=/.test(words)) await cache.delete(request);
    }
  }
}

/** Stores whether there is a lock, for the fallback page, which has no account. The last page from the server
 * determines it. */
function noteGuard() {
  // The lock screen, and other pages for locked sessions, have no tabs.
  if (!account || isCachedPage || !document.body.classList.contains("has-tabs")) return;
  const isGuarded = root.hasAttribute("data-lock-after");
  if (isGuarded === (localStorage.getItem(GUARDED) !== null)) return;
  if (!isGuarded) return localStorage.removeItem(GUARDED);
  localStorage.setItem(GUARDED, "");
  dropUnguarded().catch(() => {});
}

function isLaunch() {
  return localStorage.getItem(GUARDED) !== null && sessionStorage.getItem(LET_IN) === null;
}

noteGuard();
document.addEventListener("hw:signed-out", () => localStorage.removeItem(GUARDED));

// The fallback page ---------------------------------------------------------------------------------------------------

async function listOpenable(page) {
  const owner = await homewardQueue.fact("account");
  const cache = owner && (await caches.open(`homeward-pages-${owner}`));
  const found = [];
  for (const request of cache ? [...await cache.keys()].reverse() : []) {
    const place = new URL(request.url);
    if (place.searchParams.get("homeward-face") !== "page" || found.length >= OPENABLE_SHOWN) continue;
    place.searchParams.delete("homeward-face");
    // The title of a form alone says little about its subject.
    if (/\/(edit|new)$/.test(place.pathname)) continue;
    const words = (await cache.match(request)).headers.get("Homeward-Title");
    if (!words) continue;
    const title = decodeURIComponent(words);
    // A URL that differs only in its query is the same page.
    const same = found.find((other) => other.title === title && other.path === place.pathname);
    if (!same) found.push({ path: place.pathname, href: place.pathname + place.search, title });
    else if (!place.search) same.href = place.pathname;
  }
  const list = page.querySelector("[data-offline-list]");
  list.replaceChildren(...found.map(({ href, title }) => {
    const item = document.createElement("li");
    const link = Object.assign(document.createElement("a"), { className: "row", href });
    const words = Object.assign(document.createElement("span"), { className: "row-text" });
    // The title comes from a page's markup, in which & and similar characters are escaped.
    words.textContent = new DOMParser().parseFromString(title, "text/html").body.textContent;
    link.append(words);
    item.append(link);
    return item;
  }));
  page.querySelector("[data-offline-openable]").hidden = found.length === 0;
}

async function showOfflinePage(page) {
  const isLocked = root.dataset.offline === "locked";
  if (!isLocked && isLaunch()) return goToLock();
  page.querySelector("[data-when-locked]").hidden = !isLocked;
  page.querySelector("[data-when-missing]").hidden = isLocked;
  if (isLocked) document.title = page.querySelector("[data-when-locked] .empty-title").textContent;
  for (const title of document.querySelectorAll("h1")) title.textContent = document.title.split(" – ")[0];
  for (const button of page.querySelectorAll("[data-offline-retry]")) button.addEventListener("click", () => location.reload());
  const owner = await homewardQueue.fact("account");
  const waiting = owner ? (await homewardQueue.list(owner)).length : 0;
  page.querySelector("[data-count]").textContent = waiting;
  page.querySelector("[data-offline-count]").hidden = waiting === 0;
  if (!isLocked) await listOpenable(page);
  await connected();
  location.reload();
}

/** Resolves once the server responds. */
async function connected() {
  for (let wait = FIRST_WAIT_MILLISECONDS; ; wait = Math.min(LONGEST_WAIT_MILLISECONDS, wait * 2)) {
    await new Promise((resolve) => {
      setTimeout(resolve, wait);
      addEventListener("online", resolve, { once: true });
      document.addEventListener("hw:connected", resolve, { once: true });
    });
    const answer = await fetch("/health/live", { method: "HEAD", cache: "no-store" }).catch(() => null);
    if (answer?.ok) return;
  }
}

const page = document.querySelector("[data-offline-page]");
if (page && root.hasAttribute("data-offline")) showOfflinePage(page);

// Signing out --------------------------------------------------------------------------------------------------------

async function dropPages() {
  for (const name of (await globalThis.caches?.keys()) ?? []) {
    if (name.startsWith("homeward-pages-") || name.startsWith("homeward-pictures-")) await caches.delete(name);
  }
}

function order(kind, more = {}) {
  workers?.controller?.postMessage({ kind, ...more });
}

document.addEventListener("hw:signed-out", () => {
  order("signedOut", { account });
  dropPages();
});

// The worker and its next version ---------------------------------------------------------------------------------------

// Only the page in which the reader accepted reloads: another one may have unfinished entries.
let isAsked = false;

/** Shown until it is dismissed, and again at the next launch; always available in the settings. */
function offer(waiting) {
  const take = () => {
    isAsked = true;
    waiting.postMessage({ kind: "takeOver" });
  };
  for (const place of document.querySelectorAll("[data-update-offer]")) {
    place.hidden = false;
    place.querySelector("button").onclick = take;
  }
  if (document.querySelector("[data-update]") || sessionStorage.getItem(PUT_AWAY) !== null) return;
  const news = template("update-template");
  news.querySelector("button").addEventListener("click", take);
  news.addEventListener("click", (event) => {
    if (!event.target.closest("button")) sessionStorage.setItem(PUT_AWAY, "");
  });
  document.getElementById("toasts")?.append(news);
}

function watch(registration) {
  const offerIfThere = () => {
    // The first worker replaces none.
    if (registration.waiting && registration.active) offer(registration.waiting);
  };
  // The dismissed version is active; the next one is offered again.
  if (!registration.waiting) sessionStorage.removeItem(PUT_AWAY);
  offerIfThere();
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", offerIfThere);
  });
  // A server that comes back may have a newer version.
  document.addEventListener("hw:connected", () => registration.update().catch(() => {}));
}

/** Caches forms that this page links to, because they are also wanted without a connection. */
function keepAhead() {
  const links = [...document.querySelectorAll("a[data-kept-ahead]")].map((link) => (
    { address: link.pathname + link.search, isDaily: link.dataset.keptAhead === "daily" }
  ));
  if (links.length) order("keepAhead", { links, language: root.lang, lockAfter: root.dataset.lockAfter ?? null });
}

/** Caches this page and its pictures, which were loaded before there was a worker. */
function keepThisPage() {
  const ours = `${location.origin}/pictures/`;
  const pictures = new Set([...document.images].map(({ currentSrc }) => currentSrc).filter((address) => address.startsWith(ours)));
  const addresses = [[location.pathname + location.search, "page"], ...[...pictures].map((address) => [address, "picture"])];
  order("keep", { addresses });
  keepAhead();
}

/** Stores the reader's language for the fallback page, because it may be the account's choice. */
function tellLanguage() {
  if (!workers.controller || localStorage.getItem(LANGUAGE) === root.lang) return;
  localStorage.setItem(LANGUAGE, root.lang);
  order("language", { language: root.lang });
}

async function start() {
  let isFirst = !workers.controller;
  tellLanguage();
  if (!isFirst && account && !isCachedPage) keepAhead();
  workers.addEventListener("controllerchange", () => {
    if (isAsked) return location.reload();
    tellLanguage();
    if (isFirst && account) keepThisPage();
    isFirst = false;
  });
  try {
    const registration = await workers.register("/service-worker.js", { updateViaCache: "none" });
    watch(registration);
    // A page that was loading while the worker claimed the others was missed.
    if (!workers.controller) registration.active?.postMessage({ kind: "claim" });
  } catch {
    // Without a worker, for example in a private window, the pages work all the same.
  }
}

if (workers && isSecureContext) {
  const soon = () => (globalThis.requestIdleCallback ?? setTimeout)(start);
  if (document.readyState === "complete") soon();
  else addEventListener("load", soon, { once: true });
}
