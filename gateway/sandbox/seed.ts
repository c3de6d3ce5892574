import { createHash } from "node:crypto";
import { hashOfJson } from "#gateway/platform/core/canonical-json.ts";

/** Random numbers that are the same for the same seed on every machine. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  between(low: number, high: number): number;
  /** A whole number, including both ends. */
  whole(low: number, high: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  chance(probability: number): boolean;
  /** Another generator from the same seed, so that drawing more of one thing does not change the others. */
  fork(label: string): Random;
}

/** sfc32, started from a hash of `seed`. */
export function randomFrom(seed: string): Random {
  const digest = createHash("sha256").update(seed).digest();
  let a = digest.readUInt32LE(0);
  let b = digest.readUInt32LE(4);
  let c = digest.readUInt32LE(8);
  let counter = digest.readUInt32LE(12);
  const next = (): number => {
    const sum = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 4294967296;
  };
  return {
    next,
    between: (low, high) => low + (high - low) * next(),
    whole: (low, high) => low + Math.floor((high - low + 1) * next()),
    pick: (items) => items[Math.floor(items.length * next())] ?? items[0],
    chance: (probability) => next() < probability,
    fork: (label) => randomFrom(`${seed}/${label}`),
  };
}

/** The seed of a request without one: a hash of the whole request, 0..2147483647. */
export function seedOf(...request: unknown[]): number {
  return createHash("sha256").update(stable(request)).digest().readUInt32BE(0) >>> 1;
}

/** The same for a request that may be large: other requests proceed while it is hashed. */
export async function seedInTurns(...request: unknown[]): Promise<number> {
  return Number.parseInt((await hashOfJson(request)).slice(0, 8), 16) >>> 1;
}

/** JSON with sorted keys, so that the order of a body does not matter. */
function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(",")}]`;
  if (value !== null && typeof value === "object")
    return `{${Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, item]) => `${JSON.stringify(key)}:${stable(item)}`)
      .join(",")}}`;
  return JSON.stringify(value) ?? "null";
}

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
