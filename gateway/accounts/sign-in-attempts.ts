import { ApiError } from "#gateway/http/api-error.ts";

/** Attempts per e-mail address and minute, but those that signed in, before 429. */
const attemptsPerMinute = 10;
const windowMs = 60_000;
/** With more addresses than this, those whose attempts have passed are dropped. */
const sweepAbove = 1_000;

/** When each attempt of an address began. */
const attempts = new Map<string, number[]>();

/**
 * Counts an attempt before its password is checked: of many that come at once each sees those before it. `withdraw` is
 * for one whose password was not checked. Throws `rate_limit_exceeded`.
 */
export function countAttempt(email: string): { withdraw(): void } {
  const at = Date.now();
  const recent = recentOf(email, at);
  if (recent.length >= attemptsPerMinute)
    throw new ApiError("rate_limit_exceeded", "Too many wrong passwords. Wait a minute and try again.", {
      retryAfterSeconds: 60,
    });
  keep(email, [...recent, at]);
  if (attempts.size > sweepAbove) for (const known of [...attempts.keys()]) keep(known, recentOf(known, at));
  return {
    withdraw() {
      const counted = attempts.get(email) ?? [];
      const index = counted.indexOf(at);
      if (index >= 0) keep(email, counted.toSpliced(index, 1));
    },
  };
}

/** The right password makes up for the wrong ones before it. */
export function forgetAttempts(email: string): void {
  attempts.delete(email);
}

/** How many addresses are remembered. */
export function rememberedAddresses(): number {
  return attempts.size;
}

function recentOf(email: string, now: number): number[] {
  return (attempts.get(email) ?? []).filter((at) => at > now - windowMs);
}

function keep(email: string, times: number[]): void {
  if (times.length === 0) attempts.delete(email);
  else attempts.set(email, times);
}
