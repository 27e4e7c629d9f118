// Shows the newest messages: when the page opens, and when one arrives while the reader is at the end.
const NEAR_PIXELS = 120;

/** The last part that belongs to the conversation: the form, or the messages without one. */
const end = (log) => document.getElementById("message-form") ?? log;

const isAtEnd = (log) => end(log).getBoundingClientRect().bottom <= innerHeight + NEAR_PIXELS;

export function attach(log) {
  const show = () => end(log).scrollIntoView({ block: "end", behavior: "instant" });
  let wasAtEnd = true;
  addEventListener("scroll", () => (wasAtEnd = isAtEnd(log)), { passive: true });
  new MutationObserver(() => {
    if (log.isConnected && wasAtEnd) show();
  }).observe(log, { childList: true, subtree: true });
  // Photos get their height when they are loaded.
  log.addEventListener("load", () => wasAtEnd && show(), { capture: true });
  // Going back shows the former position.
  if (performance.getEntriesByType("navigation")[0]?.type !== "back_forward") show();
}
