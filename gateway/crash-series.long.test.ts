import { it } from "vitest";
import { killSeries } from "./testing/kill-series.ts";

it(
  "the program is killed fifty times at any moment: every prediction ends once, and its event is delivered",
  () => killSeries(50),
  900_000,
);
