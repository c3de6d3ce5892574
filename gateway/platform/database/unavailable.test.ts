import { createServer } from "node:net";
import pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { isDatabaseUnavailable, logOutageOnce } from "./failed-query.ts";

const reasonOf = (connectionString: string) =>
  new pg.Pool({ connectionString, connectionTimeoutMillis: 300 })
    .query("select 1")
    .catch((error: Error) => error);

test("counts a missing server, or one that closes the connection, as unavailable", async () => {
  expect(isDatabaseUnavailable(await reasonOf("postgres://gatehouse@127.0.0.1:1/x"))).toBe(true);
  expect(isDatabaseUnavailable(await reasonOf("postgres://gatehouse@localhost/x?host=/nowhere"))).toBe(true);
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  const { port } = await new Promise<{ port: number }>((resolve) =>
    server.once("listening", () => resolve(server.address() as { port: number })),
  );
  const cause = await reasonOf(`postgres://gatehouse@127.0.0.1:${port}/x`);
  expect(isDatabaseUnavailable(new Error("Failed query: select 1", { cause }))).toBe(true);
  server.close();
  const reset = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  expect(isDatabaseUnavailable(new Error("Failed query: select 1", { cause: reset }))).toBe(true);
});

test.each(["25006", "40001", "40P01", "53100", "53300", "57P01"])(
  "state %s means that the client should retry",
  (code) => {
    const cause = Object.assign(new Error("as PostgreSQL says it"), { code });
    expect(isDatabaseUnavailable(new Error("Failed query: select 1", { cause }))).toBe(true);
  },
);

test("a wrong query, a missing file and a client that left do not count as unavailable", () => {
  expect(isDatabaseUnavailable(Object.assign(new Error("duplicate key"), { code: "23505" }))).toBe(false);
  expect(
    isDatabaseUnavailable(Object.assign(new Error("no such file"), { code: "ENOENT", syscall: "open" })),
  ).toBe(false);
  expect(isDatabaseUnavailable(Object.assign(new Error("aborted"), { code: "ECONNRESET" }))).toBe(false);
  expect(isDatabaseUnavailable(null)).toBe(false);
});

test("logs one line for a full disk, however many writes fail, and counts the others in the next line", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { hooks: { logMethod: logOutageOnce() } },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  const cause = Object.assign(new Error("could not extend file: No space left on device"), { code: "53100" });
  const err = new Error("Failed query: insert", { cause });
  for (let failures = 0; failures < 737; failures += 1)
    log.child({ process: 1 }).warn({ err }, "request log: write failed, will retry");
  log.warn({ err: new Error("something else") }, "another failure");
  const deadlock = Object.assign(new Error("deadlock detected"), { code: "40P01" });
  log.warn({ err: new Error("Failed query: update", { cause: deadlock }) }, "a deadlock");
  log.info("all is well");
  expect(lines.map(({ msg }) => msg)).toEqual([
    "request log: write failed, will retry",
    "another failure",
    "a deadlock",
    "all is well",
  ]);
  vi.advanceTimersByTime(601_000);
  log.warn({ err }, "request log: write failed, will retry");
  expect(lines.at(-1)).toMatchObject({ leftOut: 736 });
});
