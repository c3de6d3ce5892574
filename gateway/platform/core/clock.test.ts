import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const rooms = path.resolve(import.meta.dirname, "../..");
/** These files compare with a clock other than the database's, or measure within one process. */
const ownClock = [
  "platform/core/trusted-proxies.ts",
  "platform/core/clock.ts",
  "platform/core/retry-schedule.ts",
  "platform/database/embedded/",
  "platform/database/follow-clock.ts",
  "platform/database/migrate.ts",
  "models/configuration/providers/troubles.ts",
  "files/storage/scratch.ts",
  "platform/telemetry/",
  // It compares the database's clock with this machine's, by which certificates are checked too.
  "monitoring/doctor/doctor.ts",
];

it("is the only source of times that another process may compare", () => {
  const files = readdirSync(rooms, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !/\.test\.ts$|(^|\/)testing\//.test(name),
  );
  const tellsOther = files.filter(
    (name) =>
      !ownClock.some((known) => name.startsWith(known)) &&
      /\bDate\.now\(\)|\bnew Date\(\)/.test(readFileSync(path.join(rooms, name), "utf8")),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(tellsOther).toEqual([]);
});
