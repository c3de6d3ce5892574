/** A calendar month in UTC. */
export interface Month {
  /** `2026-11`. */
  name: string;
  startsAt: Date;
  /** The beginning of the next month. */
  endsAt: Date;
  /** `2026-11-01`. */
  firstDay: string;
  nextFirstDay: string;
}

/** The month of a moment. */
export function monthOf(atMs: number): Month {
  const at = new Date(atMs);
  const startsAt = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
  const endsAt = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
  return {
    name: startsAt.toISOString().slice(0, 7),
    startsAt,
    endsAt,
    firstDay: dayOf(startsAt.getTime()),
    nextFirstDay: dayOf(endsAt.getTime()),
  };
}

/** The date of a moment in UTC. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
