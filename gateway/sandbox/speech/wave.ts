import { badInput } from "../failure.ts";

/** Sound in memory: one channel, -1..1. */
export interface Wave {
  rate: number;
  samples: Float32Array;
  channels: number;
  bits: number;
  /** The comment in its LIST/INFO chunk. */
  comment: string | null;
}

/** Reads a WAV file of integer or float samples; several channels are averaged. */
export function readWave(file: Buffer): Wave {
  if (
    file.length < 44 ||
    file.toString("latin1", 0, 4) !== "RIFF" ||
    file.toString("latin1", 8, 12) !== "WAVE"
  )
    throw badInput("The audio is not a WAV file.");
  let format: { tag: number; channels: number; rate: number; bits: number } | null = null;
  let data: Buffer | null = null;
  let comment: string | null = null;
  for (let place = 12; place + 8 <= file.length; ) {
    const id = file.toString("latin1", place, place + 4);
    const size = file.readUInt32LE(place + 4);
    const chunk = file.subarray(place + 8, Math.min(file.length, place + 8 + size));
    if (id === "fmt " && chunk.length >= 16) {
      const tag = chunk.readUInt16LE(0);
      format = {
        tag: tag === 0xfffe && chunk.length >= 26 ? chunk.readUInt16LE(24) : tag,
        channels: chunk.readUInt16LE(2),
        rate: chunk.readUInt32LE(4),
        bits: chunk.readUInt16LE(14),
      };
    }
    if (id === "data") data ??= chunk;
    if (id === "LIST") comment = commentOf(chunk);
    place += 8 + size + (size % 2);
  }
  if (!format || !data || format.channels < 1 || format.rate < 1000)
    throw badInput("The WAV file is broken: it has no usable format or data.");
  return {
    rate: format.rate,
    channels: format.channels,
    bits: format.bits,
    comment,
    samples: samplesOf(data, format.tag, format.channels, format.bits),
  };
}

function samplesOf(data: Buffer, tag: number, channels: number, bits: number): Float32Array {
  const bytes = bits / 8;
  const read = reader(data, tag, bits);
  if (!read) throw badInput(`WAV samples of ${bits} bits in format ${tag} are not supported.`);
  const frames = Math.floor(data.length / (bytes * channels));
  const samples = new Float32Array(frames);
  for (let frame = 0; frame < frames; frame++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) sum += read((frame * channels + channel) * bytes);
    samples[frame] = sum / channels;
  }
  return samples;
}

function reader(data: Buffer, tag: number, bits: number): ((place: number) => number) | null {
  if (tag === 3 && bits === 32) return (place) => data.readFloatLE(place);
  if (tag !== 1) return null;
  if (bits === 8) return (place) => (data.readUInt8(place) - 128) / 128;
  if (bits === 16) return (place) => data.readInt16LE(place) / 32768;
  if (bits === 24) return (place) => data.readIntLE(place, 3) / 8388608;
  if (bits === 32) return (place) => data.readInt32LE(place) / 2147483648;
  return null;
}

function commentOf(list: Buffer): string | null {
  if (list.toString("latin1", 0, 4) !== "INFO") return null;
  for (let place = 4; place + 8 <= list.length; ) {
    const size = list.readUInt32LE(place + 4);
    if (list.toString("latin1", place, place + 4) === "ICMT")
      return list.toString("utf8", place + 8, Math.min(list.length, place + 8 + size)).replace(/\0+$/, "");
    place += 8 + size + (size % 2);
  }
  return null;
}

/** A 16-bit WAV file with a comment that describes it. */
export function writeWave(samples: Float32Array, rate: number, comment: string): Buffer {
  const pcm = Buffer.alloc(samples.length * 2);
  for (let index = 0; index < samples.length; index++)
    pcm.writeInt16LE(Math.round(Math.max(-1, Math.min(1, samples[index] ?? 0)) * 32767), index * 2);
  const text = Buffer.from(`${comment}\0`, "utf8");
  const padded = Buffer.concat([text, Buffer.alloc(text.length % 2)]);
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt32LE(rate * 2, 8);
  format.writeUInt16LE(2, 12);
  format.writeUInt16LE(16, 14);
  const info = Buffer.concat([Buffer.from("INFO"), chunk("ICMT", padded, text.length)]);
  const body = Buffer.concat([
    Buffer.from("WAVE"),
    chunk("fmt ", format),
    chunk("LIST", info),
    chunk("data", pcm),
  ]);
  return chunk("RIFF", body);
}

function chunk(id: string, body: Buffer, size = body.length): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, 0, "latin1");
  head.writeUInt32LE(size, 4);
  return Buffer.concat([head, body]);
}

const noteSeconds = 0.16;

const notes = [1318.5, 1046.5];

/** The two soft notes at the end of every sandbox recording: the audible mark. */
export function chime(rate: number): Float32Array {
  const note = Math.round(noteSeconds * rate);
  const samples = new Float32Array(note * (notes.length + 1));
  notes.forEach((hertz, index) => {
    for (let offset = 0; offset < note * 2; offset++) {
      const place = index * note + offset;
      if (place >= samples.length) return;
      const attack = Math.min(1, offset / (rate * 0.006));
      const fall = Math.exp((-offset / note) * 3.2);
      samples[place] =
        (samples[place] ?? 0) + 0.14 * attack * fall * Math.sin((2 * Math.PI * hertz * offset) / rate);
    }
  });
  return samples;
}

/** One sound after another with a short silence between. */
export function join(parts: Float32Array[], rate: number, gapSeconds: number): Float32Array {
  const gap = Math.round(gapSeconds * rate);
  const length = parts.reduce((sum, part) => sum + part.length, 0) + gap * Math.max(0, parts.length - 1);
  const samples = new Float32Array(length);
  let place = 0;
  for (const part of parts) {
    samples.set(part, place);
    place += part.length + gap;
  }
  return samples;
}
