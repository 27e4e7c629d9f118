// Runs before the first paint if there is a passcode: a tab without the mark is a new launch, and shows the lock
// screen.
(() => {
  const MARK = "homeward-tab";
  const FRESH = /(?:^|; )((?:__Host-)?homeward-fresh)=/;
  try {
    const fresh = document.cookie.match(FRESH)?.[1];
    if (fresh) document.cookie = `${fresh}=; Max-Age=0; Path=/; SameSite=Lax${fresh.startsWith("__Host-") ? "; Secure" : ""}`;
    // A window that one of our pages opened is part of the same visit. A reloaded page, or one with a history, isn't a
    // new window: it may replace a page that was never unlocked.
    const isReload = performance.getEntriesByType("navigation")[0]?.type === "reload";
    const isOpened = history.length === 1 && !isReload && document.referrer.startsWith(`${location.origin}/`);
    if (fresh || isOpened || sessionStorage.getItem(MARK)) {
      sessionStorage.setItem(MARK, "open");
      return;
    }
  } catch {
    // Without storage every page would look like a launch; the server still locks inactive sessions.
    return;
  }
  document.documentElement.dataset.covered = "";
  const back = encodeURIComponent(location.pathname + location.search);
  fetch("/lock/unlocking", { method: "DELETE", headers: { Accept: "application/json" } })
    .catch(() => {})
    .finally(() => location.replace(`/lock?return=${back}`));
})();
