import { expect, test } from "vitest";
import type { Endpoint } from "#contract/webhook.ts";
import { english } from "../../scripts/testing/english.ts";
import { changeOf, creationOf, emptyEndpoint, rateProblem, valuesOfEndpoint } from "./endpoint-values.ts";

const endpoint = {
  url: "https://example.com/hooks",
  description: null,
  events: ["prediction.failed"],
  headers: [{ name: "authorization" }],
  rate_per_second: 5,
  models: ["acme/one", "acme/two"],
  keys: null,
} as unknown as Endpoint;

test("a form that is saved unchanged sends no value", () => {
  expect(changeOf(valuesOfEndpoint(endpoint))).toEqual({
    url: "https://example.com/hooks",
    description: null,
    ed25519: false,
    events: ["prediction.failed"],
    headers: [{ name: "authorization" }],
    rate_per_second: 5,
    models: ["acme/one", "acme/two"],
    keys: null,
  });
});

test("a new endpoint sends only the fields that the user filled in", () => {
  const url = " https://example.com ";
  expect(creationOf({ ...emptyEndpoint, url })).toEqual({
    url: "https://example.com",
    events: emptyEndpoint.events,
  });
  const headers = [
    { name: "x-team", value: "media", isKept: false },
    { name: "", value: "", isKept: false },
  ];
  expect(
    creationOf({ ...emptyEndpoint, url, headers, models: ["a/b", "c/d"], rate_per_second: "7" }),
  ).toMatchObject({
    headers: [{ name: "x-team", value: "media" }],
    models: ["a/b", "c/d"],
    rate_per_second: 7,
  });
});

test("a rate is a whole number within its limits, or empty", () => {
  const t = english("webhooks");
  for (const text of ["", " ", "1", "1000"]) expect(rateProblem(t, text)).toBeNull();
  for (const text of ["0", "1001", "1.5", "-1", "ten"]) expect(rateProblem(t, text)).toMatch(/whole number/);
});
