/** An account may begin another run while it holds less than this many times what is free. */
const freeTimes = 3;

/** Whether an account that holds `own` slots may take another one of these: nobody's work takes the last that are free. */
export function mayTakeSlot(free: number, own: number): boolean {
  return own < freeTimes * free;
}

/**
 * How many more slots an account may take when it holds `own` and `free` are free. A single account gets three quarters
 * of all slots; with several each gets less, so that a slot is free when another account has work.
 */
export function fairShare(free: number, own: number): number {
  if (free <= 0) return 0;
  return Math.max(0, Math.ceil((freeTimes * free - own + freeTimes + 1) / (freeTimes + 1)) - 1);
}

/** The same in SQL, for accounts that hold nothing: each one's share of `free`, a parameter, among the accounts of the query. */
export function fairShareSql(free: string): string {
  return `greatest(1, (${freeTimes} * ${free} + ${freeTimes}) / (1 + ${freeTimes} * count(*) over ()))`;
}
