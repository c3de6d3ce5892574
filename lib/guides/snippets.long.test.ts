import { describe, it } from "vitest";
import {
  casesIn,
  expectNothingUnnamed,
  expectToOutlastItsWait,
  expectToWork,
  setUpGuideSnippets,
  snippetTimeoutMs,
} from "./testing/run-guide-snippets.ts";

setUpGuideSnippets();

describe.concurrent.each([...casesIn("bash"), ...casesIn("python")])("$id in $language", (one) => {
  it("runs unchanged", () => expectToWork(one), snippetTimeoutMs);
});

it("prints the output of a run that takes longer than the replicate package waits", expectToOutlastItsWait);

it.each(["bash", "python"] as const)(
  "adds and retries nothing in %s when the reader has not named an endpoint",
  expectNothingUnnamed,
  snippetTimeoutMs,
);
