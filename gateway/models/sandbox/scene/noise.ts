import type { Random } from "../seed.ts";

const tableSize = 256;

/** Smooth noise along a line, -1..1. */
export function lineNoise(random: Random): (x: number) => number {
  const table = Float64Array.from({ length: tableSize }, () => random.next() * 2 - 1);
  const at = (index: number) => table[((index % tableSize) + tableSize) % tableSize] ?? 0;
  return (x) => {
    const left = Math.floor(x);
    const part = x - left;
    return at(left) + (at(left + 1) - at(left)) * part * part * (3 - 2 * part);
  };
}

/** Octaves of line noise: mountains, dunes, shores. Roughness 0.3 (soft) .. 0.6 (rugged); about -1..1. */
export function ridgeNoise(random: Random, octaves: number, roughness: number): (x: number) => number {
  const layers = Array.from({ length: octaves }, (_, octave) => ({
    noise: lineNoise(random.fork(`octave ${octave}`)),
    scale: 2 ** octave,
    weight: roughness ** octave,
  }));
  const total = layers.reduce((sum, layer) => sum + layer.weight, 0);
  return (x) =>
    layers.reduce((sum, layer) => sum + layer.noise(x * layer.scale + 17) * layer.weight, 0) / total;
}

/** Smooth noise on a plane, 0..1, of several octaves: clouds, nebulae, haze. */
export function planeNoise(random: Random, octaves: number): (x: number, y: number) => number {
  const table = Float64Array.from({ length: tableSize * tableSize }, () => random.next());
  const at = (x: number, y: number) =>
    table[
      (((y % tableSize) + tableSize) % tableSize) * tableSize + (((x % tableSize) + tableSize) % tableSize)
    ] ?? 0;
  const smooth = (part: number) => part * part * part * (part * (part * 6 - 15) + 10);
  const single = (x: number, y: number) => {
    const left = Math.floor(x);
    const top = Math.floor(y);
    const across = smooth(x - left);
    const down = smooth(y - top);
    const upper = at(left, top) + (at(left + 1, top) - at(left, top)) * across;
    const lower = at(left, top + 1) + (at(left + 1, top + 1) - at(left, top + 1)) * across;
    return upper + (lower - upper) * down;
  };
  return (x, y) => {
    let sum = 0;
    let weight = 0.5;
    let total = 0;
    for (let octave = 0; octave < octaves; octave++) {
      const scale = 2 ** octave;
      sum += single(x * scale + octave * 31.7, y * scale + octave * 11.3) * weight;
      total += weight;
      weight *= 0.5;
    }
    return sum / total;
  };
}
