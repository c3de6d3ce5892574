import { expect, it } from "vitest";
import { guardBody, guardChanges, newGuard } from "./guard-values.ts";

const before = { ...newGuard, url: "https://guard.example.com/", gated_contents: true };

it("sends only what was changed, so that nobody answers for gated contents by accident", () => {
  expect(guardChanges("account", before, { ...before, on_error: "allow" })).toEqual({ on_error: "allow" });
  expect(guardChanges("account", before, { ...before })).toEqual({});
});

it("names keys or except_keys, without empty lines, and only operators allow a private address", () => {
  const keys = [" key_1 ", ""];
  expect(guardBody("account", { ...before, whose: "only", keys })).toMatchObject({
    ...{ keys: ["key_1"], except_keys: [], operations: null },
  });
  expect(guardBody("account", { ...before, whose: "except", keys })).toMatchObject({
    ...{ keys: null, except_keys: ["key_1"] },
  });
  expect(guardBody("account", before)).not.toHaveProperty("allow_private");
  expect(guardBody("installation", before)).toHaveProperty("allow_private", false);
});
