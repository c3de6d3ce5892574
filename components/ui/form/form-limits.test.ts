import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");

/** Numbers that are no limit of a request. */
const notOfARequest: Readonly<Record<string, string>> = {
  "components/ui/progress.tsx max 1": "a bar shows a share",
  "components/ui/list/time-range-dialog.tsx maxLength 100": "a time in words, which only the browser reads",
  "components/media/audio-player.tsx min 0": "the position in a recording",
  "components/media/lightbox.tsx min 0": "the position of a line over two pictures, in percent",
  "components/media/lightbox.tsx max 100": "the position of a line over two pictures, in percent",
  "components/compare/comparison-results.tsx min 0": "the position in two recordings, in percent",
  "components/compare/comparison-results.tsx max 100": "the position in two recordings, in percent",
  "components/compare/common-form.tsx minLength 0": "a field that stands for those of several models",
};

const attribute = /\s(maxLength|minLength|max|min)=(?:"(\d+)"|\{([\d_]+)\}|\{(\w+)\})/g;
const option = /\b(maxLength|minLength|minimum|maximum|maxItems|minItems): ([\d_]+)/g;

/** `file attribute number` of each limit that a file writes itself, also by a constant of its own. */
function limitsWritten(file: string): string[] {
  const source = readFileSync(path.join(root, file), "utf8");
  const attributes = [...source.matchAll(attribute)].map(([, name, text, number, constant]) => [
    name,
    text ?? number ?? new RegExp(`\\bconst ${constant} = ([\\d_]+);`).exec(source)?.[1],
  ]);
  const options = [...source.matchAll(option)].map(([, name, number]) => [name, number]);
  return [...attributes, ...options]
    .filter(([, number]) => number !== undefined)
    .map(([name, number]) => `${file} ${name} ${number}`);
}

it("limits of forms come from the contract: no form writes a number of its own", () => {
  const files = globSync("{app,components}/**/*.{ts,tsx}", { cwd: root }).filter(
    (file) => !/\.test\.tsx?$/.test(file),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(new Set(files.flatMap(limitsWritten))).toEqual(new Set(Object.keys(notOfARequest)));
});
