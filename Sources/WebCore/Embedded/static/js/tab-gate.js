// Runs before a page, a download or a picture that a tab opens by its URL, and continues to it once lock-early.js has
// found the tab's mark.
(() => {
  const link = /** @type {HTMLAnchorElement} */ (document.querySelector("[data-tab-gate]"));
  // Another browser than those that report where a request comes from would only be redirected here again.
  const isReload = performance.getEntriesByType("navigation")[0]?.type === "reload";
  const isRepeated = document.referrer === link.href && !isReload;
  if ("covered" in document.documentElement.dataset || isRepeated) return;
  location.replace(link.href);
})();
