// What is being typed into a form that asks before it is left (data-guard) survives a reload, a crash and a session that
// ended: kept in this tab alone, for this person alone, until it is sent or discarded. Never what is secret.
import { enhance } from "./enhance.js";
import { text } from "./strings.js";
import { toast } from "./toast.js";

const PREFIX = "draft:";
const SECRET = /pass|code|secret|pin|token/i;
const SECRET_TYPES = ["password", "file", "submit", "button", "reset", "image"];
const owner = document.body.dataset.person ?? "";
// A form that comes back with errors starts from what was typed; the draft still starts from what the server had.
const bases = new Map();

function isKept(field) {
  if (!field.name || SECRET_TYPES.includes(field.type) || field.closest("[data-no-draft]")) return false;
  if (field.type === "hidden" && !field.matches("[data-photo-id]")) return false;
  return !SECRET.test(field.name) && !/password|one-time-code/.test(field.autocomplete ?? "");
}

export function isTickable(field) {
  return field.type === "checkbox" || field.type === "radio";
}

/** What the form holds: a list, as several fields may share a name. */
export function snapshot(form) {
  const fields = [...form.elements].filter(isKept);
  return fields.map((field) => [field.name, isTickable(field) ? [field.value, field.checked] : field.value]);
}

function key(form) {
  return `${PREFIX}${location.pathname}#${form.id}`;
}

function read(form) {
  try {
    return JSON.parse(sessionStorage.getItem(key(form)));
  } catch {
    return null;
  }
}

/** Makes what is sent again the same change, also after the page was loaded anew in between. */
function changeKey(form) {
  return form.elements.namedItem("idempotencyKey");
}

function keep(form) {
  const draft = {
    owner, base: bases.get(key(form)), values: snapshot(form), changeKey: changeKey(form)?.value,
    hasPhoto: form.querySelector("[data-photo-file]:enabled") !== null,
  };
  try {
    sessionStorage.setItem(key(form), JSON.stringify(draft));
  } catch {
    // A full store costs the draft, not the form.
  }
}

export function forget(form) {
  sessionStorage.removeItem(key(form));
}

export function forgetAll() {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  }
}

/** Another person's tab now: what was left in it is not theirs. */
function forgetOthers() {
  for (const [name, value] of Object.entries(sessionStorage)) {
    if (name.startsWith(PREFIX) && owner && !value.startsWith(`{"owner":"${owner}"`)) sessionStorage.removeItem(name);
  }
}

function restore(form, { values, changeKey: lastKey, hasPhoto }) {
  // A file is in no draft.
  if (hasPhoto) form.querySelector("[data-photo-error]").textContent = text("photoAgain");
  const field = changeKey(form);
  if (field && lastKey) field.value = lastKey;
  const fields = [...form.elements].filter(isKept);
  fields.forEach((field, index) => {
    const value = values[index][1];
    if (isTickable(field)) field.checked = value[1];
    else field.value = value;
    if (field.matches("[data-photo-id]")) field.dataset.restored = "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  form.setAttribute("data-changed", "");
  toast({ text: text("draftRestored") });
}

forgetOthers();

enhance("form[data-guard]", (form) => {
  const shown = JSON.stringify(snapshot(form));
  if (!bases.has(key(form))) {
    bases.set(key(form), shown);
    const draft = read(form);
    // The thing was changed elsewhere meanwhile, or this tab is somebody else's now: the draft has no place here.
    const fits = draft?.owner === owner && draft.base === shown && draft.values.length === snapshot(form).length;
    if (!fits) forget(form);
    else if (draft.hasPhoto || JSON.stringify(draft.values) !== shown) restore(form, draft);
  }
  form.addEventListener("input", () => keep(form));
  form.addEventListener("change", () => keep(form));
  // By now it has a key (form.js), and what became of it may never be known here.
  form.addEventListener("submit", () => keep(form));
});
