// The link to a tracker: the reader chooses the device in the browser's dialog, then both sides exchange frames. Every
// failure is an error with the name of a message on the page.
import { cut, joiner } from "./bluetooth-frames.js";

const SERVICE = "7e5a0001-6b1c-4c1f-9a53-686f6d657764";
const IDENTITY = "7e5a0002-6b1c-4c1f-9a53-686f6d657764";
const INBOX = "7e5a0003-6b1c-4c1f-9a53-686f6d657764";
const OUTBOX = "7e5a0004-6b1c-4c1f-9a53-686f6d657764";
const CONNECT_MILLISECONDS = 20_000;
// Chromium on Linux may never settle connect() after a link was lost during an operation; only a new page connects
// then.
const RECONNECT_MILLISECONDS = 8_000;
const OPERATION_MILLISECONDS = 10_000;
const VERSION = 1;

/** The devices whose link was lost during an operation on this page. */
const interrupted = new WeakSet();

/** An error with the name of its message on the page. */
export function problem(name, note = "") {
  return Object.assign(new Error(name), { problem: name, note });
}

/** The result of a promise; rejects after the time-out, or when the signal is aborted. */
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
  // Not every browser reports availability.
  return (await navigator.bluetooth.getAvailability?.().catch(() => true)) === false;
}

/** Lets the reader choose a tracker. Call it directly in the handler of a tap: browsers require one. */
export async function choose() {
  try {
    return await navigator.bluetooth.requestDevice({ filters: [{ services: [SERVICE] }] });
  } catch (error) {
    if (["NotAllowedError", "SecurityError"].includes(error.name)) throw problem("denied");
    // Chromium uses the same error name for a cancelled dialog; only the message says that settings or the system
    // forbid Bluetooth.
    if (/disabled|denied/i.test(error.message)) throw problem("denied");
    if ((await isOff()) || /adapter/i.test(error.message)) throw problem("off");
    throw problem("cancelled");
  }
}

/** The devices that this page may use without a dialog; empty if the browser doesn't report them. */
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
    // Our trackers never send this.
  }
  throw problem("wrong");
}

/** Connects to a chosen device. The link calls `receive(message)` for each message, and `lost()` once when it ends.
 * Throws the problem "stuck" if the browser doesn't settle the attempt, so that the page must be reloaded. */
export async function connect(device, signal, { receive, lost }) {
  const server = device.gatt;
  let isOpen = true;
  let isStarted = false;
  let operating = Promise.resolve();
  let sending = Promise.resolve();
  let inbox, outbox, identity;
  const take = joiner();
  // Not every browser ends pending operations when the link ends.
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

  /** One operation on the device; the browser allows one at a time. `missing` lists the errors that mean that it
   * isn't a tracker. */
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
    /** The tracker's identity; each read after a register request returns a new challenge. */
    identity: async () => read(await operate(() => identity.readValue())),
    /** Writes a message frame by frame; the next message waits until it is complete. */
    send: (kind, content = new Uint8Array()) => {
      const sent = sending.then(async () => {
        for (const frame of cut(kind, content)) await operate(() => inbox.writeValueWithResponse(frame));
      });
      sending = sent.catch(() => {});
      return sent;
    },
  };
}
