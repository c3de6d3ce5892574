/** An account may begin another run while it holds less than this many times what is free. */
const freeTimes = 3;

/**
 * How many more places an account may take, where it holds `own` and `free` are free. One account alone gets three
 * quarters of all places; with several each gets less, so that some always stay free for an account that comes anew.
 */
export function fairShare(free: number, own: number): number {
  if (free <= 0) return 0;
  return Math.max(0, Math.ceil((freeTimes * free - own + freeTimes + 1) / (freeTimes + 1)) - 1);
}
