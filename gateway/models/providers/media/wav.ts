import { invalidAnswer } from "../http/read-body.ts";

const riffHeader = 12;
const chunkHeader = 8;

/**
 * Checks that bytes are a WAV file, and fills in the lengths that streaming upstreams leave out.
 * Throws `upstream_invalid_response`, so that an MP3 is never returned as WAV.
 */
export function wavOf(bytes: Buffer): Buffer {
  if (
    bytes.length < 44 ||
    bytes.toString("latin1", 0, 4) !== "RIFF" ||
    bytes.toString("latin1", 8, 12) !== "WAVE"
  )
    throw invalidAnswer("The provider's speech is not a WAV file.");
  const whole = Buffer.from(bytes);
  whole.writeUInt32LE(whole.length - chunkHeader, 4);
  let at = riffHeader;
  while (at + chunkHeader <= whole.length) {
    const id = whole.toString("latin1", at, at + 4);
    const size = whole.readUInt32LE(at + 4);
    const rest = whole.length - at - chunkHeader;
    const open = size > rest || (id === "data" && size === 0);
    if (id === "data" && open) whole.writeUInt32LE(rest, at + 4);
    if (open) break;
    at += chunkHeader + size + (size % 2);
  }
  return whole;
}
