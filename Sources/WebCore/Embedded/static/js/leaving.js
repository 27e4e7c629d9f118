// A page that is about to be left waits for those who have something to finish on it, such as a word to a tracker that is
// connected.

/** Tells that the page is left because of `element`: a form that was answered, or a part whose subject is gone. */
export async function announceLeaving(element) {
  const errands = [];
  const detail = { waitFor: (errand) => errands.push(errand) };
  element.dispatchEvent(new CustomEvent("hw:leaving", { bubbles: true, detail }));
  await Promise.allSettled(errands);
}
