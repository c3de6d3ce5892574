import { it } from "vitest";
import { killSeries } from "./testing/kill-series.ts";

it(
  "the program is killed thirty times at any moment: every prediction ends once, and its event is delivered",
  () => killSeries(30),
  900_000,
);
