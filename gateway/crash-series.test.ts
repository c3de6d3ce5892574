import { it } from "vitest";
import { killSeries } from "./testing/kill-series.ts";

it(
  "killed three times at any moment, every prediction ends once and its event is delivered",
  () => killSeries(3),
  300_000,
);
