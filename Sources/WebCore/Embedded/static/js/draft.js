// Entries in a form that asks before it is left (data-guard) survive a reload, a crash and a session that ended: they
// are stored in this tab for this person, until the form is sent or discarded. Secrets are never stored.
import { enhance } from "./enhance.js";
import { text } from "./strings.js";
import { toast } from "./toast.js";

const PREFIX = "draft:";
const SECRET = /pass|code|secret|pin|token/i;
const SECRET_TYPES = ["password", "file", "submit", "button", "reset", "image"];
const owner = document.body.dataset.person ?? "";
// A form that returns with errors starts from the entered values; the draft still starts from the server's values.
const bases = new Map();
// Drafts of forms to which a script adds rows first.
const waiting = new WeakMap();

function isKept(field) {
  if (!field.name || SECRET_TYPES.includes(field.type) || field.closest("[data-no-draft]")) return false;
  if (field.type === "hidden" && !field.matches("[data-photo-id]")) return false;
  return !SECRET.test(field.name) && !/password|one-time-code/.test(field.autocomplete ?? "");
}

export function isTickable(field) {
  return field.type === "checkbox" || field.type === "radio";
}

/** The values of a form: a list, because several fields can share a name. */
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

/** The field that identifies the change, so that sending it again is the same change, also after a reload. */
function changeKey(form) {
  return form.elements.namedItem("idempotencyKey");
}

function keep(form) {
  const draft = {
    owner, base: bases.get(key(form)), values: snapshot(form), changeKey: changeKey(form)?.value,
    hasPhoto: !isKeptWhole(form),
  };
  try {
    sessionStorage.setItem(key(form), JSON.stringify(draft));
  } catch {
    // If the storage is full, only the draft is lost.
  }
}

/** Whether a draft contains all entries: it contains no photo that isn't uploaded yet. */
export function isKeptWhole(form) {
  return form.querySelector("[data-photo-file]:enabled") === null;
}

export function forget(form) {
  sessionStorage.removeItem(key(form));
}

export function forgetAll() {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  }
}

/** Deletes drafts of another person in this tab. */
function forgetOthers() {
  for (const [name, value] of Object.entries(sessionStorage)) {
    if (name.startsWith(PREFIX) && owner && !value.startsWith(`{"owner":"${owner}"`)) sessionStorage.removeItem(name);
  }
}

function restore(form, { values, changeKey: lastKey, hasPhoto }) {
  // Drafts contain no files.
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

/** The values of a draft that waits for more rows; null without one. */
export function waitingValues(form) {
  return waiting.get(form)?.values ?? null;
}

/** Restores a draft that waited, once the form has its rows. */
export function restoreWaiting(form) {
  const draft = waiting.get(form);
  waiting.delete(form);
  if (draft.values.length !== snapshot(form).length) forget(form);
  else if (JSON.stringify(draft.values) !== JSON.stringify(snapshot(form))) restore(form, draft);
}

forgetOthers();

enhance("form[data-guard]", (form) => {
  const shown = JSON.stringify(snapshot(form));
  if (!bases.has(key(form))) {
    bases.set(key(form), shown);
    const draft = read(form);
    // If the resource was changed elsewhere, or another person uses this tab, the draft doesn't apply.
    const applies = draft?.owner === owner && draft.base === shown;
    if (applies && form.querySelector("[data-level-rows]")) waiting.set(form, draft);
    else if (!applies || draft.values.length !== snapshot(form).length) forget(form);
    else if (draft.hasPhoto || JSON.stringify(draft.values) !== shown) restore(form, draft);
  }
  form.addEventListener("input", () => keep(form));
  form.addEventListener("change", () => keep(form));
  // The change now has a key (form.js), and its result may never be known here.
  form.addEventListener("submit", () => keep(form));
});
