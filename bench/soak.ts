import { readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startReplicateServer } from "#gateway/models/providers/testing/replicate-server.ts";
import { clusterFolder } from "#gateway/platform/database/embedded/places.ts";
import { runningPostmaster } from "#gateway/platform/database/embedded/postmaster.ts";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { startReceiver } from "#gateway/testing/receiver.ts";
import { median, verdict } from "./parts/figures.ts";
import { type BenchGateway, startGateway, writeJobsFile } from "./parts/gateway.ts";
import { runBench } from "./parts/run.ts";

/*
 * A fixed rate for ten minutes: chats of the sandbox, and images of a local upstream, whose files are kept
 * for a minute and whose events are delivered to a webhook endpoint. Everything that would grow in a longer
 * run must stay constant: each figure of the last third is compared with that of the second third, when all
 * data that is kept for a minute exists. The first third is a warm-up.
 */
const seconds = Number(process.env.BENCH_SECONDS ?? 600);
const perSecond = { chats: 10, images: 5 };
const retentionMs = Math.min(60_000, seconds * 100);
const sampleMs = Math.max(1_000, seconds * 10);
const goals = { memory: 1.15, rows: 1.1, files: 1.2, lag: 1 };
const maxLagSeconds = 60;
const token = "only-for-the-bench";
const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "What is a gateway for?" }] };
const image = {
  model: "svc/img-gen-b",
  prompt: "A river winds through a valley",
  quality: "low",
  size: "1024x1024",
  output_format: "png",
};

interface Sample {
  memoryBytes: number;
  databaseBytes: number;
  files: number;
  lagSeconds: number;
  /** Operations answered so far. */
  done: number;
}

await runBench(async (folder) => {
  const authority = await makeAuthority(folder);
  const receiver = await startReceiver(authority.local);
  const upstream = await startReplicateServer();
  upstream.end = { status: "succeeded", output: [`${upstream.origin}/files/out.png`] };
  const gateway = await startGateway(folder, {
    PROVIDERS_FILE: writeJobsFile(folder, image.model, `${upstream.origin}/v1`),
    METRICS_TOKEN: token,
    RETENTION_MS: String(retentionMs),
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    WEBHOOK_PORTS: String(receiver.port),
    WEBHOOK_CA_FILE: authority.caFile,
  });
  const dataDir = path.join(folder, "data");
  const host = runningPostmaster(clusterFolder(dataDir))?.socketDir ?? "";
  const database = new pg.Client({ host, user: "gatehouse", database: "gatehouse" });
  database.on("error", () => {}); // The running query reports the failure.
  await database.connect();
  await ask(gateway, "/webhooks/endpoints", { url: receiver.url });

  let done = 0;
  const operate = async (route: string, body: object) => {
    await ask(gateway, route, body);
    done += 1;
  };
  const sample = async (): Promise<Sample> => {
    const metrics = await readMetrics(gateway);
    const size = "select pg_database_size(current_database())::float8 as bytes";
    const { rows } = await database.query<{ bytes: number }>(size);
    return {
      memoryBytes: metrics("process_resident_memory_bytes"),
      databaseBytes: rows[0]?.bytes ?? Number.NaN,
      files: countFiles(path.join(dataDir, "files/objects")),
      lagSeconds: metrics("gatehouse_retention_lag_seconds"),
      done,
    };
  };

  const samples: Sample[] = [];
  const load = everySecond(() => [
    ...Array.from({ length: perSecond.chats }, () => operate("/chat/completions", chat)),
    ...Array.from({ length: perSecond.images }, () => operate("/images/generations", image)),
  ]);
  const endsAt = performance.now() + seconds * 1_000;
  while (performance.now() < endsAt) {
    await sleep(sampleMs);
    samples.push(await sample());
  }
  await load.stop();
  await database.end();
  await receiver.close();
  await upstream.close();

  const third = Math.floor(samples.length / 3);
  const [before, after] = [samples.slice(third, 2 * third), samples.slice(-third)];
  const ratio = (figure: (part: Sample[]) => number) => figure(after) / figure(before);
  const middle = (key: keyof Sample) => (part: Sample[]) => median(part.map((one) => one[key]));
  const grown = (key: keyof Sample, part: Sample[]) => (part.at(-1)?.[key] ?? 0) - (part[0]?.[key] ?? 0);
  const bytesEach = (part: Sample[]) => grown("databaseBytes", part) / grown("done", part);
  const last = samples.at(-1);
  console.log(
    `\n${perSecond.chats} chats and ${perSecond.images} images with a webhook a second, ${seconds} s: ${done} operations, ${receiver.received.length} deliveries`,
  );
  console.log(
    `at the end ${megabytes(last?.memoryBytes)} of memory, ${megabytes(last?.databaseBytes)} of database, ${last?.files} files; ${(bytesEach(after) / 1_000).toFixed(1)} kB of database for an operation`,
  );
  const lag = Math.max(...samples.map(({ lagSeconds }) => lagSeconds)) / maxLagSeconds;
  report("memory, last third / second", ratio(middle("memoryBytes")), goals.memory);
  report("database for an operation, last / second", ratio(bytesEach), goals.rows);
  report("files, last third / second", ratio(middle("files")), goals.files);
  report("lag of removal / a minute", lag, goals.lag);
});

function report(name: string, value: number, goal: number): void {
  console.log(verdict(name, value.toFixed(2), `<= ${goal}`, value <= goal));
}

/**
 * Starts the operations of each second on time, however long earlier ones take. Any failure ends the
 * benchmark.
 */
function everySecond(begin: () => Promise<void>[]): { stop(): Promise<void> } {
  const underWay = new Set<Promise<void>>();
  let failure: unknown;
  const timer = setInterval(() => {
    for (const one of begin()) {
      underWay.add(one);
      one
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => underWay.delete(one));
    }
  }, 1_000);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.allSettled(underWay);
      if (failure) throw failure;
    },
  };
}

async function ask({ url, key }: BenchGateway, route: string, body: object): Promise<void> {
  const response = await fetch(`${url}${route}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${route}: ${response.status} ${text}`);
}

/** The largest value of a metric over its labels. */
async function readMetrics({ url }: BenchGateway): Promise<(name: string) => number> {
  const headers = { authorization: `Bearer ${token}` };
  const text = await (await fetch(url.replace("/v1", "/metrics"), { headers })).text();
  return (name) =>
    Math.max(
      ...[...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "gm"))].map(([, value]) =>
        Number(value),
      ),
    );
}

/** Folders may disappear while they are counted. */
function countFiles(folder: string): number {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.reduce(
      (sum, entry) => sum + (entry.isDirectory() ? countFiles(path.join(folder, entry.name)) : 1),
      0,
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
    throw error;
  }
}

function megabytes(bytes = Number.NaN): string {
  return `${(bytes / 1_000_000).toFixed(0)} MB`;
}
