// Queued changes: which forms can be queued (data-queue), and how a queued change is shown, sent, discarded, and opened
// again after it was rejected.
import { showModal } from "./dialogs.js";
import { isTickable } from "./draft.js";
import { enhance, enhanceAll } from "./enhance.js";
import { isCachedPage } from "./cached-page.js";
import { ask } from "./question.js";
import { isolated, template, text } from "./strings.js";
import { toast, toastNext } from "./toast.js";
import { showWaiting } from "./waiting-rows.js";
/* global homewardQueue, htmx */

const FIRST_WAIT_MILLISECONDS = 2_000;
const LONGEST_WAIT_MILLISECONDS = 60_000;
const CLOSING_MILLISECONDS = 400;
const REOPENED = "reopened-change";
const ERRORS = ".form-error:not([hidden]), .field-error:not(:empty), .field-changed, .is-invalid, [aria-invalid=true]";
const root = document.documentElement;
let account = document.body.dataset.person ?? "";

let changes = [];
let stopped = null;
// The ids of changes that were not sent, and never will be.
const discarded = new Set();

// Queueing the change of a form ---------------------------------------------------------------------------------------

function label(element) {
  return (element?.getAttribute("aria-label") ?? element?.textContent ?? "").trim();
}

function firstWords(form) {
  const field = [...form.elements].find((other) => other.matches("input.input:not([type=file]), textarea.input") && other.value);
  return field?.value ?? "";
}

/** Describes the change in the words of the page: the form's purpose and its subject. */
function describe(form, submitter) {
  const page = document.querySelector("h1")?.textContent.trim() ?? "";
  const isPage = form.matches("[data-guard], [data-empty-text]");
  const title = isPage ? page : label(submitter) || label(form.querySelector("button[type=submit]")) || page;
  return { title, detail: isPage ? firstWords(form) : page };
}

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The fields that a reader chooses or types; photos by their ids. */
function typable(form) {
  return [...form.elements].filter((field) => field.name && (field.type !== "hidden" || field.matches("[data-photo-id]")))
    .filter((field) => !["submit", "button", "file"].includes(field.type));
}

function typed(form) {
  return typable(form).map((field) => [field.name, isTickable(field) ? [field.value, field.checked] : field.value]);
}

function isAsShown(field) {
  if (field.matches("[data-photo-id]")) return field.value === field.dataset.photoId;
  if (isTickable(field)) return field.checked === field.defaultChecked;
  if (field.matches("select")) return [...field.options].every((option) => option.selected === option.defaultSelected);
  return field.value === field.defaultValue;
}

/** Forms that returned with errors: they show entered values, not the server's. */
const refused = new WeakSet();
enhance("form[data-queue]", (form) => form.querySelector(ERRORS) && refused.add(form));

/** The names of the fields that show the server's value unchanged. */
function untouched(form) {
  if (refused.has(form)) return [];
  const fields = typable(form);
  const touched = new Set(fields.filter((field) => !isAsShown(field)).map((field) => field.name));
  // A photo in the form's file field is a new avatar.
  const isPhotoNew = touched.has("pictureId") || form.querySelector("[data-photo-file]:enabled");
  if (isPhotoNew) ["pictureId", "avatarPictureId"].forEach((name) => touched.add(name));
  return [...new Set(fields.map((field) => field.name))].filter((name) => !touched.has(name));
}

function isQueueable(form, submitter) {
  return Boolean(account) && form.hasAttribute("data-queue") && !submitter?.hasAttribute("formnovalidate");
}

/** Queues the form's data until there is a connection; false if it can't be queued. */
export async function keep(form, submitter) {
  if (!isQueueable(form, submitter)) return false;
  const data = new FormData(form, submitter);
  const keyField = form.elements.namedItem("idempotencyKey");
  const change = {
    account,
    key: data.get("idempotencyKey") || newKey(),
    url: new URL(submitter?.getAttribute("formaction") ?? form.getAttribute("action"), document.baseURI).href,
    enctype: form.enctype,
    fields: [...data],
    words: describe(form, submitter),
    page: location.pathname + location.search,
    form: form.id,
    typed: typed(form),
    untouched: untouched(form),
    madeAt: new Date().toISOString(),
  };
  try {
    if (!(await homewardQueue.add(change))) {
      toast({ text: text("full"), problem: true });
      return false;
    }
  } catch {
    return false;
  }
  // The next change of this form gets a new key.
  if (keyField) keyField.value = "";
  await forgetReopened(form);
  wake();
  return true;
}

