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
  it(
    "accepts requests with the gateway's signature and refuses all others",
    () => expectToVerify(id),
    startTimeoutMs,
  );
});

it(
  "the curl script's request is accepted by a receiver, and refused with another secret",
  expectCurlToSign,
  startTimeoutMs,
);
