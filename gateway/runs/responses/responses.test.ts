import { describe, expect, it, onTestFinished, vi } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount());

const model = "svc/chat-1";
const soon = { interval: 50 };
const send = (method: string, path: string, body?: object, key = account.key) =>
  call(gateway, key, method, `/responses${path}`, body);
async function respond(body: Record<string, unknown>) {
  const answer = await send("POST", "", { model, ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as { id: string; status: string; output: Record<string, unknown>[] };
}
const textOf = ({ output }: { output: Record<string, unknown>[] }) =>
  output
    .flatMap(({ content }) => ((content ?? []) as { text?: string }[]).map(({ text }) => text ?? ""))
    .join("");
const weather = {
  type: "function",
  name: "get_weather",
  parameters: { type: "object", properties: { city: { type: "string" } } },
};

/** The events of a stream, by name. */
async function streamed(body: Record<string, unknown>) {
  const answer = await fetch(`${gateway.url}/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, ...body, stream: true }),
  });
  expect(answer.headers.get("content-type")).toContain("text/event-stream");
  const blocks = (await answer.text()).trim().split("\n\n");
  expect(blocks.pop()).toBe("data: [DONE]");
  return blocks.map((block) => {
    const [name = "", data = ""] = block.split("\n");
    const event = JSON.parse(data.slice("data: ".length)) as Record<string, unknown> & { type: string };
    expect(name).toBe(`event: ${event.type}`);
    return event;
  });
}

describe("a response", () => {
  it("has every field, and the same text as a chat with the same prompt", async () => {
    const { body } = await send("POST", "", {
      model,
      input: "Say heliotrope.",
      metadata: { run: "7" },
      store: false,
    });
    expect(body).toMatchObject({
      object: "response",
      status: "completed",
      error: null,
      incomplete_details: null,
      previous_response_id: null,
      tools: [],
      tool_choice: "auto",
      truncation: "disabled",
      text: { format: { type: "text" }, verbosity: "medium" },
      reasoning: { effort: null, summary: null },
      usage: { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
      max_output_tokens: null,
      store: false,
      background: false,
      service_tier: "default",
      metadata: { run: "7" },
      safety_identifier: null,
      prompt_cache_key: null,
    });
    const chat = await call(gateway, account.key, "POST", "/chat/completions", {
      model,
      messages: [{ role: "user", content: "Say heliotrope." }],
    });
    const [choice] = chat.body.choices as { message: { content: string } }[];
    expect(textOf(body as { output: [] })).toBe(choice?.message.content);
    expect((await send("GET", `/${String(body.id)}`)).body.error).toMatchObject({
      code: "response_not_found",
    });
  });

  it("streams its parts piece by piece in order, and ends with the stored response", async () => {
    const events = await streamed({ input: "Say heliotrope." });
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
    const names = events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
    expect(names).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    const response = events.at(-1)?.response as { id: string; output: Record<string, unknown>[] };
    const deltas = events
      .filter(({ type }) => type === "response.output_text.delta")
      .map(({ delta }) => delta);
    expect(deltas.join("")).toBe(textOf(response));
    expect((await send("GET", `/${response.id}`)).body).toEqual(response);
  });

  it("calls a function, and continues with its result and only the id", async () => {
    const events = await streamed({ input: "What is the weather in Bergen?", tools: [weather] });
    const first = events.at(-1)?.response as { id: string; output: Record<string, unknown>[] };
    expect(first.output).toMatchObject([{ type: "function_call", name: "get_weather", status: "completed" }]);
    expect(events.map(({ type }) => type)).toContain("response.function_call_arguments.done");
    const callId = first.output[0]?.call_id;
    const second = await respond({
      previous_response_id: first.id,
      input: [{ type: "function_call_output", call_id: callId, output: "12 °C and rain" }],
      tools: [weather],
    });
    expect(textOf(second)).toContain("12 °C and rain");
    const third = await respond({ previous_response_id: second.id, input: "And in one word?" });
    expect(textOf(third)).toContain("5 messages");
    const { body } = await send("GET", `/${second.id}/input_items`);
    expect(body).toMatchObject({
      data: [{ type: "function_call_output", call_id: callId }],
      has_more: false,
    });
  });

  it("accepts references to items instead of the items", async () => {
    const first = await respond({ input: [{ role: "user", content: "Remember cobalt." }] });
    const input = [
      { role: "user", content: "Remember cobalt." },
      { type: "item_reference", id: first.output[0]?.id },
      { role: "user", content: "What was it?" },
    ];
    expect(textOf(await respond({ input }))).toContain("3 messages");
    const other = await gateway.createAccount();
    const { status, body } = await send("POST", "", { model, input }, other.key);
    expect([status, body.error]).toMatchObject([
      404,
      { code: "previous_response_not_found", param: "input[1].id" },
    ]);
  });

  it("refuses references to too much content by its stored size, before loading it", async () => {
    // A chat does not use it, so it costs no tokens.
    const large = { type: "web_search_call", status: "completed", action: "a".repeat(3_800_000) };
    const stored = await Promise.all(
      Array.from({ length: 5 }, () => respond({ input: [{ role: "user", content: "Say cobalt." }, large] })),
    );
    const idOf = ({ id }: { id: string }) => `item_${id.slice("resp_".length)}_1`;
    const refer = (ids: string[]) => {
      const references = ids.map((id) => ({ type: "item_reference", id }));
      return send("POST", "", { model, input: [...references, { role: "user", content: "And now?" }] });
    };
    const [first] = stored;
    expect((await refer(first ? [idOf(first)] : [])).status).toBe(200);
    const spentMs = async (work: () => Promise<unknown>) => {
      const before = process.threadCpuUsage();
      await work();
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1000;
    };
    for (const ids of [stored.map(idOf), stored.flatMap(() => (first ? [idOf(first)] : []))]) {
      const refusedMs = () =>
        spentMs(async () => {
          const { status, body } = await refer(ids);
          expect([status, body.error]).toMatchObject([400, { code: "input_too_large", param: "input" }]);
        });
      // Loading the content would take ten times as long. Measured again if other work came in between.
      await expect.poll(refusedMs).toBeLessThan(100);
    }
  });

  it("answers 503 with the reason, on every API route, when the database ends a statement", async () => {
    const { id } = await respond({ input: "One." });
    const { pool } = gateway.context.database;
    const body = { model, previous_response_id: id, input: "Two." };
    const ways = {
      read: () => send("GET", `/${id}`),
      continued: () => send("POST", "", body),
      streamed: () => send("POST", "", { ...body, stream: true }),
    };
    for (const [name, ask] of Object.entries(ways)) {
      const lock = await pool.connect();
      onTestFinished(() => lock.release(true));
      await lock.query("begin; lock table responses in access exclusive mode");
      const answer = ask();
      await vi.waitFor(async () => {
        const { rowCount } = await pool.query(
          "select pg_cancel_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        );
        expect(rowCount, name).toBeGreaterThan(0);
      }, soon);
      await lock.query("rollback");
      const text = JSON.stringify(await answer);
      expect(text, name).toContain("service_unavailable");
      expect(text, name).toContain("The database took too long");
    }
  });

  it("is never shortened: without one of its responses a conversation is not found", async () => {
    const first = await respond({ input: "One." });
    const second = await respond({ previous_response_id: first.id, input: "Two." });
    expect((await send("DELETE", `/${first.id}`)).body).toEqual({
      id: first.id,
      object: "response",
      deleted: true,
    });
    for (const id of [first.id, second.id, "resp_00000000000000000000000000"]) {
      const { status, body } = await send("POST", "", { model, previous_response_id: id, input: "Three." });
      expect([status, body.error]).toMatchObject([
        404,
        { code: "previous_response_not_found", param: "previous_response_id" },
      ]);
    }
    expect((await send("DELETE", `/${first.id}`)).status).toBe(404);
  });

  it("belongs to the account, and only a readable one can be continued", async () => {
    const { id } = await respond({ input: "Mine." });
    const other = await gateway.createAccount();
    for (const [method, path] of [
      ["GET", `/${id}`],
      ["DELETE", `/${id}`],
      ["GET", `/${id}/input_items`],
    ] as const)
      expect((await send(method, path, undefined, other.key)).body.error).toMatchObject({
        code: "response_not_found",
      });
    const narrow = await gateway.createKey(account.accountId, { scopes: ["inference"] });
    const next = { model, previous_response_id: id, input: "Go on." };
    expect((await send("POST", "", next, narrow)).status).toBe(404);
    const { body } = await send("POST", "", { model, input: "Own." }, narrow);
    expect((await send("POST", "", { ...next, previous_response_id: body.id }, narrow)).status).toBe(200);
  });

  it("counts as storage until it is deleted", async () => {
    const fresh = await gateway.createAccount();
    const stored = async () => {
      const { rows } = await gateway.context.database.pool.query(
        "select bytes::int from account_storage where account_id = $1",
        [fresh.accountId],
      );
      return rows[0]?.bytes ?? 0;
    };
    const { body } = await send("POST", "", { model, input: "Kept." }, fresh.key);
    expect(await stored()).toBeGreaterThan(500);
    await send("DELETE", `/${String(body.id)}`, undefined, fresh.key);
    expect(await stored()).toBe(0);
  });

  it("ends as incomplete when it reaches its token limit", async () => {
    const events = await streamed({ input: "Say heliotrope.", max_output_tokens: 3 });
    expect(events.at(-1)).toMatchObject({
      type: "response.incomplete",
      response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
    });
  });

  it("returns the same response when the request is repeated with its Idempotency-Key", async () => {
    const again = async (stream: boolean) => {
      const answer = await fetch(`${gateway.url}/responses`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${account.key}`,
          "content-type": "application/json",
          "idempotency-key": `responses-${stream}`,
        },
        body: JSON.stringify({ model, input: "Once.", stream }),
      });
      return { text: await answer.text(), replayed: answer.headers.get("idempotent-replayed") };
    };
    const [first, second] = [await again(false), await again(false)];
    expect(second.replayed).toBe("true");
    expect(JSON.parse(second.text)).toMatchObject({
      id: JSON.parse(first.text).id,
      output: JSON.parse(first.text).output,
    });
    const [told, retold] = [await again(true), await again(true)];
    expect(retold.replayed).toBe("true");
    const last = (text: string) => JSON.parse(text.trim().split("\n").at(-3)?.slice("data: ".length) ?? "");
    expect(last(retold.text).response.output).toEqual(last(told.text).response.output);
  });

  it("refuses unsupported fields by name", async () => {
    const refused = async (more: Record<string, unknown>) => {
      const { status, body } = await send("POST", "", { model, input: "Hello.", ...more });
      expect(status, JSON.stringify(more)).toBe(400);
      return (body.error as { param: string }).param;
    };
    const image = { type: "input_image", image_url: "https://example.com/a.png" };
    expect(await refused({ truncation: "auto" })).toBe("truncation");
    expect(await refused({ conversation: "conv_1" })).toBe("conversation");
    expect(await refused({ tools: [{ type: "file_search" }] })).toBe("tools[0]");
    expect(await refused({ tools: [weather, weather] })).toBe("tools[1]");
    expect(await refused({ tool_choice: { type: "function", name: "other" }, tools: [weather] })).toBe(
      "tool_choice",
    );
    expect(await refused({ input: [{ type: "computer_call" }] })).toBe("input[0]");
    expect(await refused({ input: [{ role: "user", content: [image] }] })).toBe("input[0].content[0]");
    expect(await refused({ input: [{ type: "function_call_output", call_id: "a", output: "b" }] })).toBe(
      "input[0].call_id",
    );
    expect(await refused({ input: [{ type: "reasoning", summary: [], encrypted_content: "x.y" }] })).toBe(
      "input[0].encrypted_content",
    );
    expect(await refused({ max_output_tokens: 99_999_999 })).toBe("max_output_tokens");
    expect(await refused({ reasoning: { effort: "none at all" } })).toBe("reasoning.effort");
    expect(await refused({ input: [] })).toBe("input");
    expect(await refused({ temperature: 9 })).toBe("temperature");
  });

  it("is compacted by its model, and continues from that", async () => {
    const { body } = await send("POST", "/compact", {
      model,
      input: [
        { role: "user", content: "We launch on Tuesday." },
        { role: "assistant", content: "Understood." },
      ],
    });
    expect(body).toMatchObject({ object: "response.compaction", output: [{ type: "compaction" }] });
    const [item] = body.output as { encrypted_content: string }[];
    expect(item?.encrypted_content).not.toContain("Tuesday");
    const next = await respond({ input: [item, { role: "user", content: "When?" }] });
    expect(textOf(next)).toContain("2 messages");
    const asThought = {
      model,
      input: [
        { ...item, type: "reasoning" },
        { role: "user", content: "When?" },
      ],
    };
    expect(await send("POST", "", asThought)).toMatchObject({
      status: 400,
      body: { error: { param: "input[0].encrypted_content" } },
    });
    const other = await gateway.createAccount();
    const stolen = { model, input: [item, { role: "user", content: "When?" }] };
    expect((await send("POST", "", stolen, other.key)).body.error).toMatchObject({
      param: "input[0].encrypted_content",
    });
  });

  it("runs without a web search, and lists it as ignored", async () => {
    const { headers } = await send("POST", "", {
      model,
      input: "Hello.",
      tools: [{ type: "web_search" }, weather],
    });
    expect(headers.get("x-svc-ignored-params")).toBe("tools[0]");
  });

  it("returns the names of namespaced and plain-text tools unchanged", async () => {
    const files = {
      type: "namespace",
      name: "files",
      tools: [{ type: "function", name: "rename", parameters: {} }],
    };
    const { output } = await respond({ input: "/tool files__rename {}", tools: [files] });
    expect(output).toMatchObject([{ type: "function_call", name: "rename", namespace: "files" }]);
    const patch = { type: "custom", name: "apply_patch" };
    const custom = await streamed({ input: '/tool apply_patch {"input":"*** Begin"}', tools: [patch] });
    expect(custom.at(-1)?.response).toMatchObject({
      output: [{ type: "custom_tool_call", name: "apply_patch", input: "*** Begin" }],
    });
  });
});

describe("a response that cannot be stored although its model has answered", () => {
  it.each([false, true])(
    "is the database's failure, without an invitation to retry (stream: %s)",
    async (stream) => {
      const { pool } = gateway.context.database;
      const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
      const lost = vi.spyOn(pool, "query").mockImplementation((async (...args: unknown[]) => {
        const [first] = args as [string | { text: string }];
        const text = typeof first === "string" ? first : first.text;
        if (text.startsWith('insert into "responses"')) throw new Error("Connection terminated unexpectedly");
        return query(...args);
      }) as typeof pool.query);
      onTestFinished(() => lost.mockRestore());
      const answer = await fetch(`${gateway.url}/responses`, {
        method: "POST",
        headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
        body: JSON.stringify({ model, input: "Say heliotrope.", stream }),
      });
      const text = await answer.text();
      expect(text).toContain('"service_unavailable"');
      expect(text).toContain("The gateway's database is unavailable. The request may have run.");
      if (stream) return expect(text).not.toContain("response.completed");
      expect(answer.status).toBe(503);
      expect(answer.headers.get("retry-after")).toBeNull();
      expect(answer.headers.get("x-should-retry")).toBe("false");
    },
  );
});
