// Before a page is left, waits for work that has to finish on it, for example a message to a connected tracker.

const LONGEST_ERRANDS_MILLISECONDS = 20_000;

/** Announces that the page is left because of `element`: a form that got a response, or a part whose subject is
 * gone. */
export async function announceLeaving(element) {
  const errands = [];
  const detail = { element, waitFor: (errand) => errands.push(errand) };
  // A live update may have removed the element.
  const place = element.isConnected ? element : document;
  place.dispatchEvent(new CustomEvent("hw:leaving", { bubbles: true, detail }));
  if (errands.length === 0) return;
  const limit = new Promise((resolve) => setTimeout(resolve, LONGEST_ERRANDS_MILLISECONDS));
  await Promise.race([Promise.allSettled(errands), limit]);
}
