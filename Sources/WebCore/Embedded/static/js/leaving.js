// A page that is about to be left waits for those who have something to finish on it, such as a word to a tracker that is
// connected.

const LONGEST_ERRANDS_MILLISECONDS = 20_000;

/** Tells that the page is left because of `element`: a form that was answered, or a part whose subject is gone. */
export async function announceLeaving(element) {
  const errands = [];
  const detail = { element, waitFor: (errand) => errands.push(errand) };
  // A live update may have taken the element away meanwhile.
  const place = element.isConnected ? element : document;
  place.dispatchEvent(new CustomEvent("hw:leaving", { bubbles: true, detail }));
  if (errands.length === 0) return;
  const limit = new Promise((resolve) => setTimeout(resolve, LONGEST_ERRANDS_MILLISECONDS));
  await Promise.race([Promise.allSettled(errands), limit]);
}
