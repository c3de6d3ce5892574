// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { forgetEndpoint, keepEndpoint, readKnownEndpoints } from "./known-endpoints.ts";

beforeEach(() => localStorage.clear());

const endpoint = {
  id: "we_1",
  url: "https://example.com",
  secretHint: "ab12",
  createdAt: "2026-11-20T10:00:00Z",
};

it("keeps, replaces and removes an endpoint", () => {
  keepEndpoint(localStorage, endpoint);
  keepEndpoint(localStorage, { ...endpoint, secretHint: "cd34" });
  expect(readKnownEndpoints(localStorage)).toEqual([{ ...endpoint, secretHint: "cd34" }]);
  forgetEndpoint(localStorage, "we_1");
  expect(readKnownEndpoints(localStorage)).toEqual([]);
});

it("never stores a secret, even when it gets one", () => {
  keepEndpoint(localStorage, { ...endpoint, secret: "whsec_never" } as typeof endpoint);
  expect(JSON.stringify({ ...localStorage })).not.toContain("whsec_never");
});

it("ignores other content in the storage", () => {
  localStorage.setItem("gatehouse.known-endpoints", "{broken");
  expect(readKnownEndpoints(localStorage)).toEqual([]);
});
