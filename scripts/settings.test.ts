import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { readConfig } from "#gateway/platform/core/config.ts";
import { settings } from "#gateway/platform/core/settings.ts";
import { settingsFiles } from "./settings.ts";

const root = path.resolve(import.meta.dirname, "..");

it.each(Object.entries(settingsFiles))(
  "%s matches the list of settings (run npm run settings)",
  (file, text) => {
    expect(readFileSync(path.join(root, file), "utf8")).toBe(text);
  },
);

it("contains every setting that the gateway reads", () => {
  const read = new Set<string>();
  const watched = new Proxy<Record<string, string>>(
    { AUTH_SECRET: "a-secret-that-only-tests-know-0001", S3_BUCKET: "bucket" },
    {
      get(environment, name) {
        read.add(String(name));
        return environment[String(name)];
      },
    },
  );
  readConfig(watched);
  expect([...read].filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
  expect(read.size).toBeGreaterThan(25);
});
