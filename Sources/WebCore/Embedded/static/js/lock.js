// The lock in open pages: what is on the screen goes as soon as the session is locked, here or elsewhere.
const root = document.documentElement;
const MILLISECONDS_PER_MINUTE = 60_000;
const SENDING_MILLISECONDS = 1_000;
const MARK = "homeward-tab";
const LOCK = "/lock";
const USED = "/account";
// Requests of a page that is in use, in each of the times after which it locks.
const REQUESTS_PER_TIME = 4;

const lockAfterMilliseconds = Number(root.dataset.lockAfter) * MILLISECONDS_PER_MINUTE || 0;
let hiddenAt = 0;
let timer = 0;

function cover() {
  root.dataset.covered = "";
}

function uncover() {
  delete root.dataset.covered;
}

/** Leaves for the lock, from where one comes back to this page. */
export function goToLock() {
  cover();
  const back = encodeURIComponent(location.pathname + location.search);
  location.replace(`${LOCK}?return=${back}`);
}

/** The answer to what is being sent leads on by itself; two ways at once would cut each other off. */
function leave() {
  cover();
  if (document.querySelector("form[data-sending]")) setTimeout(check, SENDING_MILLISECONDS);
  else goToLock();
}

/** Asks whether the session is locked by now, and goes to the lock if so. The question keeps no session open. */
async function check() {
  let answer;
  try {
    answer = await fetch(LOCK, { headers: { Accept: "application/json" } });
    // That the session ended is told by what follows the stream.
    if (answer.status === 401) return "covered" in root.dataset && goToLock();
    if (!answer.ok) throw new Error(String(answer.status));
    if ((await answer.json()).locked) return leave();
    uncover();
  } catch {
    // Nobody can tell without a connection, or from a server in trouble: what was covered for its time stays so.
    if ("covered" in root.dataset) goToLock();
  }
}

/** Who types or scrolls uses the app, though the server hears nothing of it. */
function tellOfUse() {
  let toldAt = Date.now();
  const note = (event) => {
    // Scripts scroll and fill in fields, too.
    if (!event.isTrusted || document.hidden || Date.now() - toldAt < lockAfterMilliseconds / REQUESTS_PER_TIME) return;
    toldAt = Date.now();
    fetch(USED, { headers: { Accept: "application/json" } }).catch(() => {});
  };
  for (const kind of ["pointerdown", "keydown", "input", "wheel", "touchmove"]) {
    addEventListener(kind, note, { capture: true, passive: true });
  }
}

function wasAway() {
  return hiddenAt > 0 && Date.now() - hiddenAt >= lockAfterMilliseconds;
}

function watch() {
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (document.hidden) {
      hiddenAt = Date.now();
      // So that nothing flashes up when the page is looked at again.
      timer = setTimeout(cover, lockAfterMilliseconds);
      return;
    }
    if (wasAway()) {
      cover();
      check();
    }
    hiddenAt = 0;
  });
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    cover();
    check();
  });
}

if (document.body.dataset.liveStream) {
  // A passcode may be set while this tab is open: it is no new launch then.
  try {
    if (!("covered" in root.dataset)) sessionStorage.setItem(MARK, "open");
  } catch {
    // No storage: the server alone decides.
  }
  if (lockAfterMilliseconds) {
    watch();
    tellOfUse();
  }
  document.addEventListener("hw:change", ({ detail }) => {
    if (detail.kind === "session") check();
  });
}
