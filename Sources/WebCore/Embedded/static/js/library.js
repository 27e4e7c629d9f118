// The library sheet: the account's photos, and files of the phone.
import { showModal } from "./dialogs.js";
import { enhanceAll } from "./enhance.js";
import { discard } from "./sheet.js";
import { template, text } from "./strings.js";

const PAGE = 60;

function thumbnail(picture, number) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.pictureId = picture.id;
  button.setAttribute("aria-label", `${text("photoChoose")} ${number}`);
  const image = new Image(160, 160);
  image.loading = "lazy";
  image.alt = "";
  image.src = `/pictures/${picture.id}?size=small`;
  button.append(image);
  return button;
}

/** Resolves to {id} of a photo in the library, {file} of the phone, or null without a choice. */
export function choose() {
  const dialog = template("photo-library-template");
  const grid = dialog.querySelector("[data-grid]");
  const loading = dialog.querySelector("[data-loading]");
  const file = dialog.querySelector("input[type=file]");
  let chosen = null;
  let next = null;

  const finish = (choice) => {
    chosen = choice;
    dialog.close();
  };

  const load = async () => {
    loading.hidden = false;
    try {
      const after = next ? `&after=${encodeURIComponent(next)}` : "";
      const answer = await fetch(`/pictures?limit=${PAGE}${after}`, { headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(String(answer.status));
      const page = await answer.json();
      for (const picture of page.items) grid.append(thumbnail(picture, grid.childElementCount + 1));
      next = page.next;
      if (next) watcher.observe(grid.lastElementChild);
      dialog.querySelector("[data-empty]").hidden = grid.childElementCount > 0;
    } catch {
      dialog.querySelector("[data-problem]").hidden = false;
    } finally {
      loading.hidden = true;
    }
  };
  const watcher = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    watcher.disconnect();
    load();
  }, { root: dialog });

  grid.addEventListener("click", (event) => {
    const button = event.target.closest("[data-picture-id]");
    if (button) finish({ id: button.dataset.pictureId });
  });
  file.addEventListener("change", () => file.files.length > 0 && finish({ file: file.files[0] }));
  dialog.querySelector("[data-cancel-library]").addEventListener("click", () => finish(null));

  document.body.append(dialog);
  enhanceAll(dialog);
  showModal(dialog);
  load();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      watcher.disconnect();
      resolve(chosen);
      discard(dialog);
    }, { once: true });
  });
}
