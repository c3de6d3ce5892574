/** Numbers from 0 to below 1 whose order depends on the seed. */
export type Random = () => number;

/**
 * Random numbers for a test of timing, with the seed printed. TEST_SEED=<seed> draws the same numbers again;
 * what the machine does between them still differs.
 */
export function seededRandom(name: string): Random {
  const given = Number(process.env.TEST_SEED);
  const seed = Number.isInteger(given) && given > 0 ? given : 1 + Math.floor(Math.random() * 0xffff_ffff);
  console.log(`${name}: TEST_SEED=${seed}`);
  return mulberry32(seed);
}

/** The mulberry32 generator: short, and even enough for tests. */
function mulberry32(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
