// Rows that slide aside for a second action. The same action is on the detail page, for keyboards and screen readers,
// so it is hidden from them here.
import { enhance } from "./enhance.js";

const DIRECTION_PIXELS = 10;

enhance("[data-swipe]", (row) => {
  const actions = row.querySelector(".swipe-actions");
  if (!actions) return;
  actions.inert = true;
  const sign = getComputedStyle(row).direction === "rtl" ? 1 : -1;
  let start = null;
  let isSwiping = false;
  let offset = 0;

  const set = (isOpen) => {
    row.classList.toggle("is-open", isOpen);
    actions.inert = !isOpen;
    actions.style.transform = "";
  };

  row.addEventListener("touchstart", (event) => {
    const touch = event.touches[0];
    start = { x: touch.clientX, y: touch.clientY, wasOpen: row.classList.contains("is-open") };
    isSwiping = false;
  }, { passive: true });

  row.addEventListener("touchmove", (event) => {
    if (!start) return;
    const across = (event.touches[0].clientX - start.x) * sign;
    const down = Math.abs(event.touches[0].clientY - start.y);
    if (!isSwiping) {
      if (down > DIRECTION_PIXELS) start = null;
      if (!start || Math.abs(across) < DIRECTION_PIXELS) return;
      isSwiping = true;
      row.classList.add("is-swiping");
    }
    const width = actions.offsetWidth;
    offset = Math.min(width, Math.max(0, across + (start.wasOpen ? width : 0)));
    actions.style.transform = `translateX(${(offset - width) * sign}px)`;
  }, { passive: true });

  const end = () => {
    row.classList.remove("is-swiping");
    if (isSwiping) set(offset > actions.offsetWidth / 2);
    start = null;
  };
  row.addEventListener("touchend", end);
  row.addEventListener("touchcancel", end);
  // A swipe isn't a tap on the row.
  row.addEventListener("click", (event) => {
    if (isSwiping) event.preventDefault();
    else if (row.classList.contains("is-open") && !actions.contains(event.target)) {
      event.preventDefault();
      set(false);
    }
    isSwiping = false;
  }, true);
});
