// Opens modal dialogs. The browser's back button closes the topmost one, as Escape does.
//
// The first dialog adds an entry to the browser's history. Going back from it stays in this document, and sends
// it a popstate event.
// A dialog that closes in another way leaves the entry, because a traversal of ours could overtake a navigation that
// follows; the next step back then skips it.
const BELOW = "below";
const OPEN = "open";

let place = history.state?.dialog;

const topmost = () => [...document.querySelectorAll("dialog:modal")].at(-1);

function addEntry() {
  if (place === OPEN) return;
  history.replaceState({ ...history.state, dialog: BELOW }, "");
  history.pushState({ ...history.state, dialog: OPEN }, "");
  place = OPEN;
}

/** Opens a dialog above the page. */
export function showModal(dialog) {
  if (dialog.open) return;
  addEntry();
  dialog.showModal();
}

addEventListener("popstate", () => {
  const isBack = place === OPEN && history.state?.dialog === BELOW;
  place = history.state?.dialog;
  if (!isBack) return;
  const dialog = topmost();
  if (!dialog) return history.back();
  // A dialog with entries asks first, and stays open until the answer.
  if (dialog.dispatchEvent(new Event("cancel", { cancelable: true }))) dialog.close();
  if (topmost()) addEntry();
});
