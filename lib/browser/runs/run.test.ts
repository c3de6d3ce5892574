import { afterEach, expect, it, vi } from "vitest";
import { newRun } from "./run.ts";

afterEach(() => vi.unstubAllGlobals());

it("names a run on plain http, too, where there is no randomUUID", () => {
  const getRandomValues = crypto.getRandomValues.bind(crypto);
  vi.stubGlobal("crypto", { getRandomValues });
  const keys = new Set(Array.from({ length: 20 }, () => newRun("op", {}).key));
  expect(keys.size).toBe(20);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
});
