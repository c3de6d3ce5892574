import { it } from "vitest";
import { killSeries } from "./testing/kill-series.ts";

it(
  "killed seven times at any moment, every prediction ends once and its event is delivered",
  () => killSeries(7),
  300_000,
);
