// Resets the form of a sheet when the sheet is closed: choices that weren't sent are discarded. A form with errors is
// fetched again, without its messages.
import { discardChanges } from "./form.js";
/* global htmx */

const REFUSED = ".form-error:not([hidden]), [data-until-chosen]:not(:empty), .is-invalid, [aria-invalid=true]";

export function attach(form) {
  const dialog = form.closest("dialog");
  if (!dialog) return;
  dialog.addEventListener("close", () => {
    if (!form.isConnected) return;
    const isRefused = form.querySelector(REFUSED);
    form.reset();
    discardChanges(form);
    if (isRefused) htmx.ajax("GET", form.dataset.fresh, { source: form, target: form, swap: "outerHTML" });
  });
}
