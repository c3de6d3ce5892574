import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import sharp from "sharp";
import { landscapeVideo, speechAudio } from "#gateway/models/catalog/example-media.ts";
import { speechAs } from "#gateway/runs/execution/answers.ts";
import type { Made } from "#gateway/runs/provenance/signing/claim.ts";
import { Signer } from "#gateway/runs/provenance/signing/signer.ts";
import { writeSigningFiles } from "#gateway/testing/signing-certificate.ts";
import { median } from "./parts/figures.ts";

/*
 * How long signing an output takes in the signing thread, by format. This time is added to the time of a run.
 * The first signature also loads the library. The content is noise, so that pictures are as large as
 * possible.
 */
const rounds = 7;
const paddingBytes = 20_000_000;
const made: Made = { model: "svc/bench", engine: "pictures", sandbox: false, inputs: [] };

const bytesOf = (source: string) => Buffer.from(source.split(",")[1] ?? "", "base64");
const noise = (side: number) =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } });

/** An MP4 box that makes a video as large as needed. */
function mediaData(): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(paddingBytes + head.length);
  head.write("mdat", 4);
  return Buffer.concat([head, randomBytes(paddingBytes)]);
}

function longWav(): Buffer {
  const head = Buffer.from(bytesOf(speechAudio).subarray(0, 44));
  head.writeUInt32LE(paddingBytes + head.length - 8, 4);
  head.writeUInt32LE(paddingBytes, 40);
  return Buffer.concat([head, randomBytes(paddingBytes)]);
}

const wav = {
  kind: "speech",
  audio: bytesOf(speechAudio),
  usage: { unit: "character", quantity: 1 },
} as const;
const files: [string, Buffer][] = [
  ["image/png", await noise(1_024).png().toBuffer()],
  ["image/png", await noise(2_048).png().toBuffer()],
  ["image/jpeg", await noise(2_048).jpeg().toBuffer()],
  ["image/webp", await noise(1_024).webp().toBuffer()],
  ["image/gif", await noise(1_024).gif().toBuffer()],
  ["video/mp4", Buffer.concat([bytesOf(landscapeVideo), mediaData()])],
  ["audio/wav", longWav()],
  ["audio/mpeg", (await speechAs("mp3", wav)).bytes],
];

const folder = mkdtempSync(path.join(tmpdir(), "gatehouse-bench-"));
try {
  const signer = await Signer.open({
    files: await writeSigningFiles(folder, { organisation: "Bench" }),
    log: pino({ level: "warn" }),
  });
  const timed = async ([contentType, bytes]: [string, Buffer]) => {
    const startedMs = performance.now();
    const file = { contentType, sizeBytes: bytes.length, bytes: async () => bytes };
    const signed = await signer.sign(file, made);
    if (!signed) throw new Error(`${contentType} was not signed`);
    return { ms: performance.now() - startedMs, added: signed.bytes.length - bytes.length };
  };
  const [first] = files;
  if (first) console.log(`the first one, which loads the library: ${(await timed(first)).ms.toFixed(0)} ms`);
  for (const file of files) {
    const runs = [];
    for (let round = 0; round < rounds; round += 1) runs.push(await timed(file));
    const ms = median(runs.map((run) => run.ms)).toFixed(1);
    const size = (file[1].length / 1e6).toFixed(2);
    console.log(
      `${file[0].padEnd(12)} ${size.padStart(6)} MB  ${ms.padStart(6)} ms  +${runs[0]?.added} bytes`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
