// A day means its end in the reader's time zone: data-day-end="ID" on a date field fills the hidden field ID with that
// instant.

/** The first instant of the day after `day` (YYYY-MM-DD) in this time zone, or "" for no day. */
export function endOf(day) {
  const [year, month, date] = day.split("-").map(Number);
  if (!year || !month || !date) return "";
  return new Date(year, month - 1, date + 1).toISOString();
}

export function attach(field) {
  const hidden = /** @type {HTMLInputElement} */ (document.getElementById(field.dataset.dayEnd));
  if (!hidden) return;
  const fill = () => (hidden.value = endOf(field.value));
  field.addEventListener("input", fill);
  field.addEventListener("change", fill);
  fill();
}
