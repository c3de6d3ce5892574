import OpenAI, { toFile } from "openai";
import { expect, it, vi } from "vitest";
import { chatProgram } from "#gateway/models/providers/testing/chat-program.ts";
import { answersSoon, endProgram } from "#gateway/testing/program.ts";

const settleMs = 120_000;
const requests = 150;
const concurrency = 4;
/** The program is killed after this many answers of the upstream. */
const killsAfter = [20, 120];
const endpoints = ["/v1/chat/completions", "/v1/responses"] as const;

it("the openai package, from upload to output file: after two kills, each line was sent once and is in one of the two files", async () => {
  const { upstream, scene } = await chatProgram();
  try {
    let program = await scene.start();
    const { session } = await scene.signIn();
    const openai = new OpenAI({ apiKey: session, baseURL: scene.url, maxRetries: 0 });
    const ids: string[] = [];
    for (const endpoint of endpoints) {
      const lines = Array.from({ length: requests }, (_, at) => {
        const content = `${endpoint} ${at}`;
        const asked =
          endpoint === "/v1/responses" ? { input: content } : { messages: [{ role: "user", content }] };
        return JSON.stringify({
          ...{ custom_id: content, method: "POST", url: endpoint },
          body: { model: "svc/chat-1", ...asked },
        });
      });
      const text = [...lines, "no json"].join("\n");
      const file = await openai.files.create({
        file: await toFile(Buffer.from(text), "lines.jsonl"),
        purpose: "batch",
      });
      const batch = await openai.batches.create({
        ...{ input_file_id: file.id, endpoint, completion_window: "24h" },
      });
      ids.push(batch.id);
    }
    for (const count of killsAfter) {
      await vi.waitFor(() => expect(upstream.seen.length).toBeGreaterThan(count), { timeout: settleMs });
      await endProgram(program, "SIGKILL");
      program = scene.spawn();
      expect(await answersSoon(program)).toBe(true);
    }
    let unknown = 0;
    for (const [at, id] of ids.entries()) {
      const done = await vi.waitFor(
        async () => {
          const batch = await openai.batches.retrieve(id);
          expect(batch.status).toBe("completed");
          return batch;
        },
        { timeout: settleMs, interval: 200 },
      );
      const read = async (file: string | undefined) =>
        (await (await openai.files.content(file ?? "")).text())
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line));
      const [output, errors] = [await read(done.output_file_id), await read(done.error_file_id)];
      const bad = errors.filter(({ line }) => line === requests + 1);
      expect(bad).toMatchObject([{ custom_id: null, error: { code: "invalid_json" } }]);
      const lost = errors.filter(({ custom_id }) => custom_id !== null);
      for (const { response } of lost)
        expect(response.body.error).toMatchObject({ code: "upstream_outcome_unknown" });
      unknown += lost.length;
      const named = [...output, ...lost].map(({ custom_id }) => custom_id);
      const all = Array.from({ length: requests }, (_, line) => `${endpoints[at]} ${line}`);
      expect(named.toSorted()).toEqual(all.toSorted());
      expect(done.request_counts).toMatchObject({ total: requests + 1, completed: output.length });
      const kind = endpoints[at] === "/v1/responses" ? "response" : "chat.completion";
      expect(output.every(({ response }) => response.body.object === kind)).toBe(true);
    }
    const sent = upstream.seen.map((seen) => JSON.stringify(seen.json().messages));
    expect(new Set(sent).size).toBe(sent.length);
    // At most the runs in progress at each kill.
    expect(unknown).toBeLessThanOrEqual(killsAfter.length * endpoints.length * concurrency);
  } finally {
    await scene.close();
    await upstream.close();
  }
});
