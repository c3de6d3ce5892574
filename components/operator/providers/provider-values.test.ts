import { expect, it } from "vitest";
import type { ProviderPreset } from "#contract/operator/providers.ts";
import {
  looksPrivate,
  newProviderValues,
  type ProviderValues,
  providerBody,
  regionsFor,
} from "./provider-values.ts";

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

it("sends the results' origin of a private server, and nothing for a public one", () => {
  const preset = { id: "openai-compatible", protocol: "openai", base_urls: {} } as ProviderPreset;
  const values: ProviderValues = {
    name: "lab",
    address: "http://10.0.0.5:8000/v1",
    credential: { kind: "none", key: "", ref: "" },
    regions: ["us-virginia"],
    allowPrivate: true,
    outputOrigins: "http://10.0.0.6:9000\n",
  };
  expect(providerBody(values, preset)).toMatchObject({
    settings: { output_origins: ["http://10.0.0.6:9000"] },
  });
  expect(providerBody({ ...values, allowPrivate: false }, preset).settings).toBeUndefined();
});

it("proposes one region for the operator's own server, and all that are needed for a service", () => {
  const regionsOf = (place: ProviderPreset["place"]) =>
    newProviderValues({ id: "x", place, base_urls: {} } as ProviderPreset, {
      homeRegion: "us-virginia",
      neededRegions: ["us-virginia", "cn-beijing"],
      takenNames: [],
    }).regions;
  expect(regionsOf("local")).toEqual(["us-virginia"]);
  expect(regionsOf("other")).toEqual(["us-virginia"]);
  expect(regionsOf("cloud")).toEqual(["us-virginia", "cn-beijing"]);
});

it.each([
  ["http://localhost:11434/v1", true],
  ["https://10.0.0.5/v1", true],
  ["http://models.example.com/v1", true],
  ["https://models.example.com/v1", false],
  ["http://", false],
])("offers to allow %s before the gateway refuses it: %s", (address, isOffered) => {
  expect(looksPrivate(address)).toBe(isOffered);
});
