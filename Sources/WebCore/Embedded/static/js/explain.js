// A button that can't be pressed now gives the reason: aria-disabled="true" data-reason="…". It stays focusable, and a
// tap shows the reason; a disabled button would get no tap.
import { toast } from "./toast.js";

document.addEventListener("click", (event) => {
  const button = event.target.closest?.('[aria-disabled="true"][data-reason]');
  if (!button) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  toast({ text: button.dataset.reason, problem: true });
}, true);
