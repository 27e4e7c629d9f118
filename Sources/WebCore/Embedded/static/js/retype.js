// The server never sends a password back. If a form returns because of another field, the entered password is filled in
// again; without scripts, the field asks for it.
import { clear } from "./messages.js";

/** The passwords in a part of the page, by the names of their fields. */
export function passwords(part) {
  return new Map([...part.querySelectorAll("input[type=password][name]")].map(({ name, value }) => [name, value]));
}

/** Fills passwords into the fields of the new part that ask for them again. */
export function retype(part, typed) {
  for (const field of part.querySelectorAll("input[data-retype]")) {
    const value = typed.get(field.name);
    if (!value) continue;
    field.value = value;
    clear(field);
  }
}

// The same for forms that htmx sends.
let held = null;
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const form = detail.target.closest?.("form") ?? detail.target;
  held = form.querySelector?.("input[type=password]") ? passwords(form) : null;
});
document.addEventListener("htmx:afterSwap", () => {
  if (held) retype(document, held);
  held = null;
});
