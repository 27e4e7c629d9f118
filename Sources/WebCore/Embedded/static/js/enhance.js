// Runs a function once for each element that matches, now and whenever a part of the page is replaced.
const rules = [];
const seen = new WeakMap();

function apply(rule, root) {
  const elements = root.matches?.(rule.selector) ? [root] : [];
  for (const element of [...elements, ...root.querySelectorAll(rule.selector)]) {
    const done = seen.get(element) ?? new Set();
    if (done.has(rule)) continue;
    seen.set(element, done.add(rule));
    rule.start(element);
  }
}

export function enhance(selector, start) {
  const rule = { selector, start };
  rules.push(rule);
  apply(rule, document);
}

/** For parts that our scripts insert into the page; htmx reports its own. */
export function enhanceAll(root) {
  for (const rule of rules) apply(rule, root);
}

document.addEventListener("htmx:load", (event) => enhanceAll(event.detail.elt));
