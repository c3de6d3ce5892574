import { expect, it } from "vitest";
import { errorCatalogue, errorCodes } from "#contract/error.ts";
import { english } from "../../scripts/testing/english.ts";
import { requestAdvice } from "./request-advice.ts";

const t = english("requests");

const failed = (code: string, more: object = {}) => ({
  ...{ status: 400, code, param: null, model: null, wanted_model: null, guards: [] },
  ...more,
});

it("names the parameter and links to the inputs of the wanted model", () => {
  expect(
    requestAdvice(
      t,
      failed("invalid_parameter", { param: "temperature", wanted_model: "svc/chat-1" }),
      false,
    ),
  ).toEqual({
    text: "Correct temperature in the calling program, then send it again.",
    action: { label: "Inputs of svc/chat-1", href: "/catalog/svc/chat-1" },
  });
});

it("names no single parameter if some are missing, because there may be more", () => {
  const missing = failed("missing_parameter", { param: "model", wanted_model: "svc/chat-1" });
  expect(requestAdvice(t, missing, false)?.text).toBe("Correct the request, then send it again.");
});

it("asks for another value of the parameter that names nothing", () => {
  const unknown = failed("voice_not_found", { status: 404, param: "voice", wanted_model: "svc/tts-a-1" });
  expect(requestAdvice(t, unknown, false)?.text).toBe(
    "Correct voice in the calling program, then send it again.",
  );
});

it("leads to the catalog for an unknown model, never to a page of it", () => {
  const unknown = failed("model_not_found", { status: 404, wanted_model: "svc/none" });
  expect(requestAdvice(t, unknown, false)?.action).toEqual({ label: "Open the catalog", href: "/catalog" });
});

it("leads somebody who may add aliases to one with the name that the program used", () => {
  const unknown = failed("model_not_found", { status: 404, wanted_model: "acme/gpt-9" });
  expect(requestAdvice(t, unknown, true)?.action).toEqual({
    label: "Add this alias",
    href: "/aliases?name=acme%2Fgpt-9",
  });
});

it("says for each error what to do, and nothing for a success", () => {
  for (const code of errorCodes) {
    const { status } = errorCatalogue[code];
    expect(requestAdvice(t, failed(code, { status }), false)?.text, code).toMatch(/\.$/);
  }
  expect(requestAdvice(t, failed("", { status: 499, code: null }), false)?.text).toContain("disconnected");
  expect(requestAdvice(t, failed("", { status: 200, code: null }), false)).toBeNull();
});

it("does not invite to repeat a run that may have happened", () => {
  expect(requestAdvice(t, failed("upstream_outcome_unknown", { status: 502 }), false)?.text).toMatch(
    /before you send it again/,
  );
});

it("says whether a run that a guard blocked, or could not check, is counted", () => {
  const asked = (stage: "input" | "output", result: "blocked" | "failed") => ({
    guards: [{ of: "account" as const, stage, result, duration_ms: 9 }],
  });
  for (const [code, result] of [
    ["content_blocked", "blocked"],
    ["guard_unavailable", "failed"],
  ] as const) {
    const advice = (stage: "input" | "output") =>
      requestAdvice(t, failed(code, asked(stage, result)), false)?.text.toLowerCase();
    expect(advice("input")).toContain("nothing was charged");
    expect(advice("output")).toContain("counted, and charged if it has a price");
  }
});
