import { describe, expect, it } from "vitest";
import { readSceneRequest } from "./scene-request.ts";

describe("the words of a prompt", () => {
  it.each([
    ["a neon city at night", "city", "night"],
    ["Fishing boats in the harbour, golden hour", "ocean", "golden"],
    ["night market, golden light", "", "night"],
    ["黄昏的海边", "ocean", "golden"],
    ["日落时的城市", "city", "golden"],
  ])("%s", (prompt, kind, time) => {
    const requested = readSceneRequest(prompt);
    if (kind) expect(requested.kind).toBe(kind);
    expect(requested.time).toBe(time);
  });

  it("matches whole words only, and finds every colour", () => {
    expect(readSceneRequest("a goldenrod hill").colors).toHaveLength(0);
    expect(readSceneRequest("teal and orange dunes").colors).toHaveLength(2);
  });

  it("derives the rest from the prompt alone", () => {
    expect(readSceneRequest("portrait of an astronaut cat")).toEqual(
      readSceneRequest("portrait of an astronaut cat"),
    );
  });
});