async function isKept(address) {
  const place = new URL(address);
  place.searchParams.set("homeward-face", "page");
  return Boolean(await (await caches.open(`homeward-pages-${account}`)).match(place.href));
}

/** Goes from the page of a finished form to the target of its back link, or else to a page that opens without a
 * connection. Forms in other pages stay. */
export async function leave(form) {
  const back = /** @type {HTMLAnchorElement} */ (document.querySelector(".bar [data-cancel], .bar [data-back]"));
  const dialog = form.closest("dialog");
  if (dialog || !form.matches("[data-guard], [data-steps]") || !back) {
    toast({ text: text("queued") });
    return dialog?.close();
  }
  toastNext({ text: text("queued") });
  const parents = [];
  for (let path = new URL(back.href).pathname; path.lastIndexOf("/") > 0; path = path.slice(0, path.lastIndexOf("/"))) parents.push(path);
  for (const way of [back.href, ...parents]) {
    if (await isKept(new URL(way, location.href)).catch(() => false)) return location.assign(way);
  }
  location.assign(back.href);
}

// A cached page has the keys that it was first shown with, which may have been used.
const renewed = new WeakMap();
if (isCachedPage) {
  document.addEventListener("submit", (event) => {
    const field = event.target.elements?.namedItem("idempotencyKey");
    if (!field || renewed.get(event.target) === field.value) return;
    field.value = newKey();
    renewed.set(event.target, field.value);
  }, true);
}

// Before the other handlers: a queued change isn't an error.
for (const name of /** @type {const} */ (["htmx:sendError", "htmx:timeout"])) {
  addEventListener(name, async (event) => {
    // A part of a form that couldn't be refreshed isn't a submission.
    if (event.detail.requestConfig?.verb === "get") return;
    const form = event.detail.elt.closest?.("form[data-queue]");
    const submitter = event.detail.requestConfig?.triggeringEvent?.submitter;
    if (!form || !isQueueable(form, submitter)) return;
    event.stopImmediatePropagation();
    if (await keep(form, submitter)) {
      form.removeAttribute("data-changed");
      leave(form);
    } else {
      toast({ text: text("notSent"), problem: true });
    }
  }, true);
}

// A proxy, or the sign-in page of a network, responded in the server's place: the same as no response.
addEventListener("htmx:beforeOnLoad", (event) => {
  const { elt, xhr } = event.detail;
  if (xhr.getResponseHeader("Homeward-Server") !== null) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  htmx.trigger(elt, "htmx:sendError", event.detail);
}, true);

// Showing queued changes ----------------------------------------------------------------------------------------------

function problemOf(change) {
  const { status, message, fields } = change.problem;
  if (status === 409) return text("refusedConflict");
  if (status === 404 || status === 410) return text("refusedGone");
  if (status === 403) return text("refusedForbidden");
  return [text("refusedInvalid"), ...new Set([message, ...Object.values(fields)])].join(" ");
}

function row(change) {
  const element = template("waiting-row-template");
  element.querySelector("[data-title]").textContent = change.words.title;
  element.querySelector("[data-detail]").textContent = change.words.detail;
  const made = element.querySelector("[data-made]");
  made.dateTime = change.madeAt;
  made.dataset.relative = "";
  element.querySelector("[data-discard]").addEventListener("click", () => discard(change));
  if (change.state === "refused") {
    const problem = element.querySelector("[data-problem]");
    problem.textContent = problemOf(change);
    problem.hidden = false;
    const reopen = element.querySelector("[data-reopen]");
    reopen.hidden = false;
    reopen.addEventListener("click", () => openAgain(change));
  }
  return element;
}

async function discard(change) {
  const isYes = await ask({
    title: text("discardChange"), note: `${isolated(change.words.title)} ${isolated(change.words.detail)}`, yes: text("discard"), isDanger: true,
  });
  if (isYes) await homewardQueue.discard(change.id);
}

