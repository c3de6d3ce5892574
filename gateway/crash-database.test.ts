import { it } from "vitest";
import { databaseOutage } from "./testing/database-outage.ts";

const awayMs = 4_000;

it.concurrent.each(["stopped", "frozen"] as const)(
  "PostgreSQL %s for some seconds under load: no restart, nothing lost, nothing late",
  (outage) => databaseOutage(outage, awayMs),
  300_000,
);
