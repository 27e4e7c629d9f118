// What opens without a connection: static files from a cache that holds exactly this build's; pages and pictures that
// the server marked as such, as they were last seen, and forms that these lead to; apart for each account. The server is
// always asked; where an app is opened anew, a page that follows what happens is shown before it has answered.
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

  // What was asked for before a sign-out or a lock, and is answered after it, is not to be kept.
  let epoch = 0;
  let turn = Promise.resolve();
  let known = null;

  /** One after the other: whose browser this is must not change while something is put away for somebody. */
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

  async function dropPages(isKept = () => false) {
    for (const name of await caches.keys()) {
      const isPersons = name.startsWith(PAGES) || name.startsWith(PICTURES);
      if (isPersons && !isKept(name)) await caches.delete(name);
    }
  }

  // Static files -------------------------------------------------------------------------------------------------------

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
    // It is nobody's, and also to be had by who is locked.
    const response = await fetch(OFFLINE, { headers, credentials: "omit" });
    if (response.ok) await (await caches.open(staticName)).put(OFFLINE, response);
  }

  async function asset(event, url) {
    const cache = await caches.open(staticName);
    const found = await cache.match(url.pathname);
    if (found) return found;
    const response = await fetch(event.request);
    // The map and its like, from their first use on. Another version's files are not this cache's.
    if (response.ok && url.pathname.startsWith(`${homeward.folder}/`)) event.waitUntil(cache.put(url.pathname, response.clone()));
    return response;
  }

  // Pages, their parts, pictures --------------------------------------------------------------------------------------

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

  async function put(response, url, face, account) {
    const isPicture = face === "picture";
    const cache = await caches.open((isPicture ? PICTURES : PAGES) + account);
    const headers = new Headers(response.headers);
    headers.set(STORED_AT, new Date().toISOString());
    headers.delete("Content-Encoding");
    headers.delete("Content-Length");
    let body;
    if (isPicture) {
      body = await response.blob();
    } else {
      body = await response.text();
      const title = face === "page" && body.match(/<title>([^<]*)<\/title>/)?.[1];
      if (title) headers.set(TITLE, encodeURIComponent(title));
    }
    const place = key(url, face);
    // Put anew, it is the youngest; the oldest go first.
    await cache.delete(place);
    await cache.put(place, new Response(body, { headers }));
    const limit = isPicture ? homeward.pictures : homeward.pages;
    const all = await cache.keys();
    for (const old of all.slice(0, Math.max(0, all.length - limit))) await cache.delete(old);
  }

  /** What an answer says about who uses this browser; and whether it is to be kept. */
  async function note(response, url, face, asked) {
    const account = response.headers.get("Homeward-Account");
    if (!account || asked !== epoch) return;
    if (response.status === 423 || url.pathname === "/lock" && face === "page") return lock();
    if (account === "none") return signedOut();
    const isKept = response.headers.get("Homeward-Offline") === "keep" && response.type === "basic";
    const before = await whose();
    if (before.account !== account) {
      if (before.account !== null) epoch += 1;
      await dropPages((name) => name.endsWith(account));
      await setWhose(account, false);
    } else if (isKept && before.locked) {
      await setWhose(account, false);
    }
    if (isKept) await put(response, url, face, account);
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

  /** A page as it was kept, saying so: scripts and styles find it in the root element. */
  async function marked(response, name, value) {
    return markedText(await response.text(), response.headers, name, value);
  }

  function markedText(text, headers, name, value) {
    return new Response(text.replace("<html ", `<html data-${name}="${value}" `), { headers });
  }

  async function stored(url, face) {
    const { account, locked } = await whose();
    if (!account || locked) return null;
    const cache = await caches.open((face === "picture" ? PICTURES : PAGES) + account);
    const found = (await cache.match(key(url, face))) ?? (face === "page" ? await nearest(cache, url) : null);
    const isPage = face === "page" && found?.headers.get("Content-Type")?.startsWith("text/html");
    return isPage ? marked(found, "stored-at", found.headers.get(STORED_AT)) : found ?? null;
  }

  /** Where a place leads on to, or the same place with other words after it: /tracking is the list of things. */
  async function nearest(cache, url) {
    if (url.search) return null;
    const pages = (await cache.keys()).map(addressOf).filter(({ face }) => face === "page").map(({ place }) => place);
    const same = pages.findLast((place) => place.pathname === url.pathname && !place.searchParams.has("after"));
    if (same) return cache.match(key(same, "page"));
    // Right below it: /account, which isn't kept, is none of the choices that are.
    const isBelow = ({ pathname, search }) => pathname.startsWith(`${url.pathname}/`) && pathname.split("/").length === 3 && !search;
    const below = pages.filter(isBelow).sort((one, other) => one.pathname.length - other.pathname.length);
    const isApp = url.pathname.split("/").length === 2;
    return isApp && below[0] ? Response.redirect(below[0].href, 302) : null;
  }

  async function insteadOfPage() {
    const { locked } = await whose();
    const page = await caches.match(OFFLINE);
    if (page) return marked(page, "offline", locked ? "locked" : "missing");
    return new Response("<!doctype html><title>Homeward</title><h1>No connection</h1>", {
      headers: { "Content-Type": "text/html; charset=utf-8" },
    });
  }

  // An app that is opened ---------------------------------------------------------------------------------------------

  /** It must follow what happens, and be of this build; what is locked shows the lock. */
  function opensAtOnce(text) {
    return text.includes(" data-refreshable") && text.includes(`${homeward.folder}/`) && !text.includes(" data-lock-after=");
  }

  /** The page as it was last seen, for an app of which no window is open. Within one, links lead to what is true now. */
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

  /** A page that turns out to be no longer theirs is left; one that nobody could be asked about says how old it is. */
  async function afterLaunch(event, coming, noted, { account, storedAt }) {
    const response = await coming.catch(() => null);
    await noted;
    const client = await self.clients.get(event.resultingClientId);
    if (!client) return;
    const isTheirs = response?.status === 200 && response.headers.get("Homeward-Account") === account;
    if (!response) client.postMessage({ kind: "stored", at: storedAt });
    else if (isTheirs) client.postMessage({ kind: "confirmed" });
    else await client.navigate(client.url);
  }

  const after = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  // A proxy answers for a server that is away. What the server itself says has a number.
  function isAway(response) {
    return [502, 503, 504].includes(response.status) && !response.headers.has("X-Request-Id");
  }

  async function network(event) {
    const response = (await event.preloadResponse) ?? (await fetch(event.request));
    if (isAway(response)) throw new TypeError("the server is away");
    return response;
  }

  async function answer(event, url, face) {
    const asked = epoch;
    const coming = network(event);
    const noted = coming.then((response) => {
      if (!response.headers.has("Homeward-Account")) return;
      const copy = response.headers.has("Homeward-Offline") ? response.clone() : response;
      return inTurn(() => note(copy, url, face, asked));
    }).catch(() => {});
    event.waitUntil(noted);
    const launch = event.request.mode === "navigate" ? await inTurn(() => atLaunch(url)).catch(() => null) : null;
    if (launch) {
      event.waitUntil(afterLaunch(event, coming, noted, launch));
      return launch.page;
    }
    try {
      // A line that is up and carries nothing is no better than none.
      const isLate = face === "page" && await Promise.race([
        coming.then(() => false, () => false), after(PATIENCE_MILLISECONDS).then(() => true),
      ]);
      if (isLate) {
        const found = await inTurn(() => stored(url, face));
        if (found) return found;
      }
      const response = await coming;
      // Once it is known that nobody is signed in, nothing of them may be shown, not even by the next tap.
      const account = response.headers.get("Homeward-Account");
      if (face === "page" && (account === "none" || url.pathname === "/lock")) await noted;
      return response;
    } catch (error) {
      // Whoever is sent to the lock is locked, also where only the page can tell.
      if (face === "page" && url.pathname === "/lock") {
        await inTurn(lock);
        return insteadOfPage();
      }
      const found = await inTurn(() => stored(url, face)).catch(() => null);
      if (found) return found;
      if (face === "page" && event.request.mode === "navigate") return insteadOfPage();
      throw error;
    }
  }

  // Events ---------------------------------------------------------------------------------------------------------------

  /** Where the browser can, it takes this build's files from the store by itself, and the worker isn't asked. */
  async function takeFilesFromStore(event) {
    const condition = { or: Object.keys(homeward.assets).map((name) => ({ urlPattern: `${homeward.folder}/${name}` })) };
    await event.addRoutes?.({ condition, source: { cacheName: staticName } });
  }

  self.addEventListener("install", (event) => {
    // Without it everything works, only later.
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

  /** Asks for a page or picture by itself, so that it opens without a connection, too. False where there was no answer. */
  async function keepOne(address, face) {
    const asked = epoch;
    const headers = face === "page" ? { Accept: "text/html" } : {};
    try {
      const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
      const response = await fetch(new URL(address, location.origin), { headers, priority: "low", signal });
      await inTurn(() => note(response, new URL(response.url), face, asked));
      return true;
    } catch {
      return false;
    }
  }

  /** What was open before the worker was there. */
  async function keep(addresses) {
    for (const [address, face] of addresses) {
      if (!(await keepOne(address, face))) return;
    }
  }

  /** A form of today and of this build, as it would look now. */
  async function isKeptToday(address, language, lockAfter, account) {
    const found = await caches.match(key(new URL(address, location.origin), "page"), { cacheName: PAGES + account });
    if (!found || Date.now() - Date.parse(found.headers.get(STORED_AT)) > DAY_MILLISECONDS) return false;
    const text = await found.text();
    const root = text.match(/<html [^>]*>/)?.[0] ?? "";
    return text.includes(`${homeward.folder}/`) && root.includes(` lang="${language}"`)
      && (lockAfter === null ? !root.includes(" data-lock-after=") : root.includes(` data-lock-after="${lockAfter}"`));
  }

  const underWay = new Set();

  /** What a page leads to, and may be wanted first when there is no connection. */
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
    signedOut: () => inTurn(signedOut),
    claim: () => self.clients.claim(),
    takeOver: () => self.skipWaiting(),
  };

  self.addEventListener("message", (event) => {
    const work = orders[event.data?.kind]?.(event.data);
    event.waitUntil(Promise.resolve(work).then(() => event.ports[0]?.postMessage("done")));
  });

  // Where the browser knows of it, it wakes the worker when the connection is back and no page is open.
  self.addEventListener("sync", (event) => {
    if (event.tag !== "homeward-queue") return;
    event.waitUntil(whose().then(async ({ account, locked }) => {
      if (!account || locked) return;
      const { stopped } = await homewardQueue.send(account);
      // Told that it failed, the browser tries again.
      if (stopped === "offline" || stopped === "later") throw new Error(stopped);
    }));
  });
})();
