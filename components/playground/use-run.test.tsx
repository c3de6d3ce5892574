import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { newRun, type Run, runsStore } from "@/lib/browser/runs/run";
import { repeatable, useRun } from "./use-run.ts";

const operation = createCatalog().operation("svc/chat-1", "chat-completions")?.operation;
if (!operation) throw new Error("svc/chat-1 has no chat-completions");
const store = runsStore("acct_1", operation.id);
const past = (key: string): Run => ({ ...newRun(operation.id, { n: key }, key), state: "succeeded" });

const requests = vi.fn<typeof fetch>();

beforeEach(() => {
  localStorage.clear();
  requests.mockReset();
  vi.stubGlobal("fetch", requests);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const use = () => renderHook(() => useRun(operation, "acct_1", { onEnd: () => {} })).result;

/** A chat whose answer is written by the test. */
function openStream() {
  const pipe = new TransformStream<Uint8Array, Uint8Array>();
  const writer = pipe.writable.getWriter();
  requests.mockResolvedValueOnce(
    new Response(pipe.readable, { headers: { "content-type": "text/event-stream" } }),
  );
  const write = (data: string) => writer.write(new TextEncoder().encode(`data: ${data}\n\n`));
  return {
    say: (content: string) => write(JSON.stringify({ choices: [{ delta: { content } }] })),
    end: () => write("[DONE]"),
  };
}

it("keeps the user at an older run while a new one is running", async () => {
  store.add(past("old"));
  const chat = openStream();
  const result = use();
  act(() => result.current.start({ stream: true }));
  const key = result.current.running?.key;
  expect(result.current.runs.map((run) => run.key)).toEqual([key, "old"]);
  act(() => result.current.show(past("old")));
  expect(result.current.running?.key).toBe(key);
  await waitFor(() => expect(result.current.running?.meta).not.toBeNull());
  await act(() => chat.say("Hello"));
  await waitFor(() => expect(result.current.running?.output).toMatchObject({ text: "Hello" }));
  expect(result.current.shown?.key).toBe("old");
  await act(() => chat.end());
  await waitFor(() => expect(result.current.running).toBeNull());
  expect(result.current.shown?.key).toBe("old");
  expect(result.current.runs.map((run) => [run.key, run.state])).toEqual([
    [key, "succeeded"],
    ["old", "succeeded"],
  ]);
});

it("keeps runs that another tab has stored", async () => {
  requests.mockResolvedValueOnce(Response.json({ choices: [] }));
  const result = use();
  store.add(past("other tab"));
  act(() => result.current.start({}));
  await waitFor(() => expect(result.current.running).toBeNull());
  expect(store.load().map((run) => run.key)).toEqual([result.current.shown?.key, "other tab"]);
  expect(result.current.runs).toHaveLength(2);
  expect(result.current.shown?.raw).toEqual({ choices: [] });
  expect(result.current.runs[0]?.raw).toEqual({ choices: [] });
});

it("allows an automatic repeat after a refusal until the user opens something else", async () => {
  requests.mockImplementation(async () => Response.json({}, { status: 429 }));
  const result = use();
  act(() => result.current.start({}));
  await waitFor(() => expect(result.current.shown?.state).toBe("failed"));
  const refused = result.current.shown as Run;
  expect(repeatable.is(refused)).toBe(true);
  act(() => result.current.show(refused));
  expect(repeatable.is(refused)).toBe(false);
});

it("runs on plain http, where randomUUID is missing", async () => {
  requests.mockImplementation(async () => Response.json({ choices: [] }));
  const getRandomValues = crypto.getRandomValues.bind(crypto);
  vi.stubGlobal("crypto", { getRandomValues });
  const result = use();
  act(() => result.current.start({}));
  await waitFor(() => expect(result.current.shown?.state).toBe("succeeded"));
});
