import { expect, it } from "vitest";
import { compiledPart } from "@/messages/compile";
import { wordsOf } from "@/messages/words";
import { placeOf } from "./place.ts";

it("says where a region is in the reader's language, and what the gateway says of a newer region", () => {
  const zh = wordsOf<"status">(compiledPart("zh-CN", "status"), "zh-CN", "UTC");
  expect(placeOf(zh, { id: "eu-frankfurt", name: "Frankfurt" })).toBe("法兰克福");
  expect(placeOf(zh, { id: "eu-oslo", name: "Oslo" })).toBe("Oslo");
});
