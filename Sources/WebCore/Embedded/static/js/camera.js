// The camera in the page. If the browser has or permits none, the phone's camera app.
import { showModal } from "./dialogs.js";
import { template, text } from "./strings.js";

const WANTED = { width: { ideal: 1920 }, height: { ideal: 1440 } };
const JPEG_QUALITY = 0.92;

/** Resolves to a photo of the device's camera app or files, or null. */
export function askPhone() {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = "image/*";
  input.setAttribute("capture", "environment");
  return new Promise((resolve) => {
    input.addEventListener("change", () => resolve(input.files[0] ?? null), { once: true });
    input.addEventListener("cancel", () => resolve(null), { once: true });
    input.click();
  });
}

function frameOf(video) {
  const canvas = document.createElement("canvas");
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext("2d").drawImage(video, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", JPEG_QUALITY));
}

/** The name of the message for a camera that doesn't start. */
function problemOf(failure) {
  if (failure.name === "NotAllowedError" || failure.name === "SecurityError") return "cameraDenied";
  if (failure.name === "NotFoundError" || failure.name === "OverconstrainedError") return "cameraMissing";
  return "cameraBusy";
}

/** Resolves to the accepted photo, or null. */
export function shoot() {
  if (!navigator.mediaDevices?.getUserMedia) return askPhone();

  const dialog = template("camera-template");
  const part = (name) => dialog.querySelector(`[data-${name}]`);
  const video = dialog.querySelector("video");
  const shot = part("shot");
  let stream = null;
  let facing = "environment";
  let photo = null;
  let result = null;

  const stop = () => stream?.getTracks().forEach((track) => track.stop());

  const showCamera = () => {
    photo = null;
    if (shot.src) URL.revokeObjectURL(shot.src);
    shot.removeAttribute("src");
    shot.hidden = true;
    part("retake").hidden = true;
    part("ok").hidden = true;
    part("shutter").hidden = false;
    part("shutter").focus();
  };

  const showShot = () => {
    shot.src = URL.createObjectURL(photo);
    shot.hidden = false;
    part("retake").hidden = false;
    part("ok").hidden = false;
    part("shutter").hidden = true;
    part("switch").hidden = true;
    part("ok").focus();
  };

  const start = async () => {
    stop();
    part("shutter").disabled = true;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: facing, ...WANTED }, audio: false });
      if (!dialog.open) return stop();
      video.srcObject = stream;
      await video.play();
      part("shutter").disabled = false;
      const devices = await navigator.mediaDevices.enumerateDevices();
      part("switch").hidden = devices.filter((device) => device.kind === "videoinput").length < 2;
    } catch (failure) {
      if (!dialog.open) return;
      part("why").textContent = text(problemOf(failure));
      part("shutter").hidden = true;
      part("fallback").hidden = false;
    }
  };

  part("shutter").addEventListener("click", async () => {
    photo = await frameOf(video);
    if (photo) showShot();
  });
  part("retake").addEventListener("click", () => {
    showCamera();
    if (!stream?.active) start();
  });
  part("ok").addEventListener("click", () => {
    result = photo;
    dialog.close();
  });
  part("switch").addEventListener("click", () => {
    facing = facing === "environment" ? "user" : "environment";
    start();
  });
  part("close").addEventListener("click", () => dialog.close());
  for (const input of part("fallback").querySelectorAll("input")) {
    input.addEventListener("change", () => {
      result = input.files[0] ?? null;
      if (result) dialog.close();
    });
  }

  document.body.append(dialog);
  showModal(dialog);
  start();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      stop();
      if (shot.src) URL.revokeObjectURL(shot.src);
      dialog.remove();
      resolve(result);
    }, { once: true });
  });
}
