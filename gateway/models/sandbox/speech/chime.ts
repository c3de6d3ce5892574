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
