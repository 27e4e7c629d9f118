// hx-swap="morph": changes a part of the page into the response instead of replacing it, so that focus, scroll
// position, unfinished entries and running animations survive a live update.
/* global htmx, morphdom */

function isBeingEdited(element) {
  if (!element.matches("input:not([type=hidden]), textarea, select")) return false;
  return element === document.activeElement || isChanged(element);
}

function isChanged(element) {
  if (element.matches("[type=checkbox], [type=radio]")) return element.checked !== element.defaultChecked;
  return element.defaultValue !== undefined && element.value !== element.defaultValue;
}

/** Keeps an element as it is; only its data attributes follow the server. */
function followData(kept, fresh) {
  for (const [name, value] of Object.entries(fresh.dataset)) {
    if (kept.dataset[name] !== value) kept.dataset[name] = value;
  }
}

const options = {
  getNodeKey: (node) => node.id || undefined,
  onBeforeElUpdated(from, to) {
    if (from.hasAttribute("data-keep")) {
      followData(from, to);
      return false;
    }
    if (isBeingEdited(from)) return false;
    // A form with entries still asks before it is left, one that is being sent stays busy, and sending it again is the
    // same change.
    for (const name of ["data-changed", "data-sending", "aria-busy"]) {
      const isHeld = from.hasAttribute(name) && from.matches("form, form[data-sending] button");
      if (isHeld) to.setAttribute(name, from.getAttribute(name));
    }
    if (from.matches("form:is([data-changed], [data-sending]) [name=idempotencyKey]")) return false;
    // An invalid field is still to be corrected; only the response to the submission marked it.
    if (from.matches(".field.is-invalid") && to.matches(".field:not(.is-invalid)")) return false;
    if (from.matches("dialog, details") && from.open) to.setAttribute("open", "");
    // An element that a script focused can keep the focus.
    const isPlaceOfFocus = from === document.activeElement && from.hasAttribute("tabindex");
    if (isPlaceOfFocus) to.setAttribute("tabindex", from.getAttribute("tabindex"));
    // The text of a time is the reader's (it ticks, or was expanded); only its instant is the server's.
    if (from.matches("time[data-relative], time[data-exact]")) {
      followData(from, to);
      if (from.dateTime !== to.dateTime) from.dateTime = to.dateTime;
      return false;
    }
    return !from.isEqualNode(to);
  },
};

/** Returns the focus to an element that was moved. If it is gone, the nearest part around it gets the focus. */
function keepFocus(around, tabindex) {
  if (around.length === 0 || document.activeElement === around[0]) return;
  if (around[0].isConnected) {
    if (tabindex !== null) around[0].setAttribute("tabindex", tabindex);
    around[0].focus({ preventScroll: true });
    return;
  }
  const place = around.find((one) => one.isConnected);
  if (!place) return;
  if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

export function morph(target, source) {
  const around = [];
  for (let one = document.activeElement; target.contains(one); one = one.parentElement) around.push(one);
  const tabindex = around[0]?.getAttribute("tabindex") ?? null;
  const changed = morphdom(target, source, options);
  keepFocus(around, tabindex);
  return changed;
}

htmx.defineExtension("morph", {
  isInlineSwap: (style) => style === "morph",
  handleSwap(style, target, fragment) {
    if (style !== "morph") return false;
    const source = fragment.firstElementChild;
    if (!source) {
      target.remove();
      return [];
    }
    return [morph(target, source)];
  },
});
