// Relays a tracker's messages from Bluetooth to the server, and the responses back. Both are signed: this script can't
// change them, and doesn't read them.
import { bytesOfHex, hex, joined } from "./bluetooth-frames.js";

const ID_BYTES = 16;
const SIGNATURE_BYTES = 32;
const SIGNATURE = "Homeward-Signature";
const PATIENCE_MILLISECONDS = 15_000;
const UNKNOWN = [401, 404, 410];

function isOf(tracker, content) {
  return content.length > ID_BYTES + SIGNATURE_BYTES && hex(content.subarray(0, ID_BYTES)) === tracker.replaceAll("-", "");
}

/** Sends one message to the server and returns the response for the tracker: an empty one if the server doesn't know
 * the tracker, null if there is none that the tracker could verify. */
export async function relay(tracker, content) {
  if (!isOf(tracker, content)) return null;
  const end = content.length - SIGNATURE_BYTES;
  try {
    const answer = await fetch(`/trackers/${tracker}/messages`, {
      method: "POST",
      // The tracker authenticates itself; the reader's session isn't sent.
      credentials: "omit",
      headers: { "Content-Type": "application/json", Accept: "application/json", [SIGNATURE]: hex(content.subarray(end)) },
      body: content.slice(ID_BYTES, end),
      signal: AbortSignal.timeout?.(PATIENCE_MILLISECONDS),
    });
    const signature = answer.headers.get(SIGNATURE) ?? "";
    if (!/^[0-9a-f]{64}$/.test(signature)) return UNKNOWN.includes(answer.status) ? new Uint8Array() : null;
    const body = new Uint8Array(await answer.arrayBuffer());
    return joined([content.subarray(0, ID_BYTES), body, bytesOfHex(signature)]);
  } catch {
    // The tracker times out, and then uses another transport.
    return null;
  }
}
