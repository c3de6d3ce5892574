import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const files = globSync("{app,components,lib,contract,messages}/**/*.{ts,tsx}", { exclude: ["**/*.test.*"] });
const sources = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));

/** The files that a file imports, also those that load later (`import("./dialog.tsx")`). Types are not loaded. */
function importsOf(file: string): string[] {
  const source = (sources.get(file) ?? "").replaceAll(/^import type [^;]*;/gms, "");
  return [...source.matchAll(/(?:from\s+|import\(\s*|import\s+)"([^"]+)"/g)].flatMap(([, name = ""]) => {
    const at = name.startsWith("@/")
      ? name.slice(2)
      : name.startsWith("#contract/")
        ? name.slice(1)
        : name.startsWith(".")
          ? path.join(path.dirname(file), name)
          : null;
    if (at === null) return [];
    return [at, `${at}.ts`, `${at}.tsx`].find((candidate) => sources.has(candidate)) ?? [];
  });
}

/** The parts that a file's components in the browser say, each with the file. */
function partsInBrowser(page: string): Map<string, string> {
  const said = new Map<string, string>();
  const seen = new Set<string>();
  const read = (file: string, inBrowser: boolean) => {
    const source = sources.get(file) ?? "";
    const isClient = inBrowser || /^\s*"use client"/.test(source);
    if (/^\s*"use server"/.test(source) || seen.has(`${file} ${isClient}`)) return;
    seen.add(`${file} ${isClient}`);
    if (isClient)
      for (const [, part = ""] of source.matchAll(/\buseWords\("(\w+)"\)/g))
        if (!said.has(part)) said.set(part, file);
    for (const imported of importsOf(file)) read(imported, isClient);
  };
  read(page, false);
  return said;
}

/** The parts that a page or layout gives: `parts: ["keys"]`, `<WithWords parts={["keys"]}>`. */
function partsGivenBy(file: string): string[] {
  return [...(sources.get(file) ?? "").matchAll(/\b(?:parts|\w+Parts)(?::|=\{| =) ?\[([^\]]*)\]/g)].flatMap(
    ([, list = ""]) => [...list.matchAll(/"(\w+)"/g)].map(([, part = ""]) => part),
  );
}

const byLayout = partsGivenBy("app/(console)/layout.tsx");

it("the layout gives the parts of all pages", () => {
  expect(byLayout).toContain("ui");
});

it("every page gives the parts that its components say", () => {
  const pages = globSync("app/**/page.tsx");
  expect(pages.length).toBeGreaterThan(60);
  const lacking = pages.flatMap((page) => {
    const layouts = page
      .split("/")
      .map((_, at, folders) => `${folders.slice(0, at).join("/")}/layout.tsx`)
      .flatMap(partsGivenBy);
    // The pages of operations share `operation-page.tsx`.
    const shared = importsOf(page)
      .filter((file) => file.startsWith("app/"))
      .flatMap(partsGivenBy);
    const given = new Set([...layouts, ...shared, ...partsGivenBy(page)]);
    return [...partsInBrowser(page)]
      .filter(([part]) => !given.has(part))
      .map(([part, file]) => `${page} lacks ${part}, which ${file} says`);
  });
  expect(lacking).toEqual([]);
});
