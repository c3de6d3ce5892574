import { it } from "vitest";
import { answersInOutage } from "./testing/answers-in-outage.ts";
import type { Absence } from "./testing/relay.ts";

/** Each is longer than something else: than no lease, than an ordinary one, than two, and almost than a sole holder's. */
const outages: [seconds: number, how: Absence][] = [
  [10, "refused"],
  [30, "silent"],
  [60, "refused"],
  [110, "silent"],
];

it.concurrent.each(outages)(
  "a database that is away for %i s (%s): each answer of an upstream is saved, and nothing runs twice",
  (seconds, how) => answersInOutage(how, seconds * 1_000),
  400_000,
);
