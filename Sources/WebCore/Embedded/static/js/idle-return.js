// A child's page on a shared tablet returns to the page of all children when it isn't used.
const IDLE_MILLISECONDS = 90_000;
const EVENTS = ["pointerdown", "keydown", "scroll"];

export function attach(element) {
  let timer;
  const start = () => {
    clearTimeout(timer);
    timer = setTimeout(() => location.assign(element.dataset.idleReturn), IDLE_MILLISECONDS);
  };
  for (const event of EVENTS) addEventListener(event, start, { passive: true });
  start();
}
