// A button that can't be pressed now says why: aria-disabled="true" data-reason="…". It stays reachable, and a tap on it
// tells the reason; a disabled one would hear no tap.
import { toast } from "./toast.js";

document.addEventListener("click", (event) => {
  const button = event.target.closest?.('[aria-disabled="true"][data-reason]');
  if (!button) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  toast({ text: button.dataset.reason, problem: true });
}, true);
