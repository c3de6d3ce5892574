import { describe, it } from "vitest";
import { expectIdenticalBody, operations, runTimeoutMs, setUpSnippetServer } from "./testing/run-snippet.ts";

setUpSnippetServer();

describe.each(operations)("$id", (operation) => {
  it.each(["bash", "python"])(
    "sends the identical body from %s",
    (language) => expectIdenticalBody(operation, language),
    runTimeoutMs,
  );
});
