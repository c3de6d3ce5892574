import OpenAI from "openai";
import pg from "pg";
import { expect, it, vi } from "vitest";
import { beginsStream, chatProgram } from "#gateway/models/providers/testing/chat-program.ts";
import { answersSoon, endProgram } from "#gateway/testing/program.ts";

const asked = 80;
const settleMs = 120_000;

it("after the gateway was killed twice, each response in the background was sent upstream once and ended with one event", async () => {
  const { upstream, scene } = await chatProgram();
  try {
    let program = await scene.start();
    const { session } = await scene.signIn();
    const ids: string[] = [];
    for (let count = 0; count < asked; count += 1) {
      const body = { model: "svc/chat-1", input: `words ${count}`, background: true };
      const answer = await scene.call(session, "POST", "/responses", body);
      ids.push(String(answer.body.id));
      if (count !== 20 && count !== 50) continue;
      await vi.waitFor(() => expect(upstream.seen.length).toBeGreaterThan(count / 2), { timeout: settleMs });
      await endProgram(program, "SIGKILL");
      program = scene.spawn();
      expect(await answersSoon(program)).toBe(true);
    }
    const unknown: string[] = [];
    for (const id of ids)
      await vi.waitFor(
        async () => {
          const { body } = await scene.call(session, "GET", `/responses/${id}`);
          expect(body.status).toMatch(/completed|failed/);
          if (body.status === "completed") return;
          expect(body.error).toMatchObject({ code: "upstream_outcome_unknown" });
          unknown.push(id);
        },
        { timeout: settleMs, interval: 100 },
      );
    const sent = upstream.seen.map((seen) => JSON.stringify(seen.json().messages));
    expect(new Set(sent).size).toBe(sent.length);
    expect(sent.length).toBeGreaterThanOrEqual(asked - unknown.length);
    // At most the runs in progress at each kill.
    expect(unknown.length).toBeLessThanOrEqual(2 * 32);
    const client = new pg.Client(scene.connection());
    await client.connect();
    const { rows } = await client
      .query(
        `select (select count(*)::int from webhook_events where type like 'response.%') as events,
          (select count(*)::int from response_jobs) as jobs,
          (select coalesce(sum(requests), 0)::int from usage_daily) as runs`,
      )
      .finally(() => client.end());
    expect(rows).toEqual([{ events: asked, jobs: 0, runs: asked - unknown.length }]);
  } finally {
    await scene.close();
    await upstream.close();
  }
});

it("after the gateway was killed during a stream, a reader gets the text so far, then the rest or the failure", async () => {
  const { upstream, scene } = await chatProgram(beginsStream);
  try {
    let program = await scene.start();
    const { session } = await scene.signIn();
    const { body: key } = await scene.call(session, "POST", "/keys", { name: "reader" });
    const openai = new OpenAI({ baseURL: scene.url, apiKey: String(key.secret), maxRetries: 0 });
    type Event = OpenAI.Responses.ResponseStreamEvent;
    const textOf = (events: readonly Event[]) =>
      events.map((event) => (event.type === "response.output_text.delta" ? event.delta : "")).join("");
    // The sandbox runs the second model, and is called again after a crash. Its answer repeats the input, so
    // it takes some seconds.
    const input = "Say a long sentence about the harbour, its ships, its cranes and its gulls. ".repeat(7);
    const runs: { events: Event[] }[] = [];
    for (const model of ["svc/chat-1", "svc/chat-2"]) {
      const events: Event[] = [];
      const stream = await openai.responses.create({ model, input, background: true, stream: true });
      void (async () => {
        for await (const event of stream) events.push(event);
      })().catch(() => {});
      await vi.waitFor(() => expect(textOf(events)).not.toBe(""), { timeout: 30_000, interval: 20 });
      runs.push({ events });
    }
    await endProgram(program, "SIGKILL");
    program = scene.spawn();
    expect(await answersSoon(program)).toBe(true);
    const wholes = [];
    for (const { events } of runs) {
      const [first] = events;
      const id = first?.type === "response.created" ? first.response.id : "";
      expect(events.at(-1)?.type).toBe("response.output_text.delta");
      const rest = await openai.responses.retrieve(id, { stream: true, starting_after: events.length - 1 });
      for await (const event of rest) events.push(event);
      expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, at) => at));
      const replayed: Event[] = [];
      for await (const event of await openai.responses.retrieve(id, { stream: true })) replayed.push(event);
      expect(replayed).toEqual(events);
      wholes.push(await openai.responses.retrieve(id));
    }
    expect(wholes[0]).toMatchObject({ status: "failed", error: { code: "upstream_outcome_unknown" } });
    expect(textOf(runs[0]?.events ?? [])).toBe("Blue ");
    expect(wholes[1]).toMatchObject({ status: "completed" });
    expect(textOf(runs[1]?.events ?? [])).toBe(wholes[1]?.output_text);
  } finally {
    await scene.close();
    await upstream.close();
  }
});
