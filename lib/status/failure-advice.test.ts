import { expect, it } from "vitest";
import { localFailure } from "../gateway/result.ts";
import { failureAdvice } from "./failure-advice.ts";

it("offers to sign in on the same page", () => {
  const { signsIn, action } = failureAdvice(localFailure("signed_out", "Your session has expired."));
  expect([signsIn, action]).toEqual([true, undefined]);
});
