import { expect, it } from "vitest";
import { finishedPrediction } from "@/lib/timeline/testing/samples";
import { english } from "@/scripts/testing/english";
import { compareHref } from "../links.ts";
import { inputFacts, runFacts, timings } from "./compare-facts.ts";

const first = finishedPrediction({ id: "pred_1", input: { prompt: "a cat", seed: 1, size: "1K" } });
const second = finishedPrediction({ id: "pred_2", input: { prompt: "a cat", seed: 2 } });

it("puts keys with differences first, including keys that only one input has", () => {
  expect(inputFacts([first, second]).map(({ name, differs }) => [name, differs])).toEqual([
    ["seed", true],
    ["size", true],
    ["prompt", false],
  ]);
  expect(inputFacts([first, second])[1]?.values).toEqual(["1K", null]);
});

it("shows no input that was removed", () => {
  expect(inputFacts([finishedPrediction({ input: null })])).toEqual([]);
});

it("shows the files of the output and the billed units", () => {
  const made = finishedPrediction({
    usage: { unit: "second", quantity: 5 },
    data: [
      {
        url: "https://g/f",
        preview_url: null,
        gated: null,
        content_type: "video/mp4",
        size_bytes: 1_500_000,
        width: 640,
        height: 360,
        duration: 5,
      },
    ],
  });
  const facts = Object.fromEntries(
    runFacts(english("predictions"), english("amounts"), [made]).map(({ name, values }) => [name, values[0]]),
  );
  expect(facts.Files).toBe("1 · video/mp4 · 640 × 360 · 5 s · 1.5 MB");
  expect(facts.Usage).toBe("5 seconds");
});

it("measures all times on the scale of the longest", () => {
  const slow = finishedPrediction({ metrics: { queue_time: 1, predict_time: 9, total_time: 10 } });
  const quick = finishedPrediction({ metrics: { queue_time: 0, predict_time: 2, total_time: 2 } });
  expect(
    timings(english("predictions"), [slow, quick]).map(({ name, values, longest }) => [
      name,
      ...values,
      longest,
    ]),
  ).toEqual([
    ["Queue", 1, 0, 10],
    ["Run", 9, 2, 10],
    ["Total", 10, 2, 10],
  ]);
});

it("links at most four predictions, each once", () => {
  expect(compareHref(["a", "b", "a", "c", "d", "e"])).toBe("/predictions/compare?ids=a,b,c,d");
});
