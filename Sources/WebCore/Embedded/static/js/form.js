// For every form: a key that makes repeated sending harmless, one submission at a time, a confirmation before data is
// destroyed or entries are lost, entries that survive a lost connection, and focus on the first invalid field.
import { forget, forgetAll, isKeptWhole } from "./draft.js";
import { empty, isRefusedAsEmpty } from "./empty-form.js";
import { enhance } from "./enhance.js";
import { announce, announceLeaving } from "./leaving.js";
import { ask } from "./question.js";
import { isForBrowser, send } from "./send.js";
import { isolated, text } from "./strings.js";
import { toast } from "./toast.js";
import { leave } from "./waiting.js";

const NEW_VERSION_MILLISECONDS = 5_000;
const confirmed = new WeakSet();
const holds = new WeakMap();
const changedBefore = new WeakMap();
const notes = new WeakMap();

/** Holds a form back until `promise` is settled, for example while a photo is uploaded. */
export function holdWhile(form, promise) {
  const settled = promise.catch(() => {}).finally(() => holds.get(form) === settled && holds.delete(form));
  holds.set(form, settled);
}

/** Replaces the note of the question that a form or a button asks; null restores it. */
export function setNote(source, note) {
  notes.set(source, note);
}

function isPost(form) {
  return form.method === "post";
}

function submitters(form) {
  const outside = form.id ? document.querySelectorAll(`button[form="${CSS.escape(form.id)}"]`) : [];
  return [...form.querySelectorAll("button:not([type=button])"), ...outside];
}

function setBusy(form, isBusy) {
  form.toggleAttribute("data-sending", isBusy);
  for (const button of submitters(form)) {
    if (isBusy) button.setAttribute("aria-busy", "true");
    else button.removeAttribute("aria-busy");
  }
}

function fillKey(form) {
  const key = form.elements.namedItem("idempotencyKey");
  if (key && !key.value) key.value = crypto.randomUUID?.() ?? randomKey();
}

/** crypto.randomUUID exists on secure origins only; a home network may be served without TLS. */
function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function question(form, submitter) {
  const source = submitter?.hasAttribute("data-confirm") ? submitter : form;
  if (!source.hasAttribute("data-confirm")) return null;
  const { confirm: title, confirmValue: name } = source.dataset;
  return {
    // The field of that name replaces its placeholder in the question.
    title: name ? title.replace(`{${name}}`, () => isolated(form.elements.namedItem(name).value.trim())) : title,
    note: notes.get(source) ?? source.dataset.confirmNote,
    yes: source.dataset.confirmLabel,
    no: source.dataset.confirmKeep,
    isDanger: source.hasAttribute("data-confirm-danger"),
  };
}

/** The effect of sending a form, for comparison. Without its key, which each update of the page replaces. */
function purpose(form, submitter) {
  const isOfAnUpdate = (field) => field.type === "hidden" && field.name !== "idempotencyKey";
  return JSON.stringify([
    submitter?.getAttribute("formaction") ?? form.getAttribute("action"), submitter?.name, submitter?.value,
    question(form, submitter), [...form.elements].filter(isOfAnUpdate).map(({ name, value }) => [name, value]),
  ]);
}

/** Asks for confirmation. A live update can remove or replace the form while the question is open. Confirming would
 * then apply to something else, so the question closes and nothing is sent. */
async function mayBeSent(form, submitter, asked) {
  const wanted = purpose(form, submitter);
  const isStillWanted = () =>
    form.isConnected && (submitter?.isConnected ?? true) && purpose(form, submitter) === wanted;
  const overtaken = new AbortController();
  const watch = new MutationObserver(() => isStillWanted() || overtaken.abort());
  watch.observe(document.body, { subtree: true, childList: true, attributes: true });
  const isYes = await ask({ ...asked, signal: overtaken.signal });
  watch.disconnect();
  if (isStillWanted()) return isYes;
  toast({ text: text("changedElsewhere"), problem: true });
  return false;
}

// In the capture phase, so that htmx doesn't see a submission that must not be sent.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!isPost(form)) return;
  if (form.hasAttribute("data-sending")) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  if (holds.has(form)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    const submitter = event.submitter;
    setBusy(form, true);
    await holds.get(form);
    setBusy(form, false);
    // An error that occurred in the meantime is shown at its field before anything is stored.
    if (!form.querySelector("[data-photo-error]:not(:empty)")) form.requestSubmit(submitter);
    return;
  }
  if (isRefusedAsEmpty(form)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  const asked = question(form, event.submitter);
  // Missing values are reported first; the server does that.
  const isComplete = [...form.elements].every((field) => !field.validity?.valueMissing);
  if (asked && isComplete && !confirmed.delete(form)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    const submitter = event.submitter;
    if (await mayBeSent(form, submitter, asked)) {
      confirmed.add(form);
      form.requestSubmit(submitter);
    }
    return;
  }
  fillKey(form);
  // Sending one form of a page discards the entries in its other forms.
  const changed = [...document.querySelectorAll("form[data-changed]")];
  changedBefore.set(form, changed);
  changed.forEach((other) => other.removeAttribute("data-changed"));
  // After the event: a button that is disabled too early would be missing from the sent data.
  queueMicrotask(() => setBusy(form, true));
}, true);

