// The ticked steps of a chore stay on this device while the page is left, also without a connection, until the chore is
// sent or queued. Entries of other people and old ones are removed.
const PREFIX = "steps:";
const KEPT_MILLISECONDS = 3 * 24 * 60 * 60 * 1_000;

/** The ticked steps of an entry of the storage; null if it is unreadable or too old. */
export function stepsOf(entry, now = Date.now()) {
  try {
    const { at, steps } = JSON.parse(entry);
    return now - at < KEPT_MILLISECONDS && Array.isArray(steps) ? steps : null;
  } catch {
    return null;
  }
}

export function attach(form) {
  const own = `${PREFIX}${document.body.dataset.person}:`;
  for (const name of Object.keys(localStorage)) {
    if (!name.startsWith(PREFIX)) continue;
    if (!name.startsWith(own) || !stepsOf(localStorage.getItem(name))) localStorage.removeItem(name);
  }
  const key = own + form.dataset.steps;
  const boxes = [...form.querySelectorAll('input[name="steps"]')];
  const kept = new Set(stepsOf(localStorage.getItem(key)) ?? []);
  for (const box of boxes) box.checked ||= kept.has(box.value);
  form.addEventListener("change", () => {
    const steps = boxes.filter((box) => box.checked).map((box) => box.value);
    try {
      localStorage.setItem(key, JSON.stringify({ at: Date.now(), steps }));
    } catch {
      // If the storage is full, only the ticks are lost.
    }
  });
  document.addEventListener("hw:sent", ({ detail }) => {
    if (detail.element === form) localStorage.removeItem(key);
  });
}
