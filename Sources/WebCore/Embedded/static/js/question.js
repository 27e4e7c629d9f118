// A confirmation dialog with two buttons, before an action that can't be undone.
import { showModal } from "./dialogs.js";
import { template } from "./strings.js";

const CLOSING_MILLISECONDS = 400;

/** Resolves to true when the answer is yes; Escape, the other button and an aborted `signal` are no. */
export function ask({ title, note = "", yes = "", no = "", isDanger = false, signal = null }) {
  const dialog = template("question-template");
  dialog.querySelector("[data-title]").textContent = title;
  const explanation = dialog.querySelector("[data-note]");
  if (note) explanation.textContent = note;
  else explanation.remove();
  const accept = dialog.querySelector("[data-yes]");
  if (yes) accept.textContent = yes;
  accept.classList.toggle("is-danger", isDanger);
  const refuse = dialog.querySelector("[data-no]");
  if (no) refuse.textContent = no;
  dialog.setAttribute("aria-label", title);
  document.body.append(dialog);
  showModal(dialog);
  refuse.focus();
  signal?.addEventListener("abort", () => dialog.close("overtaken"), { once: true });
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      resolve(dialog.returnValue === "yes");
      dialog.setAttribute("aria-hidden", "true");
      setTimeout(() => dialog.remove(), CLOSING_MILLISECONDS);
    }, { once: true });
  });
}
