import type { ResendCreate } from "#contract/resends.ts";
import { type EventType, eventTypes, type ResendInclude } from "#contract/webhook-constants.ts";

/** The values of the dialog for sending events again. */
export interface ResendValues {
  period: string;
  /** In the browser's time zone, for the period "from". */
  from: string;
  type: string;
  include: ResendInclude;
  rate: string;
}

const hourMs = 3_600_000;

export const periods = [
  { value: "1h", label: "The last hour", ms: hourMs },
  { value: "24h", label: "The last 24 hours", ms: 24 * hourMs },
  { value: "7d", label: "The last 7 days", ms: 7 * 24 * hourMs },
  { value: "from", label: "A time…", ms: null },
] as const;

/** The request to the gateway. Null while no time is chosen. */
export function resendRequest(
  { period, from, type, include, rate }: ResendValues,
  nowMs: number,
): ResendCreate | null {
  const ms = periods.find(({ value }) => value === period)?.ms ?? null;
  const sinceMs = ms === null ? Date.parse(from) : nowMs - ms;
  if (Number.isNaN(sinceMs)) return null;
  return {
    since: new Date(sinceMs).toISOString(),
    include,
    ...(isEventType(type) && { types: [type] }),
    ...(/^\d+$/.test(rate.trim()) && { rate_per_second: Number(rate) }),
  };
}

function isEventType(type: string): type is EventType {
  return eventTypes.some((known) => known === type);
}
