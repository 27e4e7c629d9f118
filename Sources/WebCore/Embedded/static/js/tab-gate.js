// Runs before a download or a picture that a tab opens by its URL, and continues to it once lock-early.js has found the
// tab's mark.
(() => {
  const link = /** @type {HTMLAnchorElement} */ (document.querySelector("[data-tab-gate]"));
  // A browser without a referrer would only be redirected here again.
  const isRepeated = document.referrer === link.href;
  if ("covered" in document.documentElement.dataset || isRepeated) return;
  location.replace(link.href);
})();
