// The link to a tracker: chosen by the reader in the browser's own window, then frames to and fro. Whatever fails is a
// Problem whose name has words on the page.
import { cut, joiner } from "./bluetooth-frames.js";

const SERVICE = "7e5a0001-6b1c-4c1f-9a53-686f6d657764";
const IDENTITY = "7e5a0002-6b1c-4c1f-9a53-686f6d657764";
const INBOX = "7e5a0003-6b1c-4c1f-9a53-686f6d657764";
const OUTBOX = "7e5a0004-6b1c-4c1f-9a53-686f6d657764";
const CONNECT_MILLISECONDS = 20_000;
// Chromium on Linux may never settle connect() after a link was lost during an operation; only a new page connects then.
const RECONNECT_MILLISECONDS = 8_000;
const OPERATION_MILLISECONDS = 10_000;
const VERSION = 1;

/** The devices whose link was lost during an operation on this page. */
const interrupted = new WeakSet();

/** Something that went wrong, by the name that its words have on the page. */
export function problem(name, note = "") {
  return Object.assign(new Error(name), { problem: name, note });
}

/** What a promise says, unless it takes longer, or the signal comes. */
export function inTime(milliseconds, name, promise, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(problem(name)), milliseconds);
    const stop = () => reject(problem("stopped"));
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    });
  });
}

export function isSupported() {
  return isSecureContext && typeof navigator.bluetooth?.requestDevice === "function";
}

async function isOff() {
  // Not every browser can tell.
  return (await navigator.bluetooth.getAvailability?.().catch(() => true)) === false;
}

/** Has the reader choose a tracker. To be called right after a tap: the browser opens its window for nothing else. */
export async function choose() {
  try {
    return await navigator.bluetooth.requestDevice({ filters: [{ services: [SERVICE] }] });
  } catch (error) {
    if (["NotAllowedError", "SecurityError"].includes(error.name)) throw problem("denied");
    // Chromium names a window that was closed the same; only its words tell what the settings or the system forbid.
    if (/disabled|denied/i.test(error.message)) throw problem("denied");
    if ((await isOff()) || /adapter/i.test(error.message)) throw problem("off");
    throw problem("cancelled");
  }
}

/** The devices that this page may use without asking; none where the browser doesn't tell. */
export async function allowed() {
  return (await navigator.bluetooth?.getDevices?.().catch(() => [])) ?? [];
}

function read(value) {
  try {
    const identity = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(value));
    const isHex = (text, digits) => typeof text === "string" && text.length === digits && /^[0-9a-f]+$/.test(text);
    const isWhole = isHex(identity.publicKey, 64) && isHex(identity.codeHash, 64) && isHex(identity.challenge, 32);
    if (identity.version === VERSION && isWhole) return identity;
  } catch {
    // No tracker of ours says that.
  }
  throw problem("wrong");
}

/** Connects to a chosen device. The link calls `receive(message)` for each message, and `lost()` once when it ends.
 * Throws the problem "stuck" where the browser doesn't settle the attempt and a reload of the page is needed. */
export async function connect(device, signal, { receive, lost }) {
  const server = device.gatt;
  let isOpen = true;
  let isStarted = false;
  let operating = Promise.resolve();
  let sending = Promise.resolve();
  let inbox, outbox, identity;
  const take = joiner();
  // Not every browser ends what is under way when the link ends.
  let end;
  const ended = new Promise((_, reject) => (end = reject));
  ended.catch(() => {});

  const onFrame = (event) => {
    const value = event.target.value;
    const message = take(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    if (message && isOpen) receive(message);
  };
  const onEnd = () => {
    if (!isOpen) return;
    close();
    if (isStarted) lost();
  };

  function close() {
    isOpen = false;
    end(problem("lost"));
    outbox?.removeEventListener("characteristicvaluechanged", onFrame);
    device.removeEventListener("gattserverdisconnected", onEnd);
    server.disconnect();
  }

  /** One operation on the device; the browser allows one at a time. `missing` are the errors that tell it is no tracker. */
  const operate = (operation, ...missing) => {
    const result = operating.then(async () => {
      if (!isOpen) throw problem("lost");
      try {
        return await inTime(OPERATION_MILLISECONDS, "lost", Promise.race([operation(), ended]), isStarted ? null : signal);
      } catch (error) {
        const failure = error.problem ? error : problem(server.connected && missing.includes(error.name) ? "wrong" : "lost");
        if (failure.problem === "lost") interrupted.add(device);
        throw failure;
      }
    });
    operating = result.catch(() => {});
    return result;
  };

  try {
    device.addEventListener("gattserverdisconnected", onEnd);
    const limit = interrupted.has(device) ? [RECONNECT_MILLISECONDS, "stuck"] : [CONNECT_MILLISECONDS, "range"];
    await inTime(...limit, server.connect(), signal).catch((error) => {
      throw error.problem ? error : problem("range");
    });
    const service = await operate(() => server.getPrimaryService(SERVICE), "NotFoundError");
    identity = await operate(() => service.getCharacteristic(IDENTITY), "NotFoundError");
    inbox = await operate(() => service.getCharacteristic(INBOX), "NotFoundError");
    outbox = await operate(() => service.getCharacteristic(OUTBOX), "NotFoundError");
    outbox.addEventListener("characteristicvaluechanged", onFrame);
    await operate(() => outbox.startNotifications(), "NotSupportedError");
    isStarted = true;
  } catch (error) {
    close();
    throw error;
  }

  return {
    device,
    close,
    isOpen: () => isOpen,
    /** Who the tracker says it is; each reading after a register request brings a new challenge. */
    identity: async () => read(await operate(() => identity.readValue())),
    /** Writes a message, frame by frame; another waits until it is whole. */
    send: (kind, content = new Uint8Array()) => {
      const sent = sending.then(async () => {
        for (const frame of cut(kind, content)) await operate(() => inbox.writeValueWithResponse(frame));
      });
      sending = sent.catch(() => {});
      return sent;
    },
  };
}
