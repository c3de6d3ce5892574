import { beforeEach, expect, it } from "vitest";
import { newRun, runsStore, withRun } from "./run.ts";

beforeEach(() => localStorage.clear());

const ended = (key: string, startedAtMs: number, body = {}) => ({
  ...newRun("op", body, key),
  startedAtMs,
  state: "succeeded" as const,
});

it("keeps the last twenty, newest first", () => {
  let runs = [ended("0", 0)];
  for (let at = 1; at < 30; at += 1) runs = withRun(runs, ended(String(at), at)) as typeof runs;
  runsStore("acct_1", "op").save(runs);
  const kept = runsStore("acct_1", "op").load();
  expect(kept.map(({ key }) => key)).toEqual(Array.from({ length: 20 }, (_, index) => String(29 - index)));
  expect(runsStore("acct_2", "op").load()).toEqual([]);
});

it("does not store confirmations, sound, raw answers or inline files", () => {
  const run = {
    ...ended("a", 1, { prompt: "Hi", person_rights_confirmed: true }),
    output: { kind: "speech" as const, src: "blob:x", sizeBytes: 1 },
    raw: { secret: true },
  };
  const large = ended("b", 2, { image: `data:image/png;base64,${"A".repeat(200_000)}` });
  runsStore("acct_1", "op").save([run, large]);
  expect(runsStore("acct_1", "op").load()).toMatchObject([
    { key: "a", body: { prompt: "Hi" }, output: null, raw: null },
    { key: "b", body: {} },
  ]);
  expect(JSON.stringify(localStorage)).not.toContain("person_rights");
});

it("starts empty when the storage contains unknown data", () => {
  localStorage.setItem("gatehouse:runs:acct_1:op", "{not json");
  expect(runsStore("acct_1", "op").load()).toEqual([]);
});

it("keeps runs that another tab has stored meanwhile", () => {
  const [here, there] = [runsStore("acct_1", "op"), runsStore("acct_1", "op")];
  here.add(ended("a", 1));
  there.add(ended("b", 2));
  expect(here.add(ended("c", 3)).map(({ key }) => key)).toEqual(["c", "b", "a"]);
  expect(there.load().map(({ key }) => key)).toEqual(["c", "b", "a"]);
});
