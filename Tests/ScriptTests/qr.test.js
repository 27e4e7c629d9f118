// The scanner's QR code reader, with codes from an independent generator.
import assert from "node:assert/strict";
import { readCode } from "../../Sources/WebCore/Embedded/static/js/qr/read.js";
import { picture } from "./picture.js";

const { success, stdout } = new Deno.Command(".tools/e2e/bin/python", {
  args: ["Tests/ScriptTests/qr-codes.py"], stderr: "inherit",
}).outputSync();
assert(success, "the generator failed");

for (const { name, text, rows, view } of JSON.parse(new TextDecoder().decode(stdout))) {
  Deno.test(`QR code is read: ${name}`, () => assert.equal(readCode(picture(rows, view)), text));
}

Deno.test("A picture without a code has no text", () => {
  const width = 64;
  assert.equal(readCode({ data: new Uint8ClampedArray(4 * width * width).fill(200), width, height: width }), null);
});
