import type { SpokenText } from "#gateway/models/providers/provider.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";

/** Speech in its final format: providers answer WAV, and the gateway makes the other formats from it. */
export interface Speech {
  bytes: Buffer;
  contentType: string;
}

/** The MP3 bit rate in kbit/s: speech needs little. */
const mp3Bitrate = 96;
/** Samples encoded at once: a second of speech or less. */
const stepSamples = 16_384;
const chunkHeader = 8;
const firstChunk = 12;
const pcmFormat = 1;
const sampleBytes = 2;

/**
 * Speech in the requested format: unchanged if the provider made that format, otherwise `wav`, `pcm` (its
 * samples, 16 bit, little-endian) or `mp3`. Throws `upstream_invalid_response` if it is not a WAV of whole
 * 16-bit samples.
 */
export async function speechAs(format: unknown, { audio: wav, contentType }: SpokenText): Promise<Speech> {
  if (contentType !== undefined) return { bytes: wav, contentType };
  if (format !== "pcm" && format !== "mp3") return { bytes: wav, contentType: "audio/wav" };
  const { samples, sampleRate, channels } = samplesOf(wav);
  if (format === "pcm")
    return { bytes: samples, contentType: `audio/pcm;rate=${sampleRate};channels=${channels}` };
  return { bytes: await mp3Of(samples, sampleRate, channels), contentType: "audio/mpeg" };
}

interface Samples {
  samples: Buffer;
  sampleRate: number;
  channels: number;
}

function samplesOf(wav: Buffer): Samples {
  let format: { sampleRate: number; channels: number } | null = null;
  for (let at = firstChunk; at + chunkHeader <= wav.length; ) {
    const id = wav.toString("latin1", at, at + 4);
    const size = wav.readUInt32LE(at + 4);
    const body = wav.subarray(at + chunkHeader, at + chunkHeader + size);
    if (
      id === "fmt " &&
      body.length >= 16 &&
      body.readUInt16LE(0) === pcmFormat &&
      body.readUInt16LE(14) === 16
    )
      format = { channels: body.readUInt16LE(2), sampleRate: body.readUInt32LE(4) };
    if (id === "data" && format) return { ...format, samples: body };
    at += chunkHeader + size + (size % 2);
  }
  throw new ApiError(
    "upstream_invalid_response",
    "The provider's speech is not a WAV of 16-bit samples, so only response_format wav is possible.",
  );
}

async function mp3Of(samples: Buffer, sampleRate: number, channels: number): Promise<Buffer> {
  const { createMp3Encoder } = await import("wasm-media-encoders");
  const encoder = await createMp3Encoder();
  const kept = channels === 1 ? 1 : 2;
  encoder.configure({ channels: kept, sampleRate, bitrate: mp3Bitrate });
  const pause = yieldToEventLoop();
  const frames = Math.floor(samples.length / (sampleBytes * channels));
  const parts: Buffer[] = [];
  for (let from = 0; from < frames; from += stepSamples) {
    const count = Math.min(stepSamples, frames - from);
    const step = Array.from({ length: kept }, (_, channel) =>
      Float32Array.from(
        { length: count },
        (_, at) => samples.readInt16LE(((from + at) * channels + channel) * sampleBytes) / 32_768,
      ),
    );
    // The encoder reuses its output memory, so the bytes are copied.
    parts.push(Buffer.from(encoder.encode(step)));
    await pause();
  }
  parts.push(Buffer.from(encoder.finalize()));
  return Buffer.concat(parts);
}