function lead() {
  if (changes.length === 0) return text("waitingNone");
  if (changes.every(({ state }) => state === "refused")) return text("waitingRefused");
  if (stopped === "signedOut") return text("waitingSignIn");
  if (stopped === "locked") return text("waitingUnlock");
  if (stopped === "intercepted") return text("waitingIntercepted");
  if (stopped === "later") return text("waitingLater");
  return text("waitingLead");
}

function showSheet(dialog) {
  dialog.querySelector("[data-lead]").textContent = lead();
  dialog.querySelector("[data-list]").replaceChildren(...changes.map(row));
  dialog.querySelector("[data-list]").hidden = changes.length === 0;
  dialog.querySelector("[data-send]").hidden = !changes.some(({ state }) => state === "waiting");
  enhanceAll(dialog);
}

function openSheet() {
  const dialog = template("waiting-template");
  document.body.append(dialog);
  dialog.querySelector("[data-close-waiting]").addEventListener("click", () => dialog.close());
  dialog.querySelector("[data-send]").addEventListener("click", send);
  dialog.addEventListener("close", () => setTimeout(() => dialog.remove(), CLOSING_MILLISECONDS));
  showSheet(dialog);
  showModal(dialog);
}

function showChip() {
  let chip = document.getElementById("waiting-chip");
  if (changes.length === 0) return chip?.remove();
  if (!chip) {
    chip = template("waiting-chip-template");
    chip.addEventListener("click", openSheet);
  }
  // Above a form at the end of the page, which it would cover otherwise.
  const place = document.querySelector("[data-waiting-place]") ?? document.getElementById("toasts");
  if (place && chip.parentElement !== place) place.append(chip);
  const refused = changes.filter(({ state }) => state === "refused").length;
  /** @type {[string, number][]} */
  const counts = [[text("waiting"), changes.length - refused], [text("refusedChip"), refused]];
  const words = counts.filter(([, count]) => count > 0).map(([word, count]) => `${word} (${count})`).join(" · ");
  chip.classList.toggle("is-refused", refused > 0);
  if (chip.querySelector("[data-text]").textContent !== words) chip.querySelector("[data-text]").textContent = words;
}

/** A small form with a queued change says so; a large one is ready for its next use. */
function markForms() {
  for (const form of document.querySelectorAll("form[data-queue]:not([data-guard])")) {
    const action = new URL(form.getAttribute("action"), document.baseURI).href;
    // The pictures of a picture PIN are filled in when the form is sent.
    const own = [...form.elements].filter(({ type, name, dataset }) =>
      type === "hidden" && name !== "idempotencyKey" && !("pinField" in dataset));
    const isSame = ({ url, fields, state }) => state === "waiting" && url === action
      && own.every(({ name, value }) => fields.some(([other, given]) => other === name && given === value));
    const isWaiting = !form.querySelector(".input, fieldset") && changes.some(isSame);
    const badge = form.querySelector(".waiting-badge");
    if (isWaiting && !badge) form.append(template("waiting-badge-template"));
    if (!isWaiting) badge?.remove();
  }
}

/** Signing out loses queued changes, so the reader is asked first. */
function markWayOut() {
  for (const form of document.querySelectorAll("form[data-ends-session]")) {
    const isOurs = form.hasAttribute("data-asks-for-waiting");
    if (changes.length > 0 && (isOurs || !form.hasAttribute("data-confirm"))) {
      form.setAttribute("data-asks-for-waiting", "");
      form.dataset.confirm = text("signOutTitle");
      form.dataset.confirmNote = `${text("signOutText")} ${changes.length}`;
      form.dataset.confirmLabel = text("signOut");
      form.dataset.confirmDanger = "";
    } else if (changes.length === 0 && isOurs) {
      for (const name of ["data-asks-for-waiting", "data-confirm", "data-confirm-note", "data-confirm-label", "data-confirm-danger"]) {
        form.removeAttribute(name);
      }
    }
  }
}

async function show() {
  if (!account) return;
  changes = await homewardQueue.list(account);
  stopped = (await homewardQueue.fact("stopped")) ?? null;
  showChip();
  markForms();
  markWayOut();
  showWaiting(changes, discarded);
  const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("waiting-sheet"));
  if (sheet?.open) showSheet(sheet);
}

