import { Readable } from "node:stream";
import { pino } from "pino";
import { expect, it } from "vitest";
import type { HttpCall } from "../http/http-client.ts";
import { settingsOf } from "../protocols.ts";
import { Upstream } from "./upstream.ts";

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const region = "us-virginia";

/** The calls that a provider at this address gets, of a request with and of one without a trace. */
async function callsTo(base_url: string, settings: { send_traceparent?: boolean }, allowPrivate = true) {
  const calls: HttpCall[] = [];
  const entry = { protocol: "openai", base_url, ...settings };
  const keys = new Map([[region, []]] as const);
  const connection = { name: "own", entry, keys, allowPrivate, isLeaving: false };
  const upstream = new Upstream(settingsOf(connection, pino({ level: "silent" })), {
    send: async (call) => {
      calls.push(call);
      return { status: 200, headers: {}, body: Readable.from([]) };
    },
    sendWhole: async (call) => {
      calls.push(call);
      return { status: 200, headers: {}, bytes: Buffer.from("{}"), truncated: false };
    },
    close: async () => undefined,
    finish: async () => undefined,
  });
  const caller = { region, signal: new AbortController().signal } as const;
  const traced = { ...caller, trace: () => ({ traceparent, tracestate: "vendor=one" }) };
  await upstream.open(traced, { path: "/chat/completions" });
  await upstream.json(traced, { path: "/chat/completions" });
  await upstream.json(caller, { path: "/models", method: "GET" });
  await upstream.close();
  return calls.map(({ headers }) => headers.traceparent ?? null);
}

it.each([
  ["http://127.0.0.1:8000/v1", {}, [traceparent, traceparent, null]],
  ["http://[::1]:8000/v1", {}, [traceparent, traceparent, null]],
  ["http://10.1.2.3/v1", {}, [traceparent, traceparent, null]],
  ["http://localhost:8000/v1", {}, [traceparent, traceparent, null]],
  ["https://8.8.8.8/v1", {}, [null, null, null]],
  ["https://no-such-host.invalid/v1", {}, [null, null, null]],
  ["https://8.8.8.8/v1", { send_traceparent: true }, [traceparent, traceparent, null]],
  ["http://10.1.2.3/v1", { send_traceparent: false }, [null, null, null]],
] as const)("at %s with %o a provider gets the traces %o", async (address, settings, expected) => {
  expect(await callsTo(address, settings)).toEqual(expected);
});

it("a provider whose addresses may not be private is not looked up, and gets no trace", async () => {
  expect(await callsTo("https://localhost/v1", {}, false)).toEqual([null, null, null]);
});
