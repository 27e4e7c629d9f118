// Pull to refresh on pages with data-refreshable: refreshes the live parts instead of reloading the page.
import { refreshAll } from "./live.js";

const TRIGGER_PIXELS = 72;
const LIMIT_PIXELS = 110;
const mark = document.getElementById("pull-mark");

if (mark && document.body.hasAttribute("data-refreshable")) {
  document.documentElement.classList.add("pulls");
  let start = null;
  let distance = 0;

  const show = (pixels) => {
    mark.style.opacity = String(Math.min(1, pixels / TRIGGER_PIXELS));
    mark.style.transform = `translateY(${pixels - 60}px) rotate(${pixels * 3}deg)`;
  };
  const hide = () => {
    mark.classList.remove("is-busy");
    mark.style.opacity = "";
    mark.style.transform = "";
  };

  addEventListener("touchstart", (event) => {
    const isFree = scrollY <= 0 && event.touches.length === 1 && !event.target.closest("dialog, .map, input, .pane");
    start = isFree ? { x: event.touches[0].clientX, y: event.touches[0].clientY } : null;
    distance = 0;
  }, { passive: true });

  addEventListener("touchmove", (event) => {
    if (!start) return;
    const across = Math.abs(event.touches[0].clientX - start.x);
    const down = event.touches[0].clientY - start.y;
    if (down < 0 || across > down) {
      start = null;
      return hide();
    }
    // The resistance grows with the distance.
    distance = LIMIT_PIXELS * (1 - Math.exp(-down / LIMIT_PIXELS));
    show(distance);
  }, { passive: true });

  addEventListener("touchend", async () => {
    if (!start) return;
    start = null;
    if (distance < TRIGGER_PIXELS) return hide();
    mark.classList.add("is-busy");
    show(TRIGGER_PIXELS);
    await refreshAll();
    hide();
  });
  addEventListener("touchcancel", hide);
}
