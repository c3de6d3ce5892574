import { it } from "vitest";
import { answersInOutage } from "./testing/answers-in-outage.ts";
import type { Absence } from "./testing/relay.ts";

/**
 * Outages of different lengths: shorter than a lease, longer than one, longer than two, and almost as long as
 * a sole holder's.
 */
const outages: [seconds: number, how: Absence][] = [
  [10, "refused"],
  [30, "silent"],
  [60, "refused"],
  [110, "silent"],
];

it.concurrent.each(outages)(
  "a database that is unavailable for %i s (%s): each answer of an upstream is saved, and nothing runs twice",
  (seconds, how) => answersInOutage(how, seconds * 1_000),
  400_000,
);
