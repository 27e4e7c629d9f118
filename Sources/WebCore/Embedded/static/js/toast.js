// Short messages above the tab bar: shown for six seconds, longer while they are touched or read; a problem stays twice
// as long.
import { isCachedPage } from "./cached-page.js";
import { template, text } from "./strings.js";

const SHOWN_MILLISECONDS = 6_000;
const GAP_PIXELS = 8;
const NEXT = "toast-next";
const region = document.getElementById("toasts");
let lift = 0;
// A button that moves between the press and the release gets no click.
let isPressed = false;

// If the toasts would cover a button of the page, they move above it: a rejected form is usually corrected and sent
// again with that button. The same applies to the focused element of keyboard users. They don't move beyond the middle
// of the window.
function makeWay() {
  if (isPressed) return;
  const box = region.getBoundingClientRect();
  const bottom = box.bottom + lift;
  let wanted = 0;
  if (box.height > 0) {
    const boxes = [...document.querySelectorAll("main .button, main :focus-visible")].map((button) => button.getBoundingClientRect());
    boxes.sort((one, other) => other.bottom - one.bottom);
    for (const { top, bottom: end, height } of boxes) {
      const isBelow = end > bottom - wanted - box.height && top < bottom - wanted;
      if (height > 0 && isBelow) wanted = bottom - top + GAP_PIXELS;
    }
    if (bottom - wanted - box.height < innerHeight / 2) wanted = 0;
  }
  if (wanted === lift) return;
  lift = wanted;
  region.style.setProperty("translate", `0 ${-lift}px`);
}

let isPlanned = false;
function makeWaySoon() {
  if (isPlanned || !region?.childElementCount) return;
  isPlanned = true;
  requestAnimationFrame(() => {
    isPlanned = false;
    makeWay();
  });
}

document.addEventListener("scroll", makeWaySoon, { capture: true, passive: true });
window.addEventListener("resize", makeWaySoon);
document.addEventListener("htmx:afterSettle", makeWaySoon);
document.addEventListener("focusin", makeWaySoon);
// Other scripts add buttons, and toasts leave.
if (region) new ResizeObserver(makeWaySoon).observe(region);
region?.addEventListener("pointerdown", () => (isPressed = true));
for (const name of ["pointerup", "pointercancel"]) {
  window.addEventListener(name, () => {
    isPressed = false;
    makeWaySoon();
  });
}

function leave(element) {
  element.classList.add("is-leaving");
  element.addEventListener("transitionend", () => element.remove(), { once: true });
  setTimeout(() => element.remove(), 1_000);
}

function schedule(element, isProblem = false) {
  // A link takes longer to reach than a sentence takes to read.
  const isLong = isProblem || element.querySelector("a");
  const milliseconds = isLong ? 2 * SHOWN_MILLISECONDS : SHOWN_MILLISECONDS;
  let timer = setTimeout(leave, milliseconds, element);
  const hold = () => clearTimeout(timer);
  const release = () => {
    clearTimeout(timer);
    timer = setTimeout(leave, milliseconds, element);
  };
  element.addEventListener("pointerenter", hold);
  element.addEventListener("focusin", hold);
  element.addEventListener("pointerleave", release);
  element.addEventListener("focusout", release);
}

// A tap dismisses it, so that the content below can be reached at once.
region?.addEventListener("click", (event) => {
  const element = event.target.closest("[data-toast]");
  if (element && !event.target.closest("button, a")) leave(element);
});

export function toast({ text: words, problem = false, undoURL = null, undoLabel = null, linkURL = null, linkLabel = null }) {
  if (!words || !region) return;
  // A repeated message is shown once.
  for (const shown of region.querySelectorAll("[data-toast]")) {
    if (shown.querySelector("span")?.textContent === words) shown.remove();
  }
  const element = template("toast-template");
  element.querySelector("[data-text]").textContent = words;
  if (!problem) element.querySelector(".icon").remove();
  const undo = element.querySelector("[data-undo]");
  if (undoURL) {
    undo.action = undoURL;
    if (undoLabel) undo.querySelector("button").textContent = undoLabel;
  } else {
    undo.remove();
  }
  const link = element.querySelector("[data-link]");
  if (linkURL) {
    link.href = linkURL;
    link.textContent = linkLabel;
  } else {
    link.remove();
  }
  region.append(element);
  makeWay();
  schedule(element, problem);
}

// A request that was decided can't be taken back any more.
document.addEventListener("hw:change", (event) => {
  if (event.detail.kind !== "request") return;
  for (const form of region?.querySelectorAll("form") ?? []) {
    if (new URL(form.action).pathname === event.detail.resource) leave(form.closest("[data-toast]"));
  }
});

/** Shows a message on the next page. */
export function toastNext(message) {
  sessionStorage.setItem(NEXT, JSON.stringify(message));
}

// Toasts of a cached page are outdated.
for (const element of region?.querySelectorAll("[data-toast]") ?? []) {
  if (isCachedPage) element.remove();
  else schedule(element);
}
const brought = sessionStorage.getItem(NEXT);
sessionStorage.removeItem(NEXT);
if (brought) toast(JSON.parse(brought));
makeWaySoon();

// A response sends `HX-Trigger: {"toast":{"text":"…"}}`.
document.addEventListener("toast", (event) => toast(event.detail));

// An error of htmx is reported once, unless the response has its own message, or it was only a live update.
for (const name of /** @type {const} */ (["htmx:responseError", "htmx:sendError", "htmx:timeout"])) {
  document.addEventListener(name, (event) => {
    const { elt, xhr } = event.detail;
    if (xhr?.status === 401 || xhr?.status === 423) return location.reload();
    if (elt.hasAttribute("data-live") || xhr?.getResponseHeader("HX-Trigger")) return;
    toast({ text: text("failed"), problem: true });
  });
}
