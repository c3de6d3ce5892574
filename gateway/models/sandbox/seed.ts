import { createHash } from "node:crypto";

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
