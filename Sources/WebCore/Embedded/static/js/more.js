// A link that fetches more of a list: the focus goes to the first of what came. The link itself stands after that, or made
// way for it, and whoever has no pointer would go on from nowhere.
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
  // What has come in meanwhile stands above all that was there.
  const first = rows.findLast((row, number) => !before.has(row) && before.has(rows[number - 1]));
  const active = document.activeElement;
  // Who has gone on to something else meanwhile stays there.
  if (!first || (active !== link && !active?.contains(first))) return;
  first.tabIndex = -1;
  first.focus({ preventScroll: true });
});
