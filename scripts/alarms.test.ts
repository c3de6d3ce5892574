import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { alarms } from "../deploy/monitoring/alarms.ts";
import pages from "../messages/en/pages.ts";

interface Row {
  /** The series of its first column, as an expression names it. */
  series: string;
  /** For how many minutes each of its alarms must last, of those that say so. */
  minutes: number[];
}

/** The table of docs/monitoring.md, "Metrics and alarms". */
function documented(): Row[] {
  const text = readFileSync(path.resolve(import.meta.dirname, "../docs/monitoring.md"), "utf8");
  const [, chapter = ""] = text.split("## Metrics and alarms");
  const rows = chapter.split("\n").filter((line) => /^\| (?!Metric|---)/.test(line));
  return rows.map((line) => {
    const [first = "", , alarm = ""] = line.slice("| ".length).split(" | ");
    const named = /`([^`]+)`/.exec(first)?.[1] ?? first;
    const minutes = [...alarm.matchAll(/\bfor (\d+) minutes?/g)].map(([, count]) => Number(count));
    const series = named.replace("/metrics", 'up{job="gatehouse"}');
    return { series, minutes: minutes.sort(), hasAlarm: /[^|\s]/.test(alarm) };
  });
}

it("the documented alarms are those of the rules, with the same patience", () => {
  const rows = documented();
  expect(rows.length).toBeGreaterThan(15);
  const ofRules = rows.map(({ series }) => {
    const its = alarms.filter(({ expr }) => expr.includes(series));
    return {
      series,
      minutes: its
        .map(({ forMinutes }) => forMinutes)
        .filter((count) => count > 0)
        .sort(),
      hasAlarm: its.length > 0,
    };
  });
  expect(rows).toEqual(ofRules);
  const unnamed = alarms.filter(({ expr }) => !rows.some(({ series }) => expr.includes(series)));
  expect(unnamed.map(({ name }) => name)).toEqual([]);
});

it("cures name pages as the console does", () => {
  const titles: readonly string[] = Object.values(pages);
  const named = alarms.flatMap(({ cure }) =>
    [...cure.matchAll(/\bpage ([A-Z][\w']*)/g)].map(([, name]) => name),
  );
  expect(named).toContain("Health");
  expect(named.filter((name) => !titles.includes(name ?? ""))).toEqual([]);
});
