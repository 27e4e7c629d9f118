// The lock in open pages: hides the content as soon as the session is locked, here or elsewhere.
const root = document.documentElement;
const MILLISECONDS_PER_MINUTE = 60_000;
const SENDING_MILLISECONDS = 1_000;
const MARK = "homeward-tab";
const LOCK = "/lock";
const USED = "/account";
// The number of requests that an active page sends in each lock period.
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

/** Goes to the lock screen, which returns to this page. */
export function goToLock() {
  cover();
  const back = encodeURIComponent(location.pathname + location.search);
  location.replace(`${LOCK}?return=${back}`);
}

/** The response to a form that is being sent navigates by itself; a second navigation would cancel it. */
function leave() {
  cover();
  if (document.querySelector("form[data-sending]")) setTimeout(check, SENDING_MILLISECONDS);
  else goToLock();
}

/** Requests the lock's state, and goes to the lock screen if the session is locked. The request doesn't postpone the
 * lock. */
async function check() {
  let answer;
  try {
    answer = await fetch(LOCK, { headers: { Accept: "application/json" } });
    // The stream's handler reports that the session ended.
    if (answer.status === 401) return "covered" in root.dataset && goToLock();
    if (!answer.ok) throw new Error(String(answer.status));
    if ((await answer.json()).locked) return leave();
    uncover();
  } catch {
    // Without a connection, or if the server has a problem, the state is unknown: covered content stays covered.
    if ("covered" in root.dataset) goToLock();
  }
}

/** Typing, tapping and scrolling postpone the automatic lock. Loading a page does, too; what the page requests by itself
 * doesn't. */
function tellOfUse() {
  let toldAt = Date.now();
  const note = (event) => {
    // Scripts scroll and fill in fields, too.
    if (!event.isTrusted || document.hidden || Date.now() - toldAt < lockAfterMilliseconds / REQUESTS_PER_TIME) return;
    toldAt = Date.now();
    fetch(USED, { headers: { Accept: "application/json", "Homeward-Activity": "1" } }).catch(() => {});
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
      // Prevents the content from flashing when the page becomes visible again.
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
  // A passcode may be set while this tab is open. That isn't a new launch.
  try {
    if (!("covered" in root.dataset)) sessionStorage.setItem(MARK, "open");
  } catch {
    // Without storage, only the server decides.
  }
  if (lockAfterMilliseconds) {
    watch();
    tellOfUse();
  }
  document.addEventListener("hw:change", ({ detail }) => {
    if (detail.kind === "session") check();
  });
}
