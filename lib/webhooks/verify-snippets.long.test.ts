import { describe, it } from "vitest";
import {
  expectCurlToSign,
  expectToVerify,
  receivers,
  setUpSnippets,
  startTimeoutMs,
} from "./testing/run-verify-snippet.ts";

setUpSnippets();

describe.each(receivers.other)("the %s receiver", (id) => {
  it("accepts what the gateway signs and refuses the rest", () => expectToVerify(id), startTimeoutMs);
});

it(
  "the curl script is accepted by a receiver, and refused with another secret",
  expectCurlToSign,
  startTimeoutMs,
);
