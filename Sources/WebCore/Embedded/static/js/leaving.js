// Before a page is left, waits for work that has to finish on it, for example a message to a connected tracker.

const WORK_MILLISECONDS_MAXIMUM = 20_000;

/** Dispatches an event about `element`, and waits for the work that its listeners name with `detail.waitFor`. */
export async function announce(name, element) {
  const work = [];
  const detail = { element, waitFor: (promise) => work.push(promise) };
  // A live update may have removed the element.
  const place = element.isConnected ? element : document;
  place.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  if (work.length === 0) return;
  const limit = new Promise((resolve) => setTimeout(resolve, WORK_MILLISECONDS_MAXIMUM));
  await Promise.race([Promise.allSettled(work), limit]);
}

/** Announces that the page is left because of `element`: a form that got a response, or a part whose subject is
 * gone. */
export const announceLeaving = (element) => announce("hw:leaving", element);
