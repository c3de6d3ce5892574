import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { routes } from "#contract/routes/table.ts";

const root = path.resolve(import.meta.dirname, "../../..");

/** Numbers that are no limit of a request. */
const notOfARequest: Readonly<Record<string, string>> = {
  "components/ui/progress.tsx max 1": "a bar shows a share",
  "components/ui/list/time-range-dialog.tsx maxLength 100": "a time in words, which only the browser reads",
  "components/media/audio-player.tsx min 0": "the position in a recording",
  "components/media/compare-slider.tsx min 0": "the position of a line over two pictures, in percent",
  "components/media/compare-slider.tsx max 100": "the position of a line over two pictures, in percent",
  "components/compare/comparison-results.tsx min 0": "the position in two recordings, in percent",
  "components/compare/comparison-results.tsx max 100": "the position in two recordings, in percent",
  "components/compare/common-form.tsx minLength 0": "a field that stands for those of several models",
};

/** Fields that a form requires although no schema of the contract does, each with the reason. */
const requiredByForm: Readonly<Record<string, string>> = {
  "components/auth/sign-in-form.tsx required ×1": "the account key is sent as a header, which has no schema",
  "components/operator/prices/price-fields.tsx required ×1":
    "a price may omit its start; whoever chooses “At a time” enters one",
  "components/operator/usage/compare-bill.tsx required ×3": "the bill is read in the browser and never sent",
  "components/playground/form/late-fields/messages-field.tsx required ×2":
    "the parts of a message, whose schema has alternatives",
  "components/profile/change-dialog.tsx required ×1":
    "a proof is a password or a code; the form asks for the one that the person has",
  "components/shares/report-form.tsx required ×1":
    "a report without a file is about the first one; the form always names the file",
  "components/ui/form/field.tsx required ×1": "sets the attribute of every field that its rule requires",
  "components/tasks/raise-dialog.tsx required ×2":
    "a request raises at least one limit; the form asks for each limit that the task has",
};

const attribute = /\s(maxLength|minLength|max|min)=(?:"(\d+)"|\{([\d_]+)\}|\{(\w+)\})/g;
const option = /\b(maxLength|minLength|minimum|maximum|maxItems|minItems): ([\d_]+)/g;

/** `file attribute number` of each limit that a file writes itself, also by a constant of its own. */
function limitsWritten(file: string): string[] {
  const source = sourceOf(file);
  const attributes = [...source.matchAll(attribute)].map(([, name, text, number, constant]) => [
    name,
    text ?? number ?? new RegExp(`\\bconst ${constant} = ([\\d_]+);`).exec(source)?.[1],
  ]);
  const options = [...source.matchAll(option)].map(([, name, number]) => [name, number]);
  return [...attributes, ...options]
    .filter(([, number]) => number !== undefined)
    .map(([name, number]) => `${file} ${name} ${number}`);
}

const bareRequired =
  /^\s*required$|<(?:[A-Z]\w*|input|select|textarea)(?:[^<>\n]|=>)*\srequired(?=[\s/>])|\brequired(?:=\{true\}|: (?:true|["'`]))/gm;

const ownPattern = /\spattern=(?:"|\{["'`])/;

const forms = globSync("{app,components}/**/*.{ts,tsx}", { cwd: root }).filter(
  (file) => !/\.test\.tsx?$/.test(file),
);

function sourceOf(file: string): string {
  return readFileSync(path.join(root, file), "utf8");
}

/** The patterns of texts that requests contain, as regular expressions write them. */
function patternsOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) =>
    name === "pattern" && typeof value === "string" ? [new RegExp(value).source] : patternsOf(value),
  );
}

it("limits of forms come from the contract: no form writes a number of its own", () => {
  expect(forms.length).toBeGreaterThan(500);
  expect(new Set(forms.flatMap(limitsWritten))).toEqual(new Set(Object.keys(notOfARequest)));
});

it("fields are required by the contract: no form says so itself without a reason", () => {
  const found = forms.flatMap((file) => {
    const { length } = [...sourceOf(file).matchAll(bareRequired)];
    return length > 0 ? [`${file} required ×${length}`] : [];
  });
  expect(found.sort()).toEqual(Object.keys(requiredByForm).sort());
});

it("patterns of texts come from the contract: no form copies one", () => {
  const bodies = Object.values(routes).map((route) => ("body" in route ? route.body : null));
  const patterns = [...new Set(bodies.flatMap(patternsOf))].filter((pattern) => /^\^.*\$$/.test(pattern));
  expect(patterns.length).toBeGreaterThan(10);
  const copies = forms.flatMap((file) => {
    const source = sourceOf(file);
    return patterns
      .filter((pattern) => source.includes(`/${pattern}/`))
      .map((pattern) => `${file} ${pattern}`);
  });
  expect(copies).toEqual([]);
  expect(forms.filter((file) => ownPattern.test(sourceOf(file)))).toEqual([]);
});
