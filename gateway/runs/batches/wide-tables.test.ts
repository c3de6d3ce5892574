import { monitorEventLoopDelay } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

/**
 * Allows for a busy machine and this test's own work to send such bodies. Without the bounds it would be many
 * minutes.
 */
const longestStandstillMs = 4_000;
const names = (count: number, prefix = "n") => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
const valued = (of: readonly string[]) => Object.fromEntries(of.map((name) => [name, "x"]));

describe("a table with very many columns or rows", () => {
  const gateway = shared(() => startTestGateway({ role: "api" }));
  const account = shared(() => gateway.createAccount());

  /** Returns the answer and the longest time for which nothing else ran. */
  async function check(source: object) {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const answer = await call(gateway, account.key, "POST", "/batches/check", {
      model: "svc/vid-t2v",
      ...source,
    });
    delay.disable();
    return { answer, standstillMs: delay.max / 1e6 };
  }

  it.each([
    ["a header of 1,000,000 names", { csv: `${names(1_000_000).join(",")}\nx\n` }, "columns"],
    ["a header that repeats two names", { csv: `${"a,b,".repeat(700_000)}\nx\n` }, "columns"],
    ["one row of 800,000 names", { rows: [valued(names(800_000))] }, "columns"],
    [
      "1,000 rows of 240 names each",
      { rows: Array.from({ length: 1_000 }, (_, at) => valued(names(240, `r${at}_`))) },
      "columns",
    ],
    ["a JSON line of 800,000 names", { jsonl: JSON.stringify(valued(names(800_000))) }, "columns"],
    ["7,000,000 rows", { csv: `prompt\n${"a\n".repeat(7_000_000)}` }, "rows"],
    ["15,900,000 line breaks", { jsonl: "\n".repeat(15_900_000) }, "lines"],
    ["15,900,000 empty rows", { csv: `prompt\n${"\n".repeat(15_900_000)}` }, "lines"],
    ["2,000,000 JSON lines", { jsonl: '{"a":1}\n'.repeat(2_000_000) }, "rows"],
    [
      "a line that is not JSON, and one of 400,000 values",
      { jsonl: `]\n{"a":[${"0,".repeat(400_000)}0]}` },
      "",
    ],
  ])("is refused at once: %s", async (_, source, what) => {
    // Measured again if it is too large: a real cost shows up each time, noise of the machine does not.
    let { answer, standstillMs } = await check(source);
    for (let again = 0; again < 2 && standstillMs >= longestStandstillMs; again += 1)
      ({ answer, standstillMs } = await check(source));
    // A body with more values than a request may have is refused earlier.
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    const { error } = answer.body as { error?: { code: string; message: string } };
    if (error?.code === "input_too_large") expect(error.message).toContain(what);
    expect(standstillMs).toBeLessThan(longestStandstillMs);
  });

  it("names at most 50 of the fields that the model does not have, and refuses a long name", async () => {
    const rows = [{ prompt: "a pine", duration: 5, ...valued(names(400)) }];
    const { answer } = await check({ rows });
    expect(answer.body.ok).toBe(true);
    expect(answer.body.ignored).toHaveLength(50);
    const long = await check({ rows: [{ prompt: "a pine", ["n".repeat(101)]: 1 }] });
    expect(long.answer.status).toBe(400);
  });

  it("counts a check like an operation", async () => {
    const key = await gateway.createKey(account.accountId, { requests_per_minute: 1 });
    const ask = () =>
      call(gateway, key, "POST", "/batches/check", { model: "svc/vid-t2v", rows: [{ prompt: "a" }] });
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
  });
});
