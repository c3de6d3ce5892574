import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { pino } from "pino";
import { createAccount } from "#gateway/access/accounts/account.ts";
import { smallImage } from "#gateway/models/catalog/example-media.ts";
import { sendJson, startUpstream } from "#gateway/models/providers/testing/upstream-server.ts";
import { openDatabase } from "#gateway/platform/database/open.ts";
import { call } from "#gateway/testing/gateway.ts";
import { median, quantile, verdict } from "./parts/figures.ts";
import { startGateway, writeProvidersFile } from "./parts/gateway.ts";
import { runBench } from "./parts/run.ts";

/*
 * How long single runs of an account take: alone, and beside two long batches of two other accounts, in
 * turns. The upstream is as fast as a quick model.
 */
const upstreamMs = 200;
/** A batch has at most a thousand rows, so a measurement cannot be long. */
const rounds = 5;
const compared = 8;
const goal = 3;
/**
 * Ratio between the finished rows of the two batches, the larger first. Both have the same rows and the same
 * concurrency.
 */
const fairGoal = 1.25;
const owners = ["first", "second"].map((name) => ({
  name,
  email: `${name}@example.com`,
  password: "correct-horse-battery",
}));
const prompt = "A river winds through a valley";
const kinds = [
  {
    name: "chat",
    route: "/chat/completions",
    single: { model: "svc/chat-1", messages: [{ role: "user", content: prompt }] },
    row: { prompt },
  },
  {
    name: "picture",
    route: "/images/generations",
    single: { model: "svc/img-gen-b", prompt, quality: "low", size: "1024x1024", output_format: "png" },
    row: { prompt, quality: "low", size: "1024x1024", output_format: "png" },
  },
];

await runBench(async (folder) => {
  const usage = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 };
  const image = smallImage.split(",")[1];
  const upstream = await startUpstream(async (seen, response) => {
    await after(upstreamMs);
    if (seen.path.includes("/images"))
      return sendJson(response, { created: 1, data: [{ b64_json: image }], usage });
    const message = { role: "assistant", content: "Done." };
    sendJson(response, { id: "chat", choices: [{ index: 0, message, finish_reason: "stop" }], usage });
  });
  const models = kinds.map(({ single }) => single.model);
  const gateway = await startGateway(folder, {
    PROVIDERS_FILE: writeProvidersFile(folder, models, `${upstream.origin}/v1`),
  });
  const neighbours = await addAccounts(folder, gateway);

  for (const { name, route, single, row } of kinds) {
    const singleRuns = async () => {
      const tookMs: number[] = [];
      for (let run = 0; run < compared; run += 1) {
        const start = performance.now();
        const headers = { prefer: "wait=60" };
        const answer = await call(gateway, gateway.key, "POST", route, single, headers);
        if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
        tookMs.push(performance.now() - start);
      }
      return tookMs;
    };
    const batches = await Promise.all(
      neighbours.map((bearer) => pausedBatch(gateway, bearer, single.model, row)),
    );
    await singleRuns();
    const alone: number[] = [];
    const beside: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      alone.push(...(await singleRuns()));
      await Promise.all(batches.map((batch) => batch.resume()));
      beside.push(...(await singleRuns()));
      await Promise.all(batches.map((batch) => batch.pause()));
    }
    const done = await Promise.all(batches.map((batch) => batch.stop()));
    if (done.some(({ left }) => left === 0))
      throw new Error("a batch ended before it could be measured; use slower rows");
    const waited = (tookMs: number[]) =>
      `p50 ${median(tookMs).toFixed(0)} ms, p95 ${quantile(tookMs, 0.95).toFixed(0)} ms`;
    console.log(`\na single ${name}: alone ${waited(alone)}; beside two batches ${waited(beside)}`);
    const ratio = quantile(beside, 0.95) / quantile(alone, 0.95);
    console.log(verdict("p95 beside / alone", ratio.toFixed(2), `<= ${goal}`, ratio <= goal));
    const rows = done.map(({ ran }) => ran);
    const share = Math.max(...rows) / Math.min(...rows);
    const value = `${share.toFixed(2)} (${rows.join(" and ")})`;
    console.log(verdict("rows of one batch / of the other", value, `<= ${fairGoal}`, share <= fairGoal));
  }
  await upstream.close();
});

interface Place {
  url: string;
}

/** The sessions of the other accounts. */
async function addAccounts(folder: string, gateway: Place): Promise<string[]> {
  const settings = { databaseUrl: null, migrate: false, dataDir: path.join(folder, "data") };
  const database = await openDatabase(settings, pino({ level: "warn" }), "borrow");
  for (const owner of owners) await database.transaction((queries) => createAccount(queries, owner));
  await database.close();
  const signedIn = owners.map(({ email, password }) =>
    call(gateway, null, "POST", "/account/sessions", { email, password }),
  );
  return (await Promise.all(signedIn)).map(({ body }) => String(body.token));
}

/** A batch with the maximum number of rows, paused until it is resumed. */
async function pausedBatch(gateway: Place, bearer: string, model: string, row: object) {
  const body = { model, rows: Array.from({ length: 1000 }, () => row), concurrency: 20 };
  const made = await call(gateway, bearer, "POST", "/batches", body);
  if (made.status !== 202) throw new Error(JSON.stringify(made.body));
  const at = `/batches/${made.body.id}`;
  const counts = async () =>
    (await call(gateway, bearer, "GET", at)).body.counts as {
      queued: number;
      running: number;
      succeeded: number;
    };
  const idle = async () => {
    while ((await counts()).running > 0) await after(50);
  };
  const act = (verb: string) => call(gateway, bearer, "POST", `${at}/${verb}`);
  const batch = {
    resume: () => act("resume"),
    /** Running rows end first. */
    async pause() {
      await act("pause");
      await idle();
    },
    async stop() {
      const { succeeded, queued } = await counts();
      await act("stop");
      return { ran: succeeded, left: queued };
    },
  };
  await batch.pause();
  return batch;
}
