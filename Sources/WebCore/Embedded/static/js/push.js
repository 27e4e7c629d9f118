// Notifications on this device: turned on and off by the reader. No permission is requested before.
const HELP_MILLISECONDS = 10_000;
const SUBSCRIBE_MILLISECONDS = 20_000;
const headers = { "Content-Type": "application/json", Accept: "application/json" };

/** The result of a promise, with a time-out: browsers that can't reach their push service never settle. */
export function within(milliseconds, promise) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("no answer")), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The bytes of a base64url text. */
export function bytesOf(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

/** Whether a subscription was made for our key; another one is useless. */
export function isFor(subscription, key) {
  const given = subscription.options?.applicationServerKey;
  // Browsers that don't report the key are trusted.
  if (!given) return true;
  const own = bytesOf(key);
  const other = new Uint8Array(given);
  return own.length === other.length && own.every((byte, index) => byte === other[index]);
}

/** Safari on iPhone and iPad has notifications only for apps on the home screen. */
export function mustBeInstalled(browser, isStandalone) {
  const isTablet = browser.platform === "MacIntel" && browser.maxTouchPoints > 1;
  return (/iP(hone|ad|od)/.test(browser.userAgent) || isTablet) && !isStandalone;
}

const DECLINED = "homeward-push-declined";
// The offer appears after the first tracker was paired, and once more at a separation. It never appears a third time.
const STAGES = ["paired", "apart"];

/** Whether the reader declined the offer at this stage or at a later one. */
export function isDeclined(stage, declined) {
  return STAGES.indexOf(declined) >= STAGES.indexOf(stage);
}

/** The stage at which the reader declined; null if unknown. */
function declined() {
  try {
    return localStorage.getItem(DECLINED);
  } catch {
    return null;
  }
}

function decline(stage) {
  try {
    localStorage.setItem(DECLINED, stage);
  } catch {
    // Without storage, the offer appears again on the next page.
  }
}

function support() {
  if (!window.isSecureContext) return "insecure";
  const isStandalone = navigator.standalone === true || matchMedia("(display-mode: standalone)").matches;
  if (mustBeInstalled(navigator, isStandalone)) return "install";
  const isThere = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  return isThere ? "" : "unsupported";
}

async function worker() {
  await navigator.serviceWorker.register("/service-worker.js");
  return navigator.serviceWorker.ready;
}

async function present() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

async function send(method, body) {
  const answer = await fetch("/notifications/subscription", { method, headers, body });
  if (!answer.ok && !(method === "DELETE" && answer.status === 404)) throw new Error(String(answer.status));
}

export function attach(section) {
  const key = section.dataset.push;

  const show = (state) => {
    section.dataset.state = state;
    const offer = section.dataset.pushOffer;
    if (offer) section.hidden = state === "on" || isDeclined(offer, declined());
    for (const part of section.querySelectorAll("[data-push-when]")) {
      part.hidden = !part.dataset.pushWhen.split(" ").includes(state);
    }
  };

  const isOnAtServer = async () => {
    const answer = await fetch("/account/notifications", { headers: { Accept: "application/json" } });
    return answer.ok && (await answer.json()).subscribed;
  };

  const look = async () => {
    const missing = support();
    if (missing) return show(missing);
    if (Notification.permission === "denied") return show("denied");
    const subscription = await within(HELP_MILLISECONDS, present()).catch(() => null);
    const isOn = subscription && Notification.permission === "granted" && isFor(subscription, key);
    show(isOn && (await isOnAtServer()) ? "on" : "off");
  };

  const turnOn = async () => {
    show("busy");
    const permission = await Notification.requestPermission();
    if (permission !== "granted") return show(Notification.permission === "denied" ? "denied" : "off");
    try {
      const registration = await within(HELP_MILLISECONDS, worker());
      let subscription = await registration.pushManager.getSubscription();
      if (subscription && !isFor(subscription, key)) {
        await subscription.unsubscribe();
        subscription = null;
      }
      const options = { userVisibleOnly: true, applicationServerKey: bytesOf(key) };
      subscription ??= await within(SUBSCRIBE_MILLISECONDS, registration.pushManager.subscribe(options));
      await send("PUT", JSON.stringify(subscription));
      show("on");
    } catch {
      show("failed");
    }
  };

  const turnOff = async () => {
    show("busy");
    try {
      await send("DELETE");
      const subscription = await within(HELP_MILLISECONDS, present()).catch(() => null);
      await subscription?.unsubscribe();
      show("off");
    } catch {
      show("on-failed");
    }
  };

  section.addEventListener("click", (event) => {
    if (event.target.closest("[data-push-on]")) turnOn();
    if (event.target.closest("[data-push-off]")) turnOff();
    if (event.target.closest("[data-push-decline]")) {
      decline(section.dataset.pushOffer);
      section.hidden = true;
    }
  });
  // The server deletes a device that its push service doesn't know any more.
  document.addEventListener("hw:change", ({ detail }) => {
    if (detail.kind === "notification" && section.isConnected && section.dataset.state === "on") look();
  });
  look();
}
