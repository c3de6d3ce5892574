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
  it("works as it stands", () => expectToWork(one), snippetTimeoutMs);
});

it(
  "prints the output of a run that is longer than the wait of the replicate package",
  expectToOutlastItsWait,
  300_000,
);

it.each(["bash", "python"] as const)(
  "adds and retries nothing in %s for an endpoint that the reader did not name",
  expectNothingUnnamed,
  snippetTimeoutMs,
);
