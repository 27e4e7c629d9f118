// A form in a sheet begins anew when the sheet is closed: what was chosen and not sent is discarded. One that was refused
// is fetched again, without its messages.
import { discardChanges } from "./form.js";
/* global htmx */

export function attach(form) {
  const dialog = form.closest("dialog");
  if (!dialog) return;
  dialog.addEventListener("close", () => {
    if (!form.isConnected) return;
    const isRefused = form.querySelector(".form-error:not([hidden]), .is-invalid, [aria-invalid=true]");
    form.reset();
    discardChanges(form);
    if (isRefused) htmx.ajax("GET", form.dataset.fresh, { source: form, target: form, swap: "outerHTML" });
  });
}
