// Hides a field's message as soon as the field is valid, as far as a browser can check, and shows it again when it
// isn't. Other errors, for example an email that is taken, are unknown once the field is changed.
const CONTROL = /\p{Cc}/u;
const CONTROL_IN_LINES = /[^\P{Cc}\n\r\t]/u;
const lifted = new WeakMap();

/** Whether the browser can tell that a field is invalid. */
export function isWrong({ validity, value, tagName }) {
  if (validity && !validity.valid) return true;
  return (tagName === "TEXTAREA" ? CONTROL_IN_LINES : CONTROL).test(value ?? "");
}

function messageOf(field) {
  const ids = field.getAttribute("aria-describedby")?.split(/\s+/) ?? [];
  const described = ids.map((id) => document.getElementById(id)).find((one) => one?.matches(".field-error"));
  return described ?? field.closest(".field")?.querySelector(".field-error");
}

function mark(field, isInvalid) {
  if (isInvalid) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
  field.closest(".field")?.classList.toggle("is-invalid", isInvalid);
}

/** Removes the mark and the message of a field. */
export function clear(field) {
  const message = messageOf(field);
  mark(field, false);
  if (!message?.textContent) return;
  lifted.set(field, message.textContent);
  message.textContent = "";
}

function judge(field) {
  if (field.getAttribute("aria-invalid") === "true") {
    if (!isWrong(field)) clear(field);
  } else if (lifted.has(field) && isWrong(field)) {
    mark(field, true);
    messageOf(field).textContent = lifted.get(field);
    lifted.delete(field);
  }
}

/** The message of a group of choices disappears with the first choice. */
function judgeGroup(field) {
  const message = field.closest("fieldset")?.querySelector(":scope > .field-error");
  if (message) message.textContent = "";
}

function changed({ target }) {
  if (!target.matches?.("input, select, textarea")) return;
  judge(target);
  if (target.matches("[type=radio], [type=checkbox]")) judgeGroup(target);
}

document.addEventListener("input", changed);
document.addEventListener("change", changed);
