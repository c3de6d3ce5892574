/** Sample rate in Hz. It is enough for speech, and a minute stays below 2 MB. */
const sampleRate = 16_000;

/** Converts a recording from the browser's microphone to a mono 16-bit WAV, which every model accepts. */
export async function recordingToWav(recording: Blob, name: string): Promise<File> {
  const context = new OfflineAudioContext(1, 1, sampleRate);
  const decoded = await context.decodeAudioData(await recording.arrayBuffer());
  return new File([wavBytes(mono(decoded), sampleRate)], name, { type: "audio/wav" });
}

function mono(buffer: AudioBuffer): Float32Array {
  const mixed = new Float32Array(buffer.length);
  for (let channel = 0; channel < buffer.numberOfChannels; channel += 1) {
    const samples = buffer.getChannelData(channel);
    for (let index = 0; index < mixed.length; index += 1)
      mixed[index] = (mixed[index] ?? 0) + (samples[index] ?? 0) / buffer.numberOfChannels;
  }
  return mixed;
}

/** Writes the RIFF header and the samples as 16-bit little-endian integers. */
export function wavBytes(samples: Float32Array, rate: number): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(44 + samples.length * 2));
  const text = (at: number, letters: string) => {
    for (let index = 0; index < letters.length; index += 1)
      view.setUint8(at + index, letters.charCodeAt(index));
  };
  text(0, "RIFF");
  view.setUint32(4, 36 + samples.length * 2, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, samples.length * 2, true);
  samples.forEach((sample, index) => {
    const clipped = Math.max(-1, Math.min(1, sample));
    view.setInt16(44 + index * 2, clipped < 0 ? clipped * 0x8000 : clipped * 0x7fff, true);
  });
  return view.buffer;
}
