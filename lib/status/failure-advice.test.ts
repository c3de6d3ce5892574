import { expect, it } from "vitest";
import { type GatewayFailure, localFailure } from "../gateway/result.ts";
import { failureAdvice } from "./failure-advice.ts";

it("offers to sign in on the same page", () => {
  const { signsIn, action } = failureAdvice(localFailure("signed_out", "Your session has expired."));
  expect([signsIn, action]).toEqual([true, undefined]);
});

it("advises how to fix a refused input, not only that a request failed", () => {
  const refused = (code: GatewayFailure["code"]) => ({
    ...localFailure("signed_out", "It is on the list of common passwords."),
    code,
    status: 400,
  });
  expect(failureAdvice(refused("password_too_common")).title).toBe("Choose a stronger password");
  expect(failureAdvice(refused("invalid_parameter"))).toEqual({
    title: "Check your input",
    advice: "It is on the list of common passwords.",
  });
});
