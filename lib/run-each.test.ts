import { expect, it } from "vitest";
import { type GatewayResult, localFailure } from "./gateway/result.ts";
import { runEach } from "./run-each.ts";

const failed = (status: number, retryAfterSeconds: number | null = null): GatewayResult<never> => ({
  ok: false,
  error: { ...localFailure(`http_${status}`, ""), status, retryAfterSeconds },
});
const ok = (data: string): GatewayResult<string> => ({ ok: true, data });
const { signal } = new AbortController();

it("continues after a refusal, and reports what was done and what was refused", async () => {
  const ended: number[] = [];
  const call = async (item: string) => (item === "b" ? failed(409) : ok(item.toUpperCase()));
  const result = await runEach(["a", "b", "c"], call, { signal, onProgress: (count) => ended.push(count) });
  expect(result.done).toEqual([
    { item: "a", data: "A" },
    { item: "c", data: "C" },
  ]);
  expect(result.refused).toMatchObject([{ item: "b", error: { status: 409 } }]);
  expect(result).toMatchObject({ left: [], error: null });
  expect(ended).toEqual([1, 2, 3]);
});

it("waits as long as the gateway asks, then repeats the call", async () => {
  const waits: number[] = [];
  const answers = [ok("A"), failed(429, 7), ok("B")];
  const result = await runEach(["a", "b"], async () => answers.shift() ?? failed(500), {
    signal,
    sleep: async (ms) => void waits.push(ms),
  });
  expect(waits).toEqual([7000]);
  expect(result.done.map(({ data }) => data)).toEqual(["A", "B"]);
});

it("ends when a call fails for all, and names what is left", async () => {
  const answers = [ok("A"), failed(503)];
  const result = await runEach(["a", "b", "c"], async () => answers.shift() ?? ok("?"), { signal });
  expect(result).toMatchObject({ left: ["b", "c"], error: { status: 503 } });
});

it("stops between two calls", async () => {
  const stopper = new AbortController();
  const call = async (item: string) => {
    stopper.abort();
    return ok(item);
  };
  const result = await runEach(["a", "b"], call, { signal: stopper.signal });
  expect(result).toMatchObject({ done: [{ item: "a" }], left: ["b"], error: null });
});
