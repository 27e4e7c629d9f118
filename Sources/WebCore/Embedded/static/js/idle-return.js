// A child's page on a shared tablet returns to the page of all children when it isn't used.
const IDLE_MILLISECONDS = 90_000;
const EVENTS = ["pointerdown", "keydown", "scroll", "focusin"];

export function attach(element) {
  let usedAt = Date.now();
  let timer;
  const leave = () => location.assign(element.dataset.idleReturn);
  const use = () => {
    usedAt = Date.now();
    clearTimeout(timer);
    timer = setTimeout(leave, IDLE_MILLISECONDS);
  };
  // A tablet that sleeps stops its timers.
  const wake = () => {
    if (!document.hidden && Date.now() - usedAt >= IDLE_MILLISECONDS) leave();
  };
  for (const event of EVENTS) addEventListener(event, use, { passive: true });
  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", wake);
  use();
}
