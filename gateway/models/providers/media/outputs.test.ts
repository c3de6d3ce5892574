import { expect, it } from "vitest";
import { wavOf } from "./outputs.ts";

const sampleBytes = 3200;

/** A WAV from a streaming upstream, with a header written before the length was known. */
function streamedWav(dataSize: number): Buffer {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(dataSize, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(dataSize, 40);
  return Buffer.concat([header, Buffer.alloc(sampleBytes, 1)]);
}

it.each([0, 0xffffffff, 0x7fffffff])("fills in the length of streamed speech, left as %i", (dataSize) => {
  const whole = wavOf(streamedWav(dataSize));
  expect(whole.readUInt32LE(40)).toBe(sampleBytes);
  expect(whole.readUInt32LE(4)).toBe(whole.length - 8);
});
