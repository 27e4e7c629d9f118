// Going back shows a list at its previous scroll position: by the browser's back button, and by the chevron.
const PREFIX = "scroll:";
const key = PREFIX + location.pathname + location.search;
const SETTLING_MILLISECONDS = 1_500;
const RETURN_MARK = "scroll-return";
const FOCUS_MARK = "focus-return";
const NEXT_MARK = "focus-next";
const ENTRY_ACTION = ":is(form button, a.button)";

addEventListener("pagehide", () => sessionStorage.setItem(key, String(Math.round(scrollY))));

function restore() {
  const wanted = Number(sessionStorage.getItem(key) ?? 0);
  if (wanted === 0) return;
  // Content that is still to appear above was there when the position was stored, so it must not shift the page now.
  document.documentElement.style.overflowAnchor = "none";
  setTimeout(() => (document.documentElement.style.overflowAnchor = ""), SETTLING_MILLISECONDS);
  scrollTo({ top: wanted, behavior: "instant" });
}

const navigation = performance.getEntriesByType("navigation")[0]?.type;
const isReturn = sessionStorage.getItem(RETURN_MARK) === location.pathname;
sessionStorage.removeItem(RETURN_MARK);
if (isReturn || navigation === "back_forward") restore();
const opener = sessionStorage.getItem(FOCUS_MARK);
sessionStorage.removeItem(FOCUS_MARK);
if (isReturn && opener) openersOf(opener)[0]?.focus({ preventScroll: true });
const nextEntries = JSON.parse(sessionStorage.getItem(NEXT_MARK) ?? "[]");
sessionStorage.removeItem(NEXT_MARK);
if (isReturn && nextEntries.length > 0) {
  const actions = nextEntries.map((id) => document.getElementById(id)?.querySelector(ENTRY_ACTION));
  const next = actions.find((action) => action?.checkVisibility()) ?? document.getElementById("main");
  next.focus({ preventScroll: true });
}

/** The links outside of dialogs that open a sheet. */
function openersOf(sheet) {
  return [...document.querySelectorAll(`[data-sheet="${CSS.escape(sheet)}"]`)].filter((one) => !one.closest("dialog"));
}

/** The sheet of the page that led to a dialog, maybe by another sheet; "" for none. */
function outermost(dialog) {
  if (!dialog?.id) return "";
  const { openedFrom } = dialog.dataset;
  if (openedFrom ? openedFrom === dialog.id : openersOf(dialog.id).length > 0) return dialog.id;
  const within = openedFrom
    ? document.getElementById(openedFrom)
    : document.querySelector(`dialog [data-sheet="${CSS.escape(dialog.id)}"]`)?.closest("dialog");
  return within && within !== dialog ? outermost(within) : "";
}

// The entries of a list after one whose form was sent, and then those before it: the form's own may disappear.
const neighbours = new WeakMap();
document.addEventListener("submit", ({ target: form }) => {
  const entry = form.closest("li[id]");
  if (!entry) return;
  const entries = [...document.querySelectorAll("main li[id]")].filter((one) => one.querySelector(ENTRY_ACTION));
  const place = entries.indexOf(entry);
  neighbours.set(form, [...entries.slice(place + 1), ...entries.slice(0, place).reverse()].map(({ id }) => id));
}, true);

/** Before a form's response navigates to `place`: if that is this page, it opens at its current scroll position, and
 * the focus returns to the element that opened the form's sheet, or moves to the next entry of the form's list. */
export function keepPlace(place, form) {
  const target = new URL(place, location.href);
  if (target.hash || target.pathname + target.search !== location.pathname + location.search) return;
  sessionStorage.setItem(RETURN_MARK, target.pathname);
  sessionStorage.setItem(FOCUS_MARK, outermost(form.closest("dialog")));
  sessionStorage.setItem(NEXT_MARK, JSON.stringify(neighbours.get(form) ?? []));
}

document.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
  const place = detail.xhr.getResponseHeader("HX-Redirect");
  if (place) keepPlace(place, detail.elt);
});

document.addEventListener("click", (event) => {
  const back = /** @type {HTMLAnchorElement} */ (event.target.closest?.("[data-back], [data-cancel]"));
  if (!back || event.defaultPrevented || event.metaKey || event.ctrlKey) return;
  const target = new URL(back.href, location.href);
  sessionStorage.setItem(RETURN_MARK, target.pathname);
  // If the previous page is the parent, going back keeps the history short.
  const from = window.navigation?.activation?.from?.url ?? document.referrer;
  if (from && from === target.href && history.length > 1) {
    event.preventDefault();
    history.back();
  }
});
