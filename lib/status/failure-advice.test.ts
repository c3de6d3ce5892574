// @vitest-environment happy-dom
import { afterEach, expect, it } from "vitest";
import { localFailure } from "../gateway/result.ts";
import { failureAdvice } from "./failure-advice.ts";

afterEach(() => window.history.replaceState(null, "", "/"));

it("leads to sign in beside the page, and back to it", () => {
  window.history.replaceState(null, "", "/keys?after=key_1");
  const { action } = failureAdvice(localFailure("signed_out", "Your session has ended."));
  expect(action).toMatchObject({ target: "_blank" });
  const href = new URL(action?.href ?? "", "http://console");
  expect(Object.fromEntries(href.searchParams)).toEqual({ from: "/keys?after=key_1", reason: "ended" });
});
