import { expect, it } from "vitest";
import type { PriceComponent } from "#contract/operator/prices.ts";
import { compiledPart } from "@/messages/compile";
import { wordsOf } from "@/messages/words";
import { english } from "@/scripts/testing/english";
import { conditionLabel, rateLabel, shortRate } from "./rate-labels.ts";
import { usageLabel } from "./usage-label.ts";

const t = english("amounts");
const zh = wordsOf<"amounts">(compiledPart("zh-CN", "amounts"), "zh-CN", "UTC");
const input: PriceComponent = { kind: "input_token", rate: "1.25", per: 1_000_000 };
const image: PriceComponent = { kind: "image", rate: "0.04", per: 1 };

it("writes what was used with its unit", () => {
  expect(usageLabel(t, { quantity: 1, unit: "token" })).toBe("1 token");
  expect(usageLabel(t, { quantity: 1234.567, unit: "second" })).toBe("1,234.57 seconds");
  expect(usageLabel(t, { quantity: 2, unit: "page" })).toBe("2 pages");
  expect(usageLabel(zh, { quantity: 1234, unit: "token" })).toBe("1,234 个 Token");
});

it("writes rates and their conditions", () => {
  expect(rateLabel(t, input, "USD")).toBe("1.25 USD per 1,000,000 input tokens");
  expect(rateLabel(t, image, "USD")).toBe("0.04 USD per image");
  expect([shortRate(t, input), shortRate(t, image)]).toEqual(["1.25 / 1M input", "0.04 / image"]);
  expect(shortRate(t, { ...input, rate: "25000.5" })).toBe("25,000.5 / 1M input");
  expect(conditionLabel(t, { resolution: "720P", audio: true, context_above: 200_000 })).toBe(
    "720P, with sound, context above 200,000 tokens",
  );
  expect(rateLabel(zh, input, "USD")).toBe("1.25 USD / 1,000,000 个输入 Token");
  expect([rateLabel(zh, image, "USD"), shortRate(zh, image)]).toEqual(["0.04 USD / 张图片", "0.04 / 张图片"]);
  expect(conditionLabel(zh, { resolution: "720P", audio: true })).toBe("720P、含声音");
});
