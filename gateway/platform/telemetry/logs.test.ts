import { pino } from "pino";
import { expect, it } from "vitest";
import { withRecords } from "./logs.ts";
import type { LogRecord } from "./otlp/messages.ts";

/** Logs something; returns the line and the log record made from it. */
function said(say: (log: pino.Logger) => void): { line: Record<string, unknown>; record: LogRecord } {
  const lines: string[] = [];
  const records: LogRecord[] = [];
  const destination = withRecords({ write: (line) => lines.push(line) }, (record) => records.push(record));
  say(pino({ level: "trace", redact: ["headers.authorization"] }, destination));
  return { line: JSON.parse(lines[0] ?? ""), record: records[0] as LogRecord };
}

it.each<[string, (log: pino.Logger) => void]>([
  [
    "texts and numbers",
    (log) => log.info({ route: "/v1/models", status: 200, ms: 1.5, ok: true }, "request"),
  ],
  ["nothing but words", (log) => log.warn("a warning with %s", "a part")],
  ["a child of a request", (log) => log.child({ request_id: "req_1" }).info({ status: 200 }, "request")],
  ["another child", (log) => log.child({ request_id: "req_1", more: { a: 1 } }).info("more")],
  ["a child with a quote", (log) => log.child({ request_id: 'a"b' }).info("quoted")],
  ["no words", (log) => log.info({ status: 200 })],
  ["words in the object", (log) => log.info({ msg: "inside", status: 200 })],
  ["null and nothing", (log) => log.info({ code: null, region: undefined, left: Number.NaN }, "request")],
  ["an error", (log) => log.error(new Error("broken"))],
  ["an error of something", (log) => log.fatal({ err: new Error("broken"), at: "start" }, "it ended")],
])("a record has the same content as its line: %s", (_name, say) => {
  const { line, record } = said(say);
  const { level, time, msg, pid: _pid, hostname: _hostname, ...rest } = line;
  const told = Object.entries(record.fields).filter(([name]) => name !== "pid" && name !== "hostname");
  const isTold = ([, value]: [string, unknown]) => value !== null && value !== undefined;
  expect(Object.fromEntries(told.filter(isTold))).toEqual(
    Object.fromEntries(Object.entries(rest).filter(isTold)),
  );
  expect([record.atMs, record.body]).toEqual([time, msg ?? ""]);
  expect(record.severity).toBe({ 30: 9, 40: 13, 50: 17, 60: 21 }[level as number]);
});

it("fields that a log line omits are not in its record either", () => {
  const { record } = said((log) => log.info({ headers: { authorization: "Bearer svc_live_1" } }, "asked"));
  expect(JSON.stringify(record)).not.toContain("svc_live_1");
});
