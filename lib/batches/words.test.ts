import { expect, it } from "vitest";
import { progressWords } from "./words.ts";

const counts = { total: 1000, queued: 0, running: 0, succeeded: 369, failed: 2, canceled: 629 };

it("tells rows that ran from those that a stop has canceled", () => {
  expect(progressWords(counts)).toBe("371 of 1,000 rows ran, 2 failed, 629 canceled");
});
