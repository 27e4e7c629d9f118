// data-copy="text", or "#id" of the element with the text to copy · data-share-url: the phone's share sheet.
import { enhance } from "./enhance.js";
import { text } from "./strings.js";
import { toast } from "./toast.js";

async function copy(words) {
  try {
    await navigator.clipboard.writeText(words);
    toast({ text: text("copied") });
  } catch {
    toast({ text: text("failed"), problem: true });
  }
}

enhance("[data-copy]", (button) => {
  button.addEventListener("click", () => {
    const wanted = button.dataset.copy;
    const source = wanted.startsWith("#") ? document.querySelector(wanted) : null;
    copy(source ? (source.value ?? source.textContent).trim() : wanted);
  });
});

enhance("[data-share-url]", (button) => {
  button.addEventListener("click", async () => {
    const url = new URL(button.dataset.shareUrl, location.href).href;
    if (!navigator.share) return copy(url);
    try {
      await navigator.share({ url, title: button.dataset.shareTitle });
    } catch {
      // Closing the share sheet isn't an error.
    }
  });
});
