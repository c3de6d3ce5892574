import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const files = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.mjs"], { encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((file) => existsSync(file))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

const statement = /^import\b(?! *\()[^;"']*["'][^"']+["'](?: with [^;]*)?;$/gm;
/** Modules that are named by `import`, `export … from`, `import()` and `vi.mock()`. */
const named = /(?:\bfrom|^import|\b(?:import|mock|importActual(?:<[^>]*>)?)\() *["']([^"'\n]+)["']/gm;

/** Files that still have such lines. Remove the lines and the name. */
const divided = new Set([
  "gateway/access/accounts/attestations/attestations.ts",
  "gateway/access/accounts/oidc/oidc.test.ts",
  "gateway/files/storage/object-store.test.ts",
  "gateway/monitoring/status/status.test.ts",
  "gateway/platform/figures/fold.test.ts",
  "gateway/runs/batches/batches.ts",
  "gateway/runs/batches/run-row.ts",
  "gateway/runs/execution/run-operation.ts",
  "gateway/runs/predictions/advance.ts",
  "gateway/runs/predictions/lease.test.ts",
  "gateway/runs/responses/routes.ts",
]);

it("has no blank line between the imports of a file", () => {
  const gaps = files.filter(({ file, text }) => {
    if (divided.has(file)) return false;
    const blocks = [...text.matchAll(statement)].map(
      ({ index, 0: { length } }) => [index, index + length] as const,
    );
    return blocks.some(([start], at) => {
      const between = text.slice(blocks[at - 1]?.[1] ?? start, start);
      return between.trim() === "" && between.includes("\n\n");
    });
  });
  expect(files.length).toBeGreaterThan(1_000);
  expect(gaps.map(({ file }) => file)).toEqual([]);
});

it("names a file of the same folder as ./file.ts, and one nearby with its extension too", () => {
  const others = files.flatMap(({ file, text }) =>
    [...text.matchAll(named)]
      .map(([, name = ""]) => name)
      .filter((name) =>
        name.startsWith(".")
          ? !/\.([cm]?js|tsx?|json|css)$/.test(name)
          : name.startsWith("@/") && path.dirname(name.slice(2)) === path.dirname(file),
      )
      .map((name) => `${file}: ${name}`),
  );
  expect(others).toEqual([]);
});