// Sending --------------------------------------------------------------------------------------------------------------

let timer = 0;
let wait = FIRST_WAIT_MILLISECONDS;

/** Failed requests show whether there is a connection; the browser's own state is only a hint to try. */
async function send() {
  clearTimeout(timer);
  if (!account || !(await homewardQueue.list(account)).some(({ state }) => state === "waiting")) return;
  const outcome = await homewardQueue.send(account);
  wait = outcome.sent > 0 ? FIRST_WAIT_MILLISECONDS : Math.min(wait * 2, LONGEST_WAIT_MILLISECONDS);
  if (homewardQueue.isToBeTried(outcome.stopped) && !document.hidden) timer = setTimeout(send, wait);
}

async function wake() {
  clearTimeout(timer);
  timer = setTimeout(send, FIRST_WAIT_MILLISECONDS);
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.sync?.register("homeward-queue");
  } catch {
    // Not every browser has or permits it: the pages send in any case.
  }
}

function sendSoon() {
  wait = FIRST_WAIT_MILLISECONDS;
  send();
}

addEventListener("online", sendSoon);
document.addEventListener("hw:connected", sendSoon);
document.addEventListener("visibilitychange", () => document.hidden || sendSoon());

new BroadcastChannel("homeward-queue").onmessage = async ({ data }) => {
  if (data.kind === "discarded") discarded.add(data.id);
  await show();
  if (data.kind === "refused") toast({ text: text("refused"), problem: true });
  if (data.kind === "tried" && data.sent > 0 && changes.length === 0) toast({ text: text("sent") });
};

document.addEventListener("hw:signed-out", () => homewardQueue.clear(account));

// Opening a rejected change again -------------------------------------------------------------------------------------

function openAgain(change) {
  sessionStorage.setItem(REOPENED, JSON.stringify({ id: change.id, account, page: change.page, form: change.form }));
  location.assign(change.page);
}

/** Unchanged fields get the page's current values, not those from the time of the change. */
function fill(form, { typed: values, untouched: left = [], fields }) {
  const missing = values.filter(([name]) => !left.includes(name));
  for (const field of typable(form)) {
    const at = missing.findIndex(([name, value]) => name === field.name && (!isTickable(field) || value[0] === field.value));
    if (at < 0) continue;
    const [[, value]] = missing.splice(at, 1);
    if (isTickable(field)) field.checked = value[1];
    else field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const photo = fields.find(([name, value]) => name === "picture" && value instanceof File)?.[1];
  if (photo) form.querySelector("[data-photo]")?.dispatchEvent(new CustomEvent("hw:photo", { detail: photo }));
}

// By the forms' ids: a form that is rejected again is another element.
const reopened = new Map();

async function restore() {
  let kept;
  try {
    kept = JSON.parse(sessionStorage.getItem(REOPENED));
  } catch {
    return;
  }
  if (!kept) return;
  sessionStorage.removeItem(REOPENED);
  if (kept.account !== account || kept.page !== location.pathname + location.search) return;
  const form = kept.form && document.getElementById(kept.form);
  const change = form && (await homewardQueue.list(account)).find(({ id }) => id === kept.id);
  if (!change) return;
  reopened.set(form.id, change.id);
  const dialog = form.closest("dialog");
  if (dialog) showModal(dialog);
  fill(form, change);
  form.setAttribute("data-changed", "");
  toast({ text: text("draftRestored") });
}

/** Once the change was sent or queued again, its first version is deleted. */
async function forgetReopened(form) {
  const id = reopened.get(form.id);
  if (!id) return;
  reopened.delete(form.id);
  await homewardQueue.discard(id);
}

document.addEventListener("hw:sent", ({ detail }) => detail.waitFor(forgetReopened(detail.element)));

document.addEventListener("htmx:afterSettle", markForms);
enhance("[data-waiting-place]", showChip);
enhance("form[data-queue], form[data-ends-session]", () => {
  markForms();
  markWayOut();
});

async function start() {
  // The fallback page has no account; its reader's queued changes are found by the stored account.
  if (root.dataset.offline === "missing") account = (await homewardQueue.fact("account").catch(() => "")) ?? "";
  if (!account) return;
  await restore().catch(() => {});
  await show();
  await send();
}
start();
