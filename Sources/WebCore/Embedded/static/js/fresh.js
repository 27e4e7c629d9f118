// A form in a sheet begins anew when the sheet is closed: what was chosen and not sent is discarded. One that was refused
// is fetched again, without its messages.
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
