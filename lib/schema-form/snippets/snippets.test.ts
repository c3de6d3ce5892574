import { describe, it } from "vitest";
import { expectIdenticalBody, operations, runTimeoutMs, setUpSnippetServer } from "./testing/run-snippet.ts";

setUpSnippetServer();

describe.each(operations)("$id", (operation) => {
  it(
    "sends the identical body from javascript",
    () => expectIdenticalBody(operation, "javascript"),
    runTimeoutMs,
  );
});
