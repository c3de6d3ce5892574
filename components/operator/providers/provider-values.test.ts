import { expect, it } from "vitest";
import { regionsFor } from "./provider-values.ts";

it("proposes every region that a model of the provider's kinds needs, and the home region", () => {
  const models = [
    { api_types: ["image-generation" as const], available_regions: ["cn-beijing" as const] },
    { api_types: ["video-generation" as const], available_regions: ["sg-singapore" as const] },
    { api_types: ["chat-completions" as const], available_regions: ["jp-tokyo" as const] },
  ];
  const proposed = regionsFor(["image-generation", "video-generation"], models, "us-virginia");
  expect(proposed.toSorted()).toEqual(["cn-beijing", "sg-singapore", "us-virginia"]);
  expect(regionsFor([], models, "us-oregon")).toEqual(["us-oregon"]);
});
