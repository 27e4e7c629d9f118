// Opens the app without a connection: static files from a cache that contains exactly this build's files; pages and
// pictures that the server marked as cacheable, in their last version, and forms that these link to; separate for each
// account. Pages are requested from the server first. Only when an app is launched, a live page is shown from the cache
// before the server has responded.
/* global homeward, homewardQueue */
(() => {
  const STATIC = "homeward-static-";
  const PAGES = "homeward-pages-";
  const PICTURES = "homeward-pictures-";
  const STORED_AT = "Homeward-Stored-At";
  const TITLE = "Homeward-Title";
  const FACE = "homeward-face";
  const PATIENCE_MILLISECONDS = 12_000;
  const DAY_MILLISECONDS = 86_400_000;
  const FETCHES_AT_ONCE = 4;
  const OFFLINE = "/offline";
  const NEVER_HANDLED = ["/events", "/service-worker.js", "/health/", "/metrics", "/account/export"];
  const staticName = STATIC + homeward.version;

  // The response to a request from before a sign-out or a lock must not be cached.
  let epoch = 0;
  /** @type {Promise<any>} */
  let turn = Promise.resolve();
  let known = null;

  /** Runs work sequentially: the account of this browser must not change while a response is cached for it. */
  function inTurn(work) {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  }

  async function whose() {
    known ??= { account: (await homewardQueue.fact("account")) ?? null, locked: (await homewardQueue.fact("locked")) ?? false };
    return known;
  }

  async function setWhose(account, locked) {
    known = { account, locked };
    await homewardQueue.setFact("account", account);
    await homewardQueue.setFact("locked", locked);
  }

  async function dropPages(isKept = (_name) => false) {
    for (const name of await caches.keys()) {
      const isPersons = name.startsWith(PAGES) || name.startsWith(PICTURES);
      if (isPersons && !isKept(name)) await caches.delete(name);
    }
  }

  // Static files ------------------------------------------------------------------------------------------------------

  async function tag(response) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.clone().arrayBuffer()));
    return Array.from(digest.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  async function kept(name, wanted) {
    for (const cacheName of (await caches.keys()).filter((other) => other.startsWith(STATIC))) {
      const cache = await caches.open(cacheName);
      const found = (await cache.keys()).find((request) => new URL(request.url).pathname.split("/").slice(3).join("/") === name);
      const response = found && (await cache.match(found));
      if (response && (await tag(response)) === wanted) return response;
    }
    return null;
  }

  async function fill() {
    const cache = await caches.open(staticName);
    const wanted = Object.entries(homeward.assets);
    const next = async () => {
      for (let entry = wanted.pop(); entry; entry = wanted.pop()) {
        const [name, hash] = entry;
        const address = `${homeward.folder}/${name}`;
        const response = (await kept(name, hash)) ?? (await fetch(address, { priority: "low" }));
        if (!response.ok || (await tag(response)) !== hash) throw new Error(`another ${name} than this build's`);
        await cache.put(address, response);
      }
    };
    await Promise.all(Array.from({ length: FETCHES_AT_ONCE }, next));
    await keepOfflinePage(null);
  }

  async function keepOfflinePage(language) {
    const headers = { Accept: "text/html", ...(language ? { "Accept-Language": language } : {}) };
    // It contains no personal data, and is also shown to locked sessions.
    const response = await fetch(OFFLINE, { headers, credentials: "omit" });
    if (response.ok && !response.redirected) await (await caches.open(staticName)).put(OFFLINE, response);
  }

  async function asset(event, url) {
    const cache = await caches.open(staticName);
    const found = await cache.match(url.pathname);
    if (found) return found;
    const response = await fetch(event.request);
    // The map and other optional files, from their first use on. Files of another version aren't added to this cache.
    if (response.ok && url.pathname.startsWith(`${homeward.folder}/`)) event.waitUntil(cache.put(url.pathname, response.clone()));
    return response;
  }

  // Pages, their fragments, pictures ----------------------------------------------------------------------------------

  function faceOf(request, url) {
    if (request.mode === "navigate") return "page";
    if (url.pathname.startsWith("/pictures/")) return "picture";
    const accept = request.headers.get("Accept") ?? "";
    if (accept.includes("application/json")) return "json";
    if (request.headers.get("HX-Request") === "true") return request.headers.has("HX-Boosted") ? "page" : "fragment";
    return null;
  }

  function key(url, face) {
    const place = new URL(url.pathname + url.search, location.origin);
    place.searchParams.set(FACE, face);
    return place.href;
  }

  function addressOf(stored) {
    const place = new URL(stored.url);
    const face = place.searchParams.get(FACE);
    place.searchParams.delete(FACE);
    return { place, face };
  }

  const maybeKept = (response) => response.headers.has("Homeward-Account") && response.headers.has("Homeward-Offline");

  let requests = 0;
  /** The epoch and the number of a new request. */
  const requestOrder = () => ({ epoch, number: (requests += 1) });

  /** The number of the request whose response was cached last, by page. Bodies don't always arrive in the order of their
   * requests. */
  const lastCached = new Map();

  /** Whether no response to a later request was cached; if so, this one counts as cached. */
  function isNewest(place, number) {
    if ((lastCached.get(place) ?? 0) > number) return false;
    lastCached.delete(place);
    lastCached.set(place, number);
    if (lastCached.size > homeward.pages + homeward.pictures) lastCached.delete(lastCached.keys().next().value);
    return true;
  }

  async function put(response, body, url, face, account, number) {
    const isPicture = face === "picture";
    const place = key(url, face);
    if (!isNewest(place, number)) return;
    const cache = await caches.open((isPicture ? PICTURES : PAGES) + account);
    const headers = new Headers(response.headers);
    headers.set(STORED_AT, new Date().toISOString());
    headers.delete("Content-Encoding");
    headers.delete("Content-Length");
    if (!isPicture) {
      const title = face === "page" && body.match(/<title>([^<]*)<\/title>/)?.[1];
      if (title) headers.set(TITLE, encodeURIComponent(title));
    }
    // Stored again, it becomes the newest entry; the oldest are deleted first.
    await cache.delete(place);
    await cache.put(place, new Response(body, { headers }));
    const limit = isPicture ? homeward.pictures : homeward.pages;
    const all = await cache.keys();
    for (const old of all.slice(0, Math.max(0, all.length - limit))) await cache.delete(old);
  }

  /** Evaluates the head of a response: the account of this browser.
   * @returns the account and the epoch for which the response is cached; null if it isn't. */
  async function note(response, url, face, asked) {
    const account = response.headers.get("Homeward-Account");
    if (!account || asked.epoch !== epoch) return null;
    if (response.status === 423 || url.pathname === "/lock" && face === "page") {
      await lock();
      return null;
    }
    if (account === "none") {
      await signedOut();
      return null;
    }
    const isKept = response.headers.get("Homeward-Offline") === "keep" && response.type === "basic";
    const before = await whose();
    if (before.account !== account) {
      if (before.account !== null) epoch += 1;
      await dropPages((name) => name.endsWith(account));
      await setWhose(account, false);
    } else if (isKept && before.locked) {
      await setWhose(account, false);
    }
    if (response.status === 404) await forget(url.pathname);
    return isKept ? { account, epoch } : null;
  }

  /** Evaluates a response, and caches it once its body has arrived. The head has a turn of its own: a body that doesn't
   * arrive must neither delay the pages that are in the cache, nor leave those of another account there.
   * @param copy the same response, whose body nothing else reads; null if it can't be cached. */
  async function record(response, copy, url, face, asked) {
    const kept = await inTurn(() => note(response, url, face, asked));
    if (!kept) {
      await copy?.body?.cancel();
      return;
    }
    const body = await (face === "picture" ? copy.blob() : copy.text());
    await inTurn(async () => {
      if (kept.epoch === epoch) await put(response, body, url, face, kept.account, asked.number);
    });
  }

  /** Deletes the cached pages of a resource that is gone, or that this person may not see any more. */
  async function forget(path) {
    const { account } = await whose();
    if (!account) return;
    const cache = await caches.open(PAGES + account);
    for (const stored of await cache.keys()) {
      const { pathname } = addressOf(stored).place;
      if (pathname === path || pathname.startsWith(`${path}/`)) await cache.delete(stored);
    }
  }

  async function signedOut() {
    epoch += 1;
    if ((await whose()).account !== null) await setWhose(null, false);
    await dropPages();
  }

  async function lock() {
    epoch += 1;
    const { account, locked } = await whose();
    if (!locked) await setWhose(account, true);
    await dropPages();
  }

  /** A cached page, marked as such: scripts and styles find the mark in the root element. */
  async function marked(response, name, value) {
    return markedText(await response.text(), response.headers, name, value);
  }

  function markedText(text, headers, name, value) {
    return new Response(text.replace("<html ", `<html data-${name}="${value}" `), { headers });
  }

  async function stored(url, face, request) {
    const { account, locked } = await whose();
    if (!account || locked) return null;
    const cache = await caches.open((face === "picture" ? PICTURES : PAGES) + account);
    const found = (await cache.match(key(url, face))) ?? (face === "page" ? await nearest(cache, url) : null);
    const isPage = face === "page" && found?.headers.get("Content-Type")?.startsWith("text/html");
    if (!isPage) return found ?? null;
    const text = await found.text();
    const needsMark = request.mode === "navigate" && hasLock(text) && !isOpenedByOwnPage(request);
    return needsMark ? tabGate(url) : markedText(text, found.headers, "stored-at", found.headers.get(STORED_AT));
  }

  /** For a URL without a query: the same page with another query, or for an app's URL a redirect to a page below it:
   * /tracking leads to the list of items. */
  async function nearest(cache, url) {
    if (url.search) return null;
    const pages = (await cache.keys()).map(addressOf).filter(({ face }) => face === "page").map(({ place }) => place);
    const same = pages.findLast((place) => place.pathname === url.pathname && !place.searchParams.has("after"));
    if (same) return cache.match(key(same, "page"));
    // Only one level below: /account, which isn't cached, is none of its subpages.
    const isBelow = ({ pathname, search }) => pathname.startsWith(`${url.pathname}/`) && pathname.split("/").length === 3 && !search;
    const below = pages.filter(isBelow).sort((one, other) => one.pathname.length - other.pathname.length);
    const isApp = url.pathname.split("/").length === 2;
    return isApp && below[0] ? Response.redirect(below[0].href, 302) : null;
  }

  /** Instead of a cached page with a lock, in a tab that no page of ours opened: only its mark shows that it is unlocked.
   * The page with that check continues to `url`. */
  function tabGate(url) {
    const script = (name, more = "") => `<script src="${homeward.folder}/js/${name}.js"${more}></script>`;
    const link = `<a href="${markup(url.pathname + url.search)}" data-tab-gate hidden></a>`;
    const page = `<!doctype html><html><title>Homeward</title>${script("lock-early")}${script("tab-gate", " defer")}${link}</html>`;
    return new Response(page, { headers: { "Content-Type": "text/html; charset=utf-8" } });
  }

  const markup = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

  /** This worker, which opens a window for a notification, is no page. */
  const isOpenedByOwnPage = ({ referrer }) => referrer.startsWith(`${location.origin}/`) && referrer !== location.href;

  async function insteadOfPage() {
    const { locked } = await whose();
    const page = await caches.match(OFFLINE);
    if (page) return marked(page, "offline", locked ? "locked" : "missing");
    return new Response("<!doctype html><title>Homeward</title><h1>No connection</h1>", {
      headers: { "Content-Type": "text/html; charset=utf-8" },
    });
  }

  // Launching an app --------------------------------------------------------------------------------------------------

  const hasLock = (text) => text.includes(" data-lock-after=");

  /** It must be live, and of this build; with a lock, the lock screen is shown. */
  function opensAtOnce(text) {
    return text.includes(" data-refreshable") && text.includes(`${homeward.folder}/`) && !hasLock(text);
  }

  /** The cached page, for an app without open windows. Links within an app load current pages. */
  async function atLaunch(url) {
    const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const { account, locked } = await whose();
    if (windows.length > 0 || !account || locked) return null;
    const found = await (await caches.open(PAGES + account)).match(key(url, "page"));
    const text = await found?.text();
    if (!text || !opensAtOnce(text)) return null;
    const storedAt = found.headers.get(STORED_AT);
    return { account, storedAt, page: markedText(text, found.headers, "launched-at", storedAt) };
  }

  /** A page that the person may not see any more is left; one that the server couldn't confirm shows its age. */
  async function afterLaunch(event, coming, noted, { account, storedAt }) {
    const response = await coming.catch(() => null);
    await noted;
    const client = /** @type {WindowClient} */ (await self.clients.get(event.resultingClientId));
    if (!client) return;
    const isTheirs = response?.status === 200 && response.headers.get("Homeward-Account") === account;
    if (!response) client.postMessage({ kind: "stored", at: storedAt });
    else if (isTheirs) client.postMessage({ kind: "confirmed" });
    else await client.navigate(client.url);
  }

  const after = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  /** Whether a proxy, or the sign-in page of a network, responded in the server's place. Its page is shown, because the
   * person may have to sign in there; that of a proxy whose server is down isn't. A redirect shows only to the page. */
  function isAway(response, face) {
    if (response.type === "opaqueredirect" || homewardQueue.isFromServer(response)) return false;
    return face !== "page" || [502, 503, 504].includes(response.status);
  }

  async function network(event, face) {
    const response = (await event.preloadResponse) ?? (await fetch(event.request));
    if (isAway(response, face)) throw new TypeError("the server is away");
    return response;
  }

  async function answer(event, url, face) {
    const asked = requestOrder();
    const coming = network(event, face);
    const noted = coming.then((response) => {
      if (!response.headers.has("Homeward-Account")) return null;
      return record(response, maybeKept(response) ? response.clone() : null, url, face, asked);
    }).catch(() => {});
    event.waitUntil(noted);
    const launch = event.request.mode === "navigate" ? await inTurn(() => atLaunch(url)).catch(() => null) : null;
    if (launch) {
      event.waitUntil(afterLaunch(event, coming, noted, launch));
      return launch.page;
    }
    try {
      // A connection without data counts as none.
      const isLate = face === "page" && await Promise.race([
        coming.then(() => false, () => false), after(PATIENCE_MILLISECONDS).then(() => true),
      ]);
      if (isLate) {
        const found = await inTurn(() => stored(url, face, event.request));
        if (found) return found;
      }
      const response = await coming;
      // Once the server says that there is no session, no personal data may be shown, not even by the next tap.
      const account = response.headers.get("Homeward-Account");
      if (face === "page" && (account === "none" || url.pathname === "/lock")) await noted;
      return response;
    } catch (error) {
      // A redirect to the lock screen means that the session is locked, even if only the page can tell.
      if (face === "page" && url.pathname === "/lock") {
        await inTurn(lock);
        return insteadOfPage();
      }
      const found = await inTurn(() => stored(url, face, event.request)).catch(() => null);
      if (found) return found;
      if (face === "page" && event.request.mode === "navigate") return insteadOfPage();
      throw error;
    }
  }

  // Events ---------------------------------------------------------------------------------------------------------------

  /** If the browser supports it, it serves this build's files from the cache without the worker. */
  async function takeFilesFromStore(event) {
    const condition = { or: Object.keys(homeward.assets).map((name) => ({ urlPattern: `${homeward.folder}/${name}` })) };
    await event.addRoutes?.({ condition, source: { cacheName: staticName } });
  }

  self.addEventListener("install", (event) => {
    // Without it everything works, only slower.
    takeFilesFromStore(event).catch(() => {});
    event.waitUntil(fill());
  });

  async function takeOver() {
    for (const name of await caches.keys()) {
      if (name.startsWith(STATIC) && name !== staticName) await caches.delete(name);
    }
    await self.registration.navigationPreload?.enable();
    await self.clients.claim();
  }

  self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

  self.addEventListener("fetch", (event) => {
    const url = new URL(event.request.url);
    if (event.request.method !== "GET" || url.origin !== location.origin) return;
    if (NEVER_HANDLED.some((path) => url.pathname.startsWith(path))) return;
    if (url.pathname.startsWith("/static/")) {
      event.respondWith(asset(event, url));
      return;
    }
    const face = faceOf(event.request, url);
    if (face) event.respondWith(answer(event, url, face));
  });

  /** Caches a page or picture, so that it opens without a connection. False if there was no response. */
  async function keepOne(address, face) {
    const asked = requestOrder();
    const headers = face === "page" ? { Accept: "text/html" } : {};
    try {
      const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
      const response = await fetch(new URL(address, location.origin), { headers, priority: "low", signal });
      await record(response, response, new URL(response.url), face, asked);
      return true;
    } catch {
      return false;
    }
  }

  /** Caches the pages that were open before the worker was active. */
  async function keep(addresses) {
    for (const [address, face] of addresses) {
      if (!(await keepOne(address, face))) return;
    }
  }

  /** Whether a form was cached within the last day, with the current build, language and lock period. */
  async function isKeptToday(address, language, lockAfter, account) {
    const found = await caches.match(key(new URL(address, location.origin), "page"), { cacheName: PAGES + account });
    if (!found || Date.now() - Date.parse(found.headers.get(STORED_AT)) > DAY_MILLISECONDS) return false;
    const text = await found.text();
    const root = text.match(/<html [^>]*>/)?.[0] ?? "";
    return text.includes(`${homeward.folder}/`) && root.includes(` lang="${language}"`)
      && (lockAfter === null ? !root.includes(" data-lock-after=") : root.includes(` data-lock-after="${lockAfter}"`));
  }

  const underWay = new Set();

  /** Caches the forms that a page links to, because they may first be needed without a connection. */
  async function keepAhead({ links, language, lockAfter }) {
    for (const { address, isDaily } of links.filter((link) => !underWay.has(link.address))) {
      underWay.add(address);
      try {
        const isWanted = await inTurn(async () => {
          const { account, locked } = await whose();
          return account && !locked && !(isDaily && (await isKeptToday(address, language, lockAfter, account)));
        });
        if (isWanted && !(await keepOne(address, "page"))) return;
      } finally {
        underWay.delete(address);
      }
    }
  }

  const orders = {
    keep: ({ addresses }) => keep(addresses),
    keepAhead,
    language: ({ language }) => keepOfflinePage(language).catch(() => {}),
    // The page is about to be left, which can interrupt its own deletion of the changes.
    signedOut: ({ account }) =>
      inTurn(async () => {
        if (account) await homewardQueue.clear(account);
        await signedOut();
      }),
    forget: ({ path }) => inTurn(() => forget(path)),
    claim: () => self.clients.claim(),
    takeOver: () => self.skipWaiting(),
  };

  self.addEventListener("message", (event) => {
    const work = orders[event.data?.kind]?.(event.data);
    event.waitUntil(Promise.resolve(work).then(() => event.ports[0]?.postMessage("done")));
  });

  // A notification can also say that the person may not see a page any more, while no page is open.
  self.addEventListener("push", (event) => {
    let path;
    try {
      path = event.data?.json().forgets;
    } catch {
      return;
    }
    if (typeof path === "string") event.waitUntil(inTurn(() => forget(path)));
  });

  // If the browser supports it, it wakes the worker when the connection is back and no page is open.
  self.addEventListener("sync", (event) => {
    if (event.tag !== "homeward-queue") return;
    event.waitUntil(whose().then(async ({ account, locked }) => {
      if (!account || locked) return;
      const { stopped } = await homewardQueue.send(account);
      // After an error, the browser tries again.
      if (homewardQueue.isToBeTried(stopped)) throw new Error(stopped);
    }));
  });
})();
