// Runs before the first paint where there is a passcode: a tab that was not let in is a new launch, and shows the lock.
(() => {
  const MARK = "homeward-tab";
  const FRESH = /(?:^|; )((?:__Host-)?homeward-fresh)=/;
  try {
    const fresh = document.cookie.match(FRESH)?.[1];
    if (fresh) document.cookie = `${fresh}=; Max-Age=0; Path=/; SameSite=Lax${fresh.startsWith("__Host-") ? "; Secure" : ""}`;
    // A window that one of our own pages opened is part of the same visit. A page that was reloaded, or has others behind
    // it, opened no window: it may stand in the place of one that could not be shown, and that nobody was let into.
    const isReload = performance.getEntriesByType("navigation")[0]?.type === "reload";
    const isOpened = history.length === 1 && !isReload && document.referrer.startsWith(`${location.origin}/`);
    if (fresh || isOpened || sessionStorage.getItem(MARK)) {
      sessionStorage.setItem(MARK, "open");
      return;
    }
  } catch {
    // Without storage every page would look like a launch; the server still locks what is left alone.
    return;
  }
  document.documentElement.dataset.covered = "";
  const back = encodeURIComponent(location.pathname + location.search);
  fetch("/lock/unlocking", { method: "DELETE", headers: { Accept: "application/json" } })
    .catch(() => {})
    .finally(() => location.replace(`/lock?return=${back}`));
})();
