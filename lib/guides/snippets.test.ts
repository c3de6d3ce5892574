import { describe, it } from "vitest";
import {
  casesIn,
  expectNothingUnnamed,
  expectToWork,
  setUpGuideSnippets,
  snippetTimeoutMs,
} from "./testing/run-guide-snippets.ts";

setUpGuideSnippets();

describe.concurrent.each(casesIn("javascript"))("$id in $language", (one) => {
  it("runs unchanged", () => expectToWork(one), snippetTimeoutMs);
});

it.each(["javascript"] as const)(
  "adds and retries nothing in %s when the reader has not named an endpoint",
  expectNothingUnnamed,
  snippetTimeoutMs,
);
