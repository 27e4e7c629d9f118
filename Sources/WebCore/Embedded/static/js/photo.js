// The photo field: a sheet with two choices, the camera in the page, the account's library, and the upload.
import { askPhone, shoot } from "./camera.js";
import { showModal } from "./dialogs.js";
import { enhanceAll } from "./enhance.js";
import { holdWhile } from "./form.js";
import { choose as chooseFromLibrary } from "./library.js";
import { discard } from "./sheet.js";
import { template, text } from "./strings.js";
import { toast } from "./toast.js";

// The server accepts no larger files, and of some formats no more pixels.
const LARGEST_BYTES = 10 * 1024 * 1024;
const LARGEST_PIXELS = 65_000_000;
// Twice as large as the photos that the server stores.
const SENT = { bytes: LARGEST_BYTES, edge: 3_200, quality: 0.9 };
// A queued change holds at most 2 MiB, including the rest of its form. The server stores no larger photos.
const WAITING = { bytes: 1_500_000, edge: 1_600, quality: 0.85 };
// A connection without progress for so long counts as lost.
const STALLED_MILLISECONDS = 30_000;
const ANSWER_MILLISECONDS = 120_000;

/** The name of the error message of a file before it is sent, or null. The server decides. */
export function problemWith(file) {
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
    let stalled = null;
    const wait = (milliseconds = STALLED_MILLISECONDS) => {
      clearTimeout(stalled);
      stalled = setTimeout(() => request.abort(), milliseconds);
    };
    request.upload.onprogress = (event) => {
      wait();
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.upload.onload = () => wait(ANSWER_MILLISECONDS);
    request.onloadend = () => clearTimeout(stalled);
    request.onload = () => {
      if (request.status === 201 && request.response?.id) return resolve(request.response.id);
      const said = request.response?.error?.fields?.picture;
      if (request.status === 413) reject(new Error(text("photoTooLarge")));
      else if (request.status === 422) reject(new Error(said || text("photoNotPicture")));
      else reject(new Error(text("photoFailed")));
    };
    const lose = () => reject(Object.assign(new Error(text("photoFailed")), { isUnreachable: true }));
    request.onerror = lose;
    request.onabort = lose;
    wait();
    request.send(body);
  });
}

/** Resolves to an image with the photo; null if this browser can't read it. Its pixels are decoded when it is drawn. */
function loaded(file) {
  const address = URL.createObjectURL(file);
  const image = new Image();
  return new Promise((resolve) => {
    image.addEventListener("load", () => resolve({ image, address }), { once: true });
    image.addEventListener("error", () => resolve(null), { once: true });
    image.src = address;
  });
}

/** The photo upright, in sRGB and without metadata, with at most `edge` pixels a side; null if it has more than `bytes`. */
async function drawn({ image, address }, { bytes, edge, quality }) {
  const { naturalWidth: width, naturalHeight: height } = image;
  const scale = Math.min(1, edge / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  // JPEG has no transparency, and would show it black.
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  const found = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
  return found && found.size <= bytes ? found : null;
}

/** The photo in a size that can be queued with a change; null if this browser can't read it. */
async function smaller(file) {
  if (file.size <= WAITING.bytes) return file;
  const picture = await loaded(file);
  return picture && drawn(picture, WAITING);
}

/** The photo in a size that the server accepts. One that this browser can't read is sent as it is. */
async function sendable(file) {
  const picture = await loaded(file);
  const pixels = picture ? picture.image.naturalWidth * picture.image.naturalHeight : 0;
  if (file.size > LARGEST_BYTES || pixels > LARGEST_PIXELS) {
    const small = picture && await drawn(picture, SENT).catch(() => null);
    if (small) return small;
    if (file.size > LARGEST_BYTES) throw new Error(text("photoTooLarge"));
  } else if (picture) {
    URL.revokeObjectURL(picture.address);
  }
  return file;
}

/** Resolves to "library", "camera" or "" (cancelled). */
function askForSource() {
  const dialog = template("photo-choices-template");
  document.body.append(dialog);
  enhanceAll(dialog);
  showModal(dialog);
  for (const button of dialog.querySelectorAll("[data-choice]")) {
    button.addEventListener("click", () => dialog.close(button.dataset.choice));
  }
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      resolve(dialog.returnValue);
      // If another view follows, it appears at once.
      if (dialog.returnValue) dialog.remove();
      else discard(dialog);
    }, { once: true });
  });
}

