// Forms for repeated use, such as that of a message: one of several fields is enough, and a queued entry leaves them
// empty for the next one. data-empty-text: the message if nothing is entered.
function isFilled({ name, type, value, disabled }) {
  return Boolean(name) && name !== "idempotencyKey" && type !== "submit" && !disabled && value.trim() !== "";
}

/** Whether nothing is entered in such a form; its text field then has the message. */
export function isRefusedAsEmpty(form) {
  const message = form.dataset.emptyText;
  if (!message || [...form.elements].some((field) => "value" in field && isFilled(field))) return false;
  const field = form.querySelector("textarea");
  field.setAttribute("aria-invalid", "true");
  field.closest(".field").classList.add("is-invalid");
  field.closest(".field").querySelector(".field-error").textContent = message;
  field.focus();
  return true;
}

/** Empties such a form after its entry was queued. */
export function empty(form) {
  if (!form.dataset.emptyText) return;
  // After an error the entered text is the default.
  form.querySelector("textarea").defaultValue = "";
  form.reset();
}
