import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { readConfig } from "#gateway/platform/core/config.ts";

const root = path.resolve(import.meta.dirname, "..");

it("documents every setting that the gateway reads", () => {
  const read = new Set<string>();
  const watched = new Proxy<Record<string, string>>(
    { AUTH_SECRET: "a-secret-that-only-tests-know-0001", S3_BUCKET: "bucket" },
    {
      get(settings, name) {
        read.add(String(name));
        return settings[String(name)];
      },
    },
  );
  readConfig(watched);
  const example = readFileSync(path.join(root, ".env.example"), "utf8");
  const documented = new Set([...example.matchAll(/^#([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name ?? ""));
  expect([...read].filter((name) => !documented.has(name))).toEqual([]);
  expect(read.size).toBeGreaterThan(25);
});
