// Reports while typing that an amount exceeds the balance: data-funds (available minor units), data-funds-digits
// (decimals of the currency), data-funds-text (the message), data-funds-button (the id of the button that it disables).
// A live element with the id "funds" has a later balance: data-available, data-available-text and data-available-hint.

/** The minor units of an amount that a person typed; null if it can't be read. */
export function minorUnits(typed, digits) {
  const match = /^\s*(\d+)(?:[.,](\d*))?\s*$/.exec(typed);
  if (!match) return null;
  const decimals = match[2] ?? "";
  if (decimals.length > digits) return null;
  return BigInt(match[1] + decimals.padEnd(digits, "0"));
}

export function watch(field) {
  const input = field.querySelector("input");
  const message = field.querySelector(".field-error");
  const button = document.getElementById(field.dataset.fundsButton);
  if (!input || !message || !button) return;
  const hint = field.querySelector(".field-hint");
  let reason = field.dataset.fundsText;

  const compare = () => {
    const amount = minorUnits(input.value, Number(field.dataset.fundsDigits));
    const isShort = amount !== null && amount > BigInt(field.dataset.funds);
    field.classList.toggle("is-invalid", isShort);
    // A custom error: its message stays as long as the amount is too high.
    input.setCustomValidity(isShort ? reason : "");
    if (isShort) {
      message.textContent = reason;
      input.setAttribute("aria-invalid", "true");
      button.setAttribute("aria-disabled", "true");
      button.dataset.reason = reason;
    } else {
      if (message.textContent === reason) {
        message.textContent = "";
        input.removeAttribute("aria-invalid");
      }
      button.removeAttribute("aria-disabled");
      delete button.dataset.reason;
    }
  };
  document.addEventListener("input", (event) => event.target === input && compare());
  if (input.value) compare();

  const source = document.getElementById("funds");
  if (!source) return;
  const follow = () => {
    const { available, availableText, availableHint } = source.dataset;
    // The server's message for a rejected form has the same words.
    if (message.textContent === reason) message.textContent = availableText;
    field.dataset.funds = available;
    field.dataset.fundsText = availableText;
    reason = availableText;
    if (hint) hint.textContent = availableHint;
    if (input.value && (message.textContent === "" || message.textContent === reason)) compare();
  };
  new MutationObserver(follow).observe(source, { attributeFilter: ["data-available"] });
}
