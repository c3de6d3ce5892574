import { it } from "vitest";
import { killSeries } from "./testing/kill-series.ts";

it(
  "killed fifty times at any moment, every prediction ends once and its event is delivered",
  () => killSeries(50),
  900_000,
);
