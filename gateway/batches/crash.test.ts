import { it } from "vitest";
import { batchKillSeries } from "#gateway/testing/batch-kill-series.ts";

it(
  "killed twice while batches run, each row runs once and each batch ends with one event",
  () => batchKillSeries({ kills: 2, chats: 40, pictures: 20, concurrency: 4 }),
  300_000,
);
