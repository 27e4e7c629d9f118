// Push messages while no page is open: shows them, and opens their targets. A part of the service worker, in which
// there are no modules.
/* global homewardQueue */
{
  const TIME_MARK = "{time}";
  // Firefox allows opening a window only for a second after the tap.
  const ANSWER_MILLISECONDS = 700;
  const headers = { "Content-Type": "application/json", Accept: "application/json" };

  // Every message must be shown; an unreadable one at least reports that there was one.
  const read = (data) => {
    try {
      return data?.json() ?? {};
    } catch {
      return {};
    }
  };

  // The message's language with the reader's own region, which determines 14:02 or 2:02 PM.
  const localeFor = (language) => {
    const base = (tag) => tag.split("-")[0].toLowerCase();
    return navigator.languages?.find((tag) => base(tag) === base(language)) ?? language;
  };

  const spoken = (instant, language) => {
    const at = new Date(instant);
    if (Number.isNaN(at.getTime())) return "";
    const isToday = at.toDateString() === new Date().toDateString();
    /** @type {Intl.DateTimeFormatOptions} */
    const style = isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
    return new Intl.DateTimeFormat(localeFor(language), style).format(at);
  };

  // Messages link to pages of this site only.
  const localPath = (url) => (/^\/(?![/\\])/.test(url ?? "") ? url : "/notifications");

  const show = (message) => {
    const language = message.lang || "en";
    const body = (message.body ?? "").replace(TIME_MARK, () => spoken(message.time, language));
    return self.registration.showNotification(message.title || "Homeward", {
      body,
      lang: language,
      icon: `${self.assets}/icons/home-192.png`,
      data: { url: localPath(message.url), id: message.id, message },
      actions: (message.actions ?? []).slice(0, 2).map(({ action, title }) => ({ action, title })),
      ...(message.tag ? { tag: message.tag, renotify: true } : {}),
      ...(Number.isFinite(message.timestamp) ? { timestamp: message.timestamp } : {}),
    });
  };

  // A page that is closing, or has no script, doesn't respond; the tap must open a page all the same.
  const hand = (path, page) => new Promise((resolve) => {
    const { port1: ours, port2: theirs } = new MessageChannel();
    const silence = setTimeout(() => {
      // A later response would navigate the page away from its current state.
      ours.close();
      resolve(false);
    }, ANSWER_MILLISECONDS);
    ours.onmessage = async () => {
      clearTimeout(silence);
      // A browser may refuse to focus a page; the page shows the target all the same.
      await page.focus().catch(() => {});
      ours.postMessage("go");
      resolve(true);
    };
    page.postMessage({ kind: "visit", path }, [theirs]);
  });

  const open = async (path) => {
    const target = new URL(path, self.location.origin).href;
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = pages.find((page) => page.url === target);
    if (there) return there.focus().catch(() => {});
    const page = pages.find((one) => one.focused) ?? pages[0];
    if (page && (await hand(path, page))) return;
    await self.clients.openWindow(path).catch(() => {});
  };

  const markRead = (id) => {
    if (!id) return Promise.resolve();
    const body = JSON.stringify({ id });
    return fetch("/notifications/reading", { method: "PUT", headers, body }).catch(() => {});
  };

  // Browsers renew a subscription at any time, mostly while the app is locked: then the next unlocked page reports it
  // (notices.js).
  const tell = async (subscription) => {
    const body = JSON.stringify(subscription);
    const answer = await fetch("/notifications/subscription", { method: "PUT", headers, body }).catch(() => null);
    const account = await homewardQueue.fact("account");
    await homewardQueue.setFact("renewed-subscription", answer?.ok ? null : { account, body });
  };

  const renew = async (event) => {
    if (event.newSubscription) return tell(event.newSubscription);
    const key = event.oldSubscription?.options?.applicationServerKey;
    if (!key) return;
    await tell(await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  };

  // The buttons of a request for points. A locked or signed-out session opens the page, which asks for what is missing.
  // Any other failure is shown, because the parent doesn't see a page.
  const givePoints = async (points, { url, id, message }) => {
    const body = JSON.stringify({ points });
    const answer = await fetch(`${localPath(url)}/approval`, {
      method: "POST", headers: { ...headers, "Idempotency-Key": `${id}-points` }, body,
    }).catch(() => null);
    if (answer?.ok) return;
    if (answer?.status === 401 || answer?.status === 423) return open(localPath(url));
    await show({ ...message, body: message.failure, actions: [] });
  };

  self.addEventListener("push", (event) => event.waitUntil(show(read(event.data))));

  self.addEventListener("notificationclick", (event) => {
    const { url, id, message } = event.notification.data ?? {};
    const points = /^points-([123])$/.exec(event.action ?? "");
    event.notification.close();
    if (points && message) return event.waitUntil(givePoints(Number(points[1]), { url, id, message }));
    event.waitUntil(Promise.all([open(localPath(url)), markRead(id)]));
  });

  // A failure shows when the next message can't be delivered: the server deletes the device, and the settings show
  // that.
  self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event).catch(() => {})));
}
