import { it } from "vitest";
import { batchKillSeries } from "#gateway/testing/batch-kill-series.ts";

it(
  "if the gateway is killed ten times during 1,000 chats and 60 pictures, each row runs once and each batch ends with one event",
  () => batchKillSeries({ kills: 10, chats: 1_000, pictures: 60, concurrency: 10 }),
  900_000,
);
