import { it } from "vitest";
import { databaseOutage } from "./testing/database-outage.ts";

/** Longer than any time-out of a query or of a connection. */
const awayMs = 20_000;

it.concurrent.each(["stopped", "frozen"] as const)(
  "PostgreSQL %s for 20 s under load: no restart, nothing lost, nothing late",
  (outage) => databaseOutage(outage, awayMs),
);
