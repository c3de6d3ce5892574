import { expect, it } from "vitest";
import { keyVariable, withKey } from "../../key-variable.ts";
import { snippetsFor } from "./snippets.ts";
import { operations } from "./testing/run-snippet.ts";

it("contains the key wherever a snippet of any language reads the variable", () => {
  for (const { operation } of operations)
    for (const { language, code } of snippetsFor({
      operation,
      body: operation.example,
      baseUrl: "https://gateway.example/v1",
    })) {
      const filled = withKey(code, "svc_live_abc");
      expect(filled, `${operation.id} ${language}`).toContain("svc_live_abc");
      expect(filled, `${operation.id} ${language}`).not.toContain(keyVariable);
    }
});
