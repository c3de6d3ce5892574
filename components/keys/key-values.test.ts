import { expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { limitProblem } from "./budget-values.ts";
import { keyLook } from "./key-labels.ts";
import { keyBody, newKeyValues } from "./key-values.ts";

const nowMs = Date.parse("2026-11-20T10:00:00.000Z");

it("requests no limit if the form has none", () => {
  expect(keyBody({ ...newKeyValues, name: " ci " }, nowMs)).toMatchObject({
    name: "ci",
    models: null,
    regions: null,
    allowed_origins: null,
    networks: null,
    requests_per_minute: null,
    max_concurrency: null,
    monthly_budget: null,
  });
});

it("proposes only the permissions for running models, for 90 days", () => {
  expect(keyBody(newKeyValues, nowMs)).toMatchObject({
    scopes: ["inference", "predictions", "uploads"],
    expires_at: "2027-02-18T10:00:00.000Z",
  });
  expect(keyBody({ ...newKeyValues, lifetime: "never" }, nowMs).expires_at).toBeNull();
});

it("converts limits and lifetime to the gateway's fields", () => {
  const values = { ...newKeyValues, models: ["svc/chat-1"], requests_per_minute: "60", lifetime: "30d" };
  expect(keyBody(values, nowMs)).toMatchObject({
    models: ["svc/chat-1"],
    requests_per_minute: 60,
    expires_at: "2026-12-20T10:00:00.000Z",
  });
});

it.each([
  ["", undefined],
  ["5", undefined],
  ["0", "whole number"],
  ["1.5", "whole number"],
  ["11", "from 1 to 10"],
])("checks the limit %j", (text, problem) => {
  const said = limitProblem(english("amounts"), text, { minimum: 1, maximum: 10 });
  if (problem === undefined) expect(said).toBeUndefined();
  else expect(said).toContain(problem);
});

it("recognises an expired or revoked key", () => {
  expect(
    keyLook({ revoked_at: null, expires_at: "2026-11-20T09:59:59Z" }, nowMs, english("keys")).label,
  ).toBe("Expired");
  expect(
    keyLook({ revoked_at: "2026-11-01T00:00:00Z", expires_at: null }, nowMs, english("keys")).usable,
  ).toBe(false);
  expect(keyLook({ revoked_at: null, expires_at: null }, nowMs, english("keys")).usable).toBe(true);
});
