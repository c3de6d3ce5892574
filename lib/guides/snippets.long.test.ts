import { describe, it } from "vitest";
import { casesIn, expectToWork, setUpGuideSnippets, snippetTimeoutMs } from "./testing/run-guide-snippets.ts";

setUpGuideSnippets();

describe.concurrent.each([...casesIn("bash"), ...casesIn("python")])("$id in $language", (one) => {
  it("works as it stands", () => expectToWork(one), snippetTimeoutMs);
});