// The question of the confirmation page for browsers without scripts was answered here.
document.addEventListener("formdata", (event) => {
  if (event.target.matches("[data-confirm], :has([data-confirm])")) event.formData.delete("ask");
});

/** The change was stored or queued: the draft isn't needed any more. */
async function settle(form) {
  forget(form);
  await announce("hw:sent", form);
}

/** The change wasn't stored: restores the form's state. */
function giveBack(form) {
  setBusy(form, false);
  changedBefore.get(form)?.forEach((other) => other.setAttribute("data-changed", ""));
}

// After htmx, which handles its own forms.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (event.defaultPrevented || !isPost(form) || isForBrowser(form, event.submitter)) return;
  event.preventDefault();
  const outcome = await send(form, event.submitter, async (place) => {
    // A redirect to sign in or unlock means that the form wasn't processed.
    const isStopped = place.pathname === "/sign-in" || (place.pathname === "/lock" && !form.action.includes("/lock/"));
    if (isStopped && document.body.dataset.person) return;
    await announceLeaving(form);
    await settle(form);
    if (!form.hasAttribute("data-ends-session")) return;
    forgetAll();
    document.dispatchEvent(new CustomEvent("hw:signed-out"));
  });
  if (outcome === "failed") return giveBack(form);
  if (outcome === "waiting") {
    giveBack(form);
    form.removeAttribute("data-changed");
    await settle(form);
    empty(form);
    return leave(form);
  }
  if (outcome === "shown") return settle(form);
  if (outcome === "refused") return markAgain(form);
  // If another app opens the URL, for example one for maps, this page stays.
  document.addEventListener("visibilitychange", () => setBusy(form, false), { once: true });
});

/** A form that returned with errors is still unsaved. */
function markAgain(form) {
  for (const { id } of changedBefore.get(form) ?? []) {
    if (id) document.getElementById(id)?.setAttribute("data-changed", "");
  }
}

document.addEventListener("htmx:afterRequest", (event) => {
  // A part of a form was refreshed; nothing was sent.
  if (event.detail.requestConfig?.verb === "get") return;
  const form = event.detail.elt.closest?.("form");
  if (!form) return;
  if (event.detail.successful) {
    setBusy(form, false);
    settle(form);
  } else {
    giveBack(form);
  }
  const key = form.elements.namedItem("idempotencyKey");
  // After success, the next change gets a new key. A failed change keeps its key, and may be repeated.
  if (key && event.detail.successful) key.value = "";
});

// The back button restores the page as it was left, so its forms aren't being sent.
addEventListener("pageshow", (event) => {
  if (event.persisted) document.querySelectorAll("form[data-sending]").forEach((form) => setBusy(form, false));
});

export function isChanged(form) {
  return form?.hasAttribute("data-changed") ?? false;
}

/** Discards the entries. */
export function discardChanges(form) {
  form.removeAttribute("data-changed");
  forget(form);
}

enhance("form", (form) => {
  const note = (event) => {
    const isTyped = event.target.type !== "hidden" || event.target.matches("[data-photo-id]");
    if (isTyped) form.setAttribute("data-changed", "");
  };
  form.addEventListener("input", note);
  form.addEventListener("change", note);
});

function changedGuard() {
  return document.querySelector("form[data-guard][data-changed]");
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || link.target || link.hasAttribute("download") || event.defaultPrevented) return;
  if (link.getAttribute("href").startsWith("#") || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (link.dataset.sheet || link.dataset.stays || link.hasAttribute("hx-get")) return;
  const form = changedGuard();
  if (!form) return;
  // Cancel discards the entries; only accidental ways of leaving are confirmed.
  if (link.hasAttribute("data-cancel")) return discardChanges(form);
  // On the way to a proof the entries are a draft, which is restored when the form is shown again.
  if (link.hasAttribute("data-keeps-draft") && isKeptWhole(form)) return form.removeAttribute("data-changed");
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!(await askToDiscard())) return;
  discardChanges(form);
  link.click();
}, true);

export function askToDiscard() {
  return ask({ title: text("discardTitle"), yes: text("discard"), no: text("keepEditing"), isDanger: true });
}

// Closing the tab and going back by gesture: only the browser may ask. On the way to the lock screen or a new version
// there is no question, because the entries are restored afterwards.
let isForNewVersion = false;
document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-update] button")) return;
  isForNewVersion = true;
  setTimeout(() => (isForNewVersion = false), NEW_VERSION_MILLISECONDS);
});
addEventListener("beforeunload", (event) => {
  if (changedGuard() && !isForNewVersion && !("covered" in document.documentElement.dataset)) event.preventDefault();
});

enhance("[aria-invalid=true]", (field) => {
  if (field !== document.querySelector("[aria-invalid=true]")) return;
  field.focus({ preventScroll: true });
  field.scrollIntoView({ block: "center" });
});
