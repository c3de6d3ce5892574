import { describe, expect, it } from "vitest";
import { expectToVerify, receivers, setUpSnippets, startTimeoutMs } from "./testing/run-verify-snippet.ts";
import { verifySnippets } from "./verify-snippets.ts";

setUpSnippets();

describe.each(receivers.node)("the %s receiver", (id) => {
  it(
    "accepts requests with the gateway's signature and refuses all others",
    () => expectToVerify(id),
    startTimeoutMs,
  );
});

it("has a test for every snippet", () => {
  const tested = [...receivers.node, ...receivers.other, "curl"];
  expect(verifySnippets.map(({ id }) => id).toSorted()).toEqual(tested.toSorted());
});
