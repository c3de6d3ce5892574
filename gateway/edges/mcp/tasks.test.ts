import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it, vi } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { startTestGateway } from "#gateway/testing/gateway.ts";

const extension = "io.modelcontextprotocol/tasks";
const film = { model: "svc/vid-t2v", input: { prompt: "A pine", duration: 2 } };
const soon = { timeout: 80_000, interval: 100 };
/** The whole answer for a cancelled or answered task. */
const ack = { resultType: "complete", _meta: expect.any(Object) };

const gateway = shared(() => startTestGateway({ apiRequestsPerMinute: 10_000 }));
const account = shared(() => gateway.createAccount());

interface Outcome {
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

/** Sends a message that includes the client's capabilities. */
async function send(
  method: string,
  params: Record<string, unknown>,
  { key = account.key, tasks = true } = {},
): Promise<Outcome> {
  const name = params.taskId ?? params.name;
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": tasks ? { extensions: { [extension]: {} } } : {},
  };
  const answer = await fetch(new URL("/mcp", gateway.url), {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name !== undefined && { "mcp-name": String(name) }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
  });
  const text = await answer.text();
  const data = text.startsWith("{") ? text : (text.match(/^data: (\{.*)$/m)?.[1] ?? "{}");
  return JSON.parse(data) as Outcome;
}

const begin = async (options = {}) =>
  (await send("tools/call", { name: "run", arguments: film }, options)).result ?? {};

it("a client that supports tasks gets one for an unfinished run, and reads the result from it", {
  timeout: 90_000,
}, async () => {
  const task = await begin();
  expect(task).toMatchObject({
    resultType: "task",
    taskId: expect.stringMatching(/^pred_/),
    status: "working",
    ttlMs: gateway.context.config.retentionMs,
    pollIntervalMs: expect.any(Number),
    createdAt: expect.any(String),
    lastUpdatedAt: expect.any(String),
  });
  const { taskId } = task;
  const done = await vi.waitFor(async () => {
    const { result } = await send("tasks/get", { taskId });
    expect(result).toMatchObject({ resultType: "complete", taskId, status: "completed" });
    return result;
  }, soon);
  expect(done?.result).toMatchObject({
    content: [{ type: "text" }],
    structuredContent: { id: taskId, status: "succeeded", output: expect.stringMatching(/^http/) },
  });
  expect((await send("tasks/cancel", { taskId })).result).toEqual(ack);
  expect((await send("tasks/update", { taskId, inputResponses: {} })).result).toEqual(ack);
});

it("cancels the run when its task is canceled", async () => {
  const { taskId } = await begin();
  expect((await send("tasks/cancel", { taskId })).result).toEqual(ack);
  expect((await send("tasks/get", { taskId })).result).toMatchObject({ status: "cancelled" });
  const run = await send("tools/call", { name: "get_run", arguments: { id: taskId } });
  expect(run.result).toMatchObject({ structuredContent: { status: "canceled" } });
});

it("returns an immediate result without a task", async () => {
  const chat = { model: "svc/chat-1", input: { messages: [{ role: "user", content: "Hello" }] } };
  const { result } = await send("tools/call", { name: "run", arguments: chat });
  expect(result).toMatchObject({ resultType: "complete", structuredContent: { status: "succeeded" } });
  expect(result).not.toHaveProperty("taskId");
});

it("gives no task to a client that did not declare support, and names the missing capability", async () => {
  const plain = await send(
    "tools/call",
    { name: "run", arguments: { ...film, wait_seconds: 0 } },
    { tasks: false },
  );
  expect(plain.result).toMatchObject({ resultType: "complete", structuredContent: { model: film.model } });
  const { id: taskId } = (plain.result?.structuredContent ?? {}) as { id?: string };
  for (const method of ["tasks/get", "tasks/update", "tasks/cancel"])
    expect((await send(method, { taskId }, { tasks: false })).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [extension]: {} } } },
    });
});

it("finds no tasks of other callers, rejects unknown ids and offers no list", async () => {
  const { taskId } = await begin();
  const other = await gateway.createAccount();
  for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
    expect((await send(method, { taskId }, { key: other.key })).error).toMatchObject({ code: -32602 });
    expect((await send(method, { taskId: "../account/keys" })).error).toMatchObject({ code: -32602 });
    expect((await send(method, { taskId: "x".repeat(1000) })).error).toMatchObject({ code: -32602 });
  }
  expect((await send("tasks/list", {})).error).toMatchObject({ code: -32601 });
  expect((await send("tasks/get", { taskId })).result).toMatchObject({ taskId });
});

it("reaches the unmodified client", async () => {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL("/mcp", gateway.url), {
      requestInit: { headers: { authorization: `Bearer ${account.key}` } },
    }),
  );
  expect(client.getServerCapabilities()).toMatchObject({ extensions: { [extension]: {} } });
  await client.close();
});
