// A link that loads more of a list: moves the focus to the first new entry. The link is then after it or removed, so
// that keyboard users would lose their place.
const ROWS = "main :is(li, tbody tr)";
const known = new WeakMap();

document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  const link = detail.requestConfig.elt;
  if (link.matches(".more > a") && link === document.activeElement) known.set(link, new Set(document.querySelectorAll(ROWS)));
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const link = detail.requestConfig?.elt;
  const before = known.get(link);
  known.delete(link);
  if (!before) return;
  const rows = [...document.querySelectorAll(ROWS)];
  // New entries at the top don't count.
  const first = rows.findLast((row, number) => !before.has(row) && before.has(rows[number - 1]));
  const active = document.activeElement;
  // If the focus has moved elsewhere, it stays there.
  if (!first || (active !== link && !active?.contains(first))) return;
  first.tabIndex = -1;
  first.focus({ preventScroll: true });
});
