// Signs in by a code in front of the camera: in a dialog over the login page, or on the page /family/scan.
import { showModal } from "./dialogs.js";
import { enhanceAll } from "./enhance.js";
import { text } from "./strings.js";
import { toast } from "./toast.js";
import { readCode } from "./qr/read.js";

const PAUSE_MILLISECONDS = 120;
const WANTED = { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } };
// More pixels cost time, and a code that fills a third of the picture needs no more.
const LONGEST_SIDE = 800;
const LONGEST_SIDE_OF_PHOTO = 1_600;
const PATIENCE_MILLISECONDS = 20_000;
// After so long without a code, there is a problem with it or with how it is held.
const HINT_MILLISECONDS = 5_000;

function pixelsOf(source, width, height, longest) {
  const scale = Math.min(1, longest / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/** Phones have a built-in detector, which is faster than ours. */
async function makeDetector() {
  try {
    const formats = await window.BarcodeDetector?.getSupportedFormats();
    if (formats?.includes("qr_code")) return new window.BarcodeDetector({ formats: ["qr_code"] });
  } catch {
    // Falls back to our detector.
  }
  return null;
}

async function read(detector, source, width, height, longest) {
  if (detector) {
    try {
      const [found] = await detector.detect(source);
      if (found) return found.rawValue;
    } catch {
      // Some detectors are listed and don't work.
    }
  }
  return readCode(pixelsOf(source, width, height, longest));
}

/** The code in a link to this server; null for any other text. */
export function codeIn(words, site, path) {
  let link;
  try {
    link = new URL(words);
  } catch {
    return null;
  }
  const isOurs = link.origin === new URL(site, location.href).origin || link.origin === location.origin;
  return isOurs && link.pathname === path ? link.searchParams.get("code") || null : null;
}

function problemOf(failure) {
  if (failure.name === "NotAllowedError" || failure.name === "SecurityError") return "textCameraDenied";
  if (failure.name === "NotFoundError" || failure.name === "OverconstrainedError") return "textCameraMissing";
  return "textCameraBusy";
}

class Scanner {
  constructor(element, leave) {
    this.element = element;
    this.words = element.dataset;
    this.leave = leave;
    this.video = element.querySelector("video");
    this.line = element.querySelector("[data-message]");
    this.isOver = false;
    this.isBusy = false;
    this.lastRefused = null;
    element.querySelector("[data-close-scanner]").addEventListener("click", () => this.leave());
    element.querySelector("[data-photo-of-code]").addEventListener("change", (event) => this.readPhoto(event.target));
    this.start();
  }

  say(words, isProblem = false) {
    if (this.line.textContent === words) return;
    this.line.textContent = words;
    this.line.classList.toggle("is-problem", isProblem);
  }

  /** The text of a shown problem; empty for none. */
  get problem() {
    return this.line.classList.contains("is-problem") ? this.line.textContent : "";
  }

  async start() {
    if (!navigator.mediaDevices?.getUserMedia) return this.withoutCamera("textCameraMissing");
    try {
      this.detector = await makeDetector();
      const stream = await navigator.mediaDevices.getUserMedia({ video: WANTED, audio: false });
      if (this.isOver) return stream.getTracks().forEach((track) => track.stop());
      this.stream = stream;
      this.video.srcObject = stream;
      await this.video.play();
      this.say(this.words.textSearching);
      this.look();
    } catch (failure) {
      if (!this.isOver) this.withoutCamera(problemOf(failure));
    }
  }

  withoutCamera(why) {
    this.element.querySelector("[data-view]").hidden = true;
    this.say(this.words[why], true);
  }

  stop() {
    this.isOver = true;
    this.stream?.getTracks().forEach((track) => track.stop());
  }

  async look() {
    const began = performance.now();
    while (!this.isOver) {
      if (!this.isBusy && this.video.videoWidth > 0 && !document.hidden) {
        const found = await read(
          this.detector, this.video, this.video.videoWidth, this.video.videoHeight, LONGEST_SIDE);
        if (found && !this.isOver) await this.found(found);
        const isLost = !found && !this.lastRefused && performance.now() - began > HINT_MILLISECONDS;
        if (isLost && !this.isOver && !this.problem) this.say(this.words.textSlow, true);
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
    }
  }

  async readPhoto(input) {
    const file = input.files[0];
    input.value = "";
    if (!file) return;
    try {
      const picture = await createImageBitmap(file);
      const found = await read(this.detector, picture, picture.width, picture.height, LONGEST_SIDE_OF_PHOTO);
      this.lastRefused = null;
      if (found) await this.found(found);
      else this.say(this.words.textUnread, true);
    } catch {
      this.say(this.words.textUnread, true);
    }
  }

  async found(words) {
    // The same code stays in front of the camera for a while.
    if (words === this.lastRefused) return;
    const code = codeIn(words, this.words.site, this.words.signIn);
    if (!code) {
      this.lastRefused = words;
      return this.say(this.words.textForeign, true);
    }
    this.isBusy = true;
    this.say(this.words.textFound);
    try {
      await this.signIn(code, words);
    } finally {
      this.isBusy = false;
    }
  }

  async signIn(code, words) {
    let answer;
    try {
      answer = await fetch(this.words.signIn, {
        method: "POST",
        body: new URLSearchParams({ code, from: "scanner" }),
        headers: { Accept: "text/html", "HX-Request": "true" },
        signal: AbortSignal.timeout?.(PATIENCE_MILLISECONDS),
      });
    } catch {
      // Once the connection is back, the same code may still be valid.
      return this.say(this.words.textOffline, true);
    }
    const place = answer.headers.get("HX-Redirect");
    if (answer.ok && place) {
      this.stop();
      navigator.vibrate?.(60);
      return location.assign(place);
    }
    this.lastRefused = words;
    this.say(answer.status === 429 ? this.words.textThrottled : this.words.textRefused, true);
  }
}

/** Attaches the scanner to its page. */
export function attach(element) {
  if (element.closest("dialog")) return;
  const scanner = new Scanner(element, () => location.assign(element.dataset.closeUrl));
  addEventListener("pagehide", () => scanner.stop());
}

async function open(address) {
  let markup;
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html", "HX-Request": "true" } });
    if (!answer.ok) throw new Error("no scanner");
    markup = await answer.text();
  } catch {
    return toast({ text: text("failed"), problem: true });
  }
  const dialog = document.createElement("dialog");
  dialog.className = "scanner-dialog";
  // The parser puts the stylesheet's link into the head.
  const page = new DOMParser().parseFromString(markup, "text/html");
  dialog.append(...page.head.childNodes, ...page.body.childNodes);
  document.body.append(dialog);
  const element = dialog.querySelector("[data-scanner]");
  dialog.setAttribute("aria-label", element.querySelector(".scanner-title").textContent);
  enhanceAll(dialog);
  showModal(dialog);
  const scanner = new Scanner(element, () => dialog.close());
  dialog.addEventListener("close", () => {
    scanner.stop();
    toast({ text: scanner.problem || element.dataset.textClosed, problem: scanner.problem !== "" });
    dialog.remove();
  }, { once: true });
}

/** Makes a link to the scanner open it in a dialog over the current page. */
export function attachLink(link) {
  link.setAttribute("aria-haspopup", "dialog");
  link.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (!document.querySelector(".scanner-dialog")) open(link.href);
  });
}
