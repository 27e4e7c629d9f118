// Going back shows the list where it was left: by the browser's back button, and by the chevron.
const PREFIX = "scroll:";
const key = PREFIX + location.pathname + location.search;
const SETTLING_MILLISECONDS = 1_500;
const RETURN_MARK = "scroll-return";

addEventListener("pagehide", () => sessionStorage.setItem(key, String(Math.round(scrollY))));

function restore() {
  const wanted = Number(sessionStorage.getItem(key) ?? 0);
  if (wanted === 0) return;
  // What is still to appear above was there when the place was noted, so it must not push the page down now.
  document.documentElement.style.overflowAnchor = "none";
  setTimeout(() => (document.documentElement.style.overflowAnchor = ""), SETTLING_MILLISECONDS);
  scrollTo({ top: wanted, behavior: "instant" });
}

const navigation = performance.getEntriesByType("navigation")[0]?.type;
const isReturn = sessionStorage.getItem(RETURN_MARK) === location.pathname;
sessionStorage.removeItem(RETURN_MARK);
if (isReturn || navigation === "back_forward") restore();

document.addEventListener("click", (event) => {
  const back = event.target.closest?.("[data-back], [data-cancel]");
  if (!back || event.defaultPrevented || event.metaKey || event.ctrlKey) return;
  const target = new URL(back.href, location.href);
  sessionStorage.setItem(RETURN_MARK, target.pathname);
  // Where the parent is the page one came from, going back keeps the history as short as the way was.
  const from = window.navigation?.activation?.from?.url ?? document.referrer;
  if (from && from === target.href && history.length > 1) {
    event.preventDefault();
    history.back();
  }
});
