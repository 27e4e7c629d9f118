// Reports while typing that an amount exceeds the balance: data-funds (available minor units), data-funds-digits
// (decimals of the currency), data-funds-text (the message), data-funds-button (the id of the button that it disables).
// A live element with the id "funds" has a later balance: data-available, data-available-text and data-available-hint.

import { language } from "./strings.js";

const separators = { en: [".", ","], de: [",", "."], es: [",", "."], fr: [",", ""] };
const groupDigits = 3;

/** The minor units of an amount that a person typed, by the separators of the page's language, as the server reads it;
 * null if it can't be read, or could mean two amounts. */
export function minorUnits(typed, digits) {
  const [own, group] = separators[language.slice(0, 2)] ?? separators.en;
  const number = typed.trim().replace(/^(?:\p{Sc}|[A-Z]{3})|(?:\p{Sc}|[A-Z]{3})$/u, "").trim();
  const text = number.replace(/\s/gu, " ").replace(/\u2019/g, "'");
  if (!/^\d+(?:[.,' ]\d+)*$/.test(text)) return null;
  const marks = text.replace(/\d/g, "");
  const last = marks.at(-1);
  let isDecimal = false;
  if (last === "." || last === ",") {
    const [whole, rest] = text.split(last);
    const looksLikeGroup = rest.length === groupDigits && whole.length <= groupDigits && !whole.startsWith("0");
    if (marks.length > 1) isDecimal = marks.indexOf(last) === marks.length - 1;
    else if (last === own || !looksLikeGroup) isDecimal = true;
    else if (last !== group) return null;
  }
  const end = isDecimal ? text.lastIndexOf(last) : text.length;
  const groups = text.slice(0, end).split(/[.,' ]/);
  const isGrouped = groups.length === 1 ||
    (new Set(marks.slice(0, groups.length - 1)).size === 1 && /^[1-9]\d{0,2}$/.test(groups[0]) &&
      groups.slice(1).every((group) => group.length === groupDigits));
  const decimals = text.slice(end + 1);
  if (!isGrouped || decimals.length > digits) return null;
  return BigInt(groups.join("") + decimals.padEnd(digits, "0"));
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
