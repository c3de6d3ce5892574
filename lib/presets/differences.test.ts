import { expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { differencesOf, maxDifferences, wordDiff } from "./differences.ts";

const t = english("presets");

const plan = { t: english("inputForm"), modelId: "svc/x", fields: [], fixed: {}, hidden: [] };
const compare = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  differencesOf({ name: "Pines", input: before }, { name: "Pines", input: after }, plan, t);

it("names the changed, added and removed fields, also inside lists", () => {
  expect(
    compare(
      { duration: 5, seed: 7, size: "512x512", media: [{ type: "a" }] },
      { duration: 8, size: "512x512", media: [{ type: "b" }, { type: "c" }], stream: true },
    ),
  ).toEqual(
    [
      { path: "/duration", field: "Duration", kind: "changed", from: "5", to: "8" },
      { path: "/seed", field: "Seed", kind: "removed", from: "7" },
      { path: "/media/0/type", field: "Media", kind: "changed", from: "a", to: "b" },
      { path: "/media/1", field: "Media", kind: "added", to: "Type c" },
      { path: "/stream", field: "Stream", kind: "added", to: "True" },
    ].map((each) => expect.objectContaining({ ...each, field: expect.stringContaining(each.field) })),
  );
});

it("reports a renamed preset, and nothing when nothing was changed", () => {
  const input = { prompt: "a pine" };
  expect(differencesOf({ name: "a", input }, { name: "b", input: { ...input } }, plan, t)).toEqual([
    { path: "name", field: "Name of the preset", kind: "changed", from: "a", to: "b" },
  ]);
});

it("shows long texts word by word", () => {
  const before = "a quiet harbour at dawn with small boats and gulls";
  const after = "a loud harbour at dawn with boats and many gulls";
  const [found] = compare({ prompt: before }, { prompt: after });
  expect(found).toMatchObject({ kind: "text" });
  const parts = wordDiff(before, after);
  expect(parts).toEqual([
    { kind: "same", text: "a" },
    { kind: "removed", text: " quiet" },
    { kind: "added", text: " loud" },
    { kind: "same", text: " harbour at dawn with" },
    { kind: "removed", text: " small" },
    { kind: "same", text: " boats and" },
    { kind: "added", text: " many" },
    { kind: "same", text: " gulls" },
  ]);
  const text = (without: string) =>
    parts.flatMap(({ kind, text }) => (kind === without ? [] : [text])).join("");
  expect([text("added"), text("removed")]).toEqual([before, after]);
});

it("does a bounded amount of work", () => {
  const long = (word: string) => Array.from({ length: 50_000 }, (_, at) => `${word}${at}`).join(" ");
  expect(wordDiff(long("a"), long("b"))).toHaveLength(2);
  const many = (value: number) =>
    Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`f${at}`, value]));
  expect(compare(many(1), many(2))).toHaveLength(maxDifferences);
});
