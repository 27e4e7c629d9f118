// Sheets and action sheets: opened by data-sheet="ID", closed by swipe, Escape, a tap outside, or their buttons. A
// sheet with entries asks first.
import { showModal } from "./dialogs.js";
import { enhance } from "./enhance.js";
import { askToDiscard, discardChanges, isChanged } from "./form.js";

const CLOSING_SPEED = 0.5;
const DIRECTION_PIXELS = 8;

export async function close(dialog, value = "") {
  const form = dialog.querySelector("form[data-changed]");
  if (isChanged(form) && !(await askToDiscard())) return false;
  if (form) discardChanges(form);
  dialog.close(value);
  return true;
}

function isOutside(dialog, event) {
  const box = dialog.getBoundingClientRect();
  return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
}

function closeByTap(dialog) {
  // Both ends of the tap count: one that starts inside and ends outside doesn't close.
  let beganOutside = false;
  dialog.addEventListener("pointerdown", (event) => {
    beganOutside = event.target === dialog && isOutside(dialog, event);
  });
  dialog.addEventListener("click", (event) => {
    if (beganOutside && event.target === dialog && isOutside(dialog, event)) close(dialog);
  });
  dialog.addEventListener("cancel", (event) => {
    if (event.target !== dialog) return;
    event.preventDefault();
    close(dialog);
  });
}

function closeBySwipe(dialog) {
  let start = null;
  let distance = 0;

  dialog.addEventListener("touchstart", (event) => {
    const isScrolled = dialog.scrollTop > 0;
    start = event.touches.length === 1 && !isScrolled ? { y: event.touches[0].clientY, at: event.timeStamp } : null;
    distance = 0;
  }, { passive: true });

  dialog.addEventListener("touchmove", (event) => {
    if (!start) return;
    distance = event.touches[0].clientY - start.y;
    if (distance < -DIRECTION_PIXELS && !dialog.classList.contains("is-dragged")) {
      start = null;
      return;
    }
    if (distance < DIRECTION_PIXELS) return;
    event.preventDefault();
    dialog.classList.add("is-dragged");
    dialog.style.transform = `translateY(${distance}px)`;
  }, { passive: false });

  const end = async (event) => {
    if (!start) return;
    const speed = distance / Math.max(1, event.timeStamp - start.at);
    const isMeant = distance > dialog.offsetHeight / 3 || (distance > 40 && speed > CLOSING_SPEED);
    start = null;
    dialog.classList.remove("is-dragged");
    dialog.style.transform = "";
    if (isMeant && event.type === "touchend") await close(dialog);
  };
  dialog.addEventListener("touchend", end);
  dialog.addEventListener("touchcancel", end);
}

export function prepare(dialog) {
  closeByTap(dialog);
  if (matchMedia("(max-width: 699px)").matches) closeBySwipe(dialog);
}

const CLOSING_MILLISECONDS = 400;

/** For dialogs made from a template: hidden from assistive technology at once, removed when their closing animation
 * ends. */
export function discard(dialog) {
  dialog.setAttribute("aria-hidden", "true");
  dialog.inert = true;
  setTimeout(() => dialog.remove(), CLOSING_MILLISECONDS);
}

// A parameter in the URL opens the sheet on arrival. A reload doesn't count as an arrival.
function openOnce(dialog) {
  const address = new URL(location.href);
  if (address.searchParams.has(dialog.dataset.sheetAuto)) {
    address.searchParams.delete(dialog.dataset.sheetAuto);
    history.replaceState(history.state, "", address);
  }
  showModal(dialog);
}

enhance("dialog.sheet, dialog.actions", (dialog) => {
  prepare(dialog);
  if (dialog.hasAttribute("data-sheet-auto")) openOnce(dialog);
});

enhance("[data-sheet]", (opener) => {
  opener.setAttribute("aria-haspopup", "dialog");
});

document.addEventListener("click", (event) => {
  const opener = event.target.closest?.("[data-sheet]");
  const dialog = opener && document.getElementById(opener.dataset.sheet);
  if (!dialog || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  // The target of an action sheet replaces it.
  const menu = opener.closest("dialog");
  dialog.dataset.openedFrom = menu?.id ?? dialog.id;
  opener.closest("dialog.actions")?.close();
  showModal(dialog);
});
