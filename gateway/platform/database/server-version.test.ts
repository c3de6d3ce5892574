import { expect, it, vi } from "vitest";
import { describeServer } from "./server-version.ts";

const now = Date.parse("2026-11-29T00:00:00Z");
const own = { databaseUrl: "postgres://gatehouse@db.example.com/gatehouse" };

it.each([
  ["18.4", "2026-05-14", ["2026-08-13", "2026-11-12"]],
  ["18.4 (Debian 18.4-1.pgdg13+1)", "2026-05-14", ["2026-08-13", "2026-11-12"]],
  ["15.19", "2026-08-13", ["2026-11-12"]],
  ["17.5", null, ["2025-11-13", "2026-02-12", "2026-02-26", "2026-05-14", "2026-08-13", "2026-11-12"]],
  // Younger than this release of Gatehouse.
  ["18.7", null, []],
  ["19.1", null, []],
])("PostgreSQL %s is of %s; newer ones came on %j", (reported, released_on, newer_on) => {
  expect(describeServer(reported, own, now)).toEqual({
    version: reported.split(" ")[0],
    kind: "own",
    released_on,
    newer_on,
  });
});

it("knows planned releases of the coming years", () => {
  const later = Date.parse("2027-05-13T12:00:00Z");
  expect(describeServer("18.6", own, later).newer_on).toEqual(["2026-11-12", "2027-02-11", "2027-05-13"]);
});

it("asks this system for its C library at most once, and without the network, which Health's polls would wait for", () => {
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  const seen: boolean[] = [];
  const { getReport } = report;
  const asked = vi.spyOn(report, "getReport").mockImplementation(() => {
    seen.push(report.excludeNetwork);
    return getReport.call(report);
  });
  for (let polls = 0; polls < 3; polls += 1) describeServer("18.4", { databaseUrl: null }, now);
  asked.mockRestore();
  expect(seen.length).toBeLessThanOrEqual(1);
  expect(seen).not.toContain(false);
});

it("tells the bundled programs from this machine's, also in a process of a supervisor", () => {
  const socket = "postgres://gatehouse@localhost/gatehouse?host=%2Ftmp%2Fgatehouse-a1b2c3";
  expect(describeServer("18.4", { databaseUrl: null }, now).kind).toBe("bundled");
  expect(describeServer("18.6", { databaseUrl: null }, now).kind).toBe("installed");
  expect(describeServer("18.4", { databaseUrl: socket }, now).kind).toBe("bundled");
});