class PhotoField {
  constructor(field) {
    const part = (name) => field.querySelector(`[data-photo-${name}]`);
    this.field = field;
    this.form = field.closest("form");
    // A shared tablet has no library, and a photo goes with its form.
    this.isShared = Boolean(this.form?.querySelector("[data-pin-field]"));
    this.id = part("id");
    // For pages without scripts, and for a photo that can't be sent before its form.
    this.file = part("file");
    this.preview = part("preview");
    this.error = part("error");
    this.progress = part("progress");
    this.download = part("save");
    this.pick = part("pick");
    this.shownFirst = [...this.preview.childNodes];
    // If several photos are chosen in a row, only the last counts.
    this.latest = null;
  }

  start() {
    this.file.disabled = true;
    this.pick.addEventListener("click", () => this.choose());
    // A change that was rejected restores its photo: by its id, or as it was queued.
    this.id.addEventListener("input", () => this.showChosen());
    this.field.addEventListener("hw:photo", ({ detail: photo }) => {
      this.show(URL.createObjectURL(photo));
      this.put(photo);
    });
    this.form?.addEventListener("reset", () => this.reset());
    this.offerDownload();
    // A draft restored another photo than the server's.
    if ("restored" in this.id.dataset) this.showChosen();
  }

  show(address) {
    const image = new Image();
    image.className = "photo";
    image.alt = text("photoChoose");
    image.src = address;
    this.preview.replaceChildren(image);
  }

  showChosen() {
    if (this.id.value) this.show(`/pictures/${this.id.value}?size=medium`);
    this.offerDownload();
  }

  offerDownload() {
    this.download.hidden = !this.id.value;
    if (this.id.value) this.download.href = `/pictures/${this.id.value}?size=large`;
  }

  refuse(message) {
    this.error.textContent = message;
    if (message) this.pick.setAttribute("aria-invalid", "true");
    else this.pick.removeAttribute("aria-invalid");
  }

  async choose() {
    const source = this.isShared ? "shared" : await askForSource();
    const chosen = source === "shared" ? { file: await askPhone() } : source === "camera" ? { file: await shoot() } : source === "library" ? await chooseFromLibrary() : null;
    // At once, and only if the person hasn't gone on: an upload can take long, and they may be typing elsewhere.
    if (document.activeElement === document.body) this.pick.focus();
    if (chosen?.id) {
      this.latest = null;
      this.progress.hidden = true;
      this.use(chosen.id);
    } else if (chosen?.file) {
      const sending = this.send(chosen.file);
      if (this.form) holdWhile(this.form, sending);
      await sending;
    }
  }

  use(pictureID) {
    this.refuse("");
    this.file.disabled = true;
    this.id.value = pictureID;
    this.id.dispatchEvent(new Event("change", { bubbles: true }));
    this.showChosen();
  }

  /** Puts a photo into the form's file field. */
  put(photo) {
    const chosen = new DataTransfer();
    chosen.items.add(new File([photo], photo.name ?? "photo.jpg", { type: photo.type }));
    this.file.files = chosen.files;
    this.file.disabled = false;
    this.download.hidden = true;
    this.file.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** Adds the photo to the form, which may be queued; false if that isn't possible. */
  async takeAlong(file) {
    const photo = this.form?.hasAttribute("data-queue") ? await smaller(file) : null;
    if (!photo) return false;
    if (this.latest === file) {
      this.refuse("");
      this.put(photo);
      if (!this.isShared) toast({ text: text("photoWaits") });
    }
    return true;
  }

  async send(file) {
    const problem = problemWith(file);
    if (problem) return this.refuse(text(problem));
    const isLatest = () => this.latest === file;
    const before = [...this.preview.childNodes];
    const local = URL.createObjectURL(file);
    this.latest = file;
    this.error.textContent = "";
    this.show(local);
    const image = this.preview.firstElementChild;
    image.addEventListener("error", () => image.isConnected && this.preview.replaceChildren(...before), { once: true });
    this.progress.value = 0;
    this.progress.hidden = false;
    try {
      if (this.isShared) throw Object.assign(new Error(text("photoFailed")), { isUnreachable: true });
      const photo = await sendable(file);
      const pictureID = await upload(photo, (share) => isLatest() && (this.progress.value = share));
      if (isLatest()) this.use(pictureID);
      URL.revokeObjectURL(local);
    } catch (failure) {
      // A photo that is sent with the form is still shown.
      if (failure.isUnreachable && await this.takeAlong(file).catch(() => false)) return;
      if (isLatest()) {
        this.preview.replaceChildren(...before);
        this.refuse(failure.message);
      }
      URL.revokeObjectURL(local);
    } finally {
      if (isLatest()) this.progress.hidden = true;
    }
  }

  reset() {
    this.latest = null;
    this.file.disabled = true;
    this.id.value = this.id.dataset.photoId;
    this.preview.replaceChildren(...this.shownFirst);
    this.progress.hidden = true;
    this.refuse("");
    this.offerDownload();
  }
}

export function attach(field) {
  new PhotoField(field).start();
}
