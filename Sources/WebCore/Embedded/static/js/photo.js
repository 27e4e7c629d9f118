// The photo field: a sheet with two choices, the camera in the page, the account's own library, and the upload.
import { shoot } from "./camera.js";
import { enhanceAll } from "./enhance.js";
import { holdWhile } from "./form.js";
import { choose } from "./library.js";
import { discard, open } from "./sheet.js";
import { template, text } from "./strings.js";

const LARGEST_BYTES = 10 * 1024 * 1024;

/** What can be said about a file before it is sent: the name of the message, or null. The server has the last word. */
export function problemWith(file) {
  if (file.size > LARGEST_BYTES) return "photoTooLarge";
  if (file.size === 0) return "photoNotPicture";
  const mayBePicture = file.type === "" || /^image\/(?!svg)/.test(file.type);
  return mayBePicture ? null : "photoNotPicture";
}

function upload(file, onProgress) {
  return new Promise((resolve, reject) => {
    const body = new FormData();
    body.append("picture", file, file.name ?? "photo.jpg");
    const request = new XMLHttpRequest();
    request.open("POST", "/pictures");
    request.setRequestHeader("Accept", "application/json");
    request.responseType = "json";
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.onload = () => {
      if (request.status === 201 && request.response?.id) return resolve(request.response.id);
      const said = request.response?.error?.fields?.picture;
      if (request.status === 413) reject(new Error(text("photoTooLarge")));
      else if (request.status === 422) reject(new Error(said || text("photoNotPicture")));
      else reject(new Error(text("photoFailed")));
    };
    request.onerror = () => reject(new Error(text("photoFailed")));
    request.send(body);
  });
}

/** Resolves to "library", "camera" or "" (cancelled). */
function askForSource() {
  const dialog = template("photo-choices-template");
  document.body.append(dialog);
  enhanceAll(dialog);
  open(dialog);
  for (const button of dialog.querySelectorAll("[data-choice]")) {
    button.addEventListener("click", () => dialog.close(button.dataset.choice));
  }
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      resolve(dialog.returnValue);
      // Where another view follows, it takes the place at once.
      if (dialog.returnValue) dialog.remove();
      else discard(dialog);
    }, { once: true });
  });
}

export function attach(field) {
  const form = field.closest("form");
  const id = field.querySelector("[data-photo-id]");
  const preview = field.querySelector("[data-photo-preview]");
  const error = field.querySelector("[data-photo-error]");
  const progress = field.querySelector("[data-photo-progress]");
  const save = field.querySelector("[data-photo-save]");
  const pick = field.querySelector("[data-photo-pick]");
  // Only for pages without scripts.
  field.querySelector("[data-photo-file]").disabled = true;

  const showSave = () => {
    save.hidden = !id.value;
    if (id.value) save.href = `/pictures/${id.value}?size=large`;
  };

  const show = (address) => {
    const image = new Image();
    image.className = "photo";
    image.alt = text("photoChoose");
    image.src = address;
    preview.replaceChildren(image);
  };

  const use = (pictureID) => {
    error.textContent = "";
    pick.removeAttribute("aria-invalid");
    id.value = pictureID;
    id.dispatchEvent(new Event("change", { bubbles: true }));
    show(`/pictures/${pictureID}?size=medium`);
    showSave();
  };

  const refuse = (message) => {
    error.textContent = message;
    pick.setAttribute("aria-invalid", "true");
  };

  const send = async (file) => {
    const problem = problemWith(file);
    if (problem) return refuse(text(problem));
    const before = [...preview.childNodes];
    const local = URL.createObjectURL(file);
    error.textContent = "";
    show(local);
    preview.firstElementChild.addEventListener("error", () => preview.replaceChildren(...before), { once: true });
    progress.value = 0;
    progress.hidden = false;
    try {
      use(await upload(file, (share) => (progress.value = share)));
    } catch (failure) {
      preview.replaceChildren(...before);
      refuse(failure.message);
    } finally {
      progress.hidden = true;
      URL.revokeObjectURL(local);
    }
  };

  const sendAndHold = (file) => {
    const sending = send(file);
    if (form) holdWhile(form, sending);
    return sending;
  };

  pick.addEventListener("click", async () => {
    const source = await askForSource();
    if (source === "camera") {
      const shot = await shoot();
      if (shot) await sendAndHold(shot);
    } else if (source === "library") {
      const chosen = await choose();
      if (chosen?.id) use(chosen.id);
      else if (chosen?.file) await sendAndHold(chosen.file);
    }
    pick.focus();
  });
  showSave();
  // A draft brought another photo than the server's.
  if ("restored" in id.dataset && id.value) show(`/pictures/${id.value}?size=medium`);
}
