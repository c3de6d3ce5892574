import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { speechAudio } from "#gateway/models/catalog/example-media.ts";
import { startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startReplicateServer } from "#gateway/models/providers/testing/replicate-server.ts";
import { call, startTestGateway, type TestAccount, type TestGateway } from "#gateway/testing/gateway.ts";
import { keyVariable } from "../../key-variable.ts";
import { type SnippetLanguage, tabsOf } from "../snippets/languages.ts";
import { guideSnippets, type SnippetId } from "../snippets/snippets.ts";

const run = promisify(execFile);
export const snippetTimeoutMs = 60_000;
const ids = Object.keys(guideSnippets) as SnippetId[];

/** The output that a reader sees from each snippet. */
const prints: Record<SnippetId, RegExp> = {
  firstCall: /harbour/,
  findModels: /svc\/img-gen-a-1\nsvc\/[\s\S]*svc\/img-gen-b\n/,
  streaming: /harbour[\s\S]*\d+ tokens|"total_tokens"[\s\S]*data: \[DONE\]/,
  responsesClient: /heliotrope[\s\S]*3 messages/,
  aiSdkClient: /harbour/,
  anthropicClient: /harbour/,
  mcpClient: /harbour/,
  cappedKey: /^key_\w+\s+svc_\S+\n$/,
  cappedRuns: /harbour[\s\S]*\nStopped: ticket-\S+ made 2 runs and spent \d/,
  uploads: /^verified\n.+\n$/,
  openAiBatch: /^harbour[\s\S]*\nlighthouse[\s\S]*\nferry/,
  polling: /pred_[\s\S]*succeeded[\s\S]*http/,
  waiting: /"succeeded"[\s\S]*http/,
  replicateClient: /^http.+\n$/,
  saveOutputs: /^Saved pred_\w+-0\n$/,
  checkReceipt: /^pred_\w+ succeeded: signature is valid\n$|^Signature Verified Successfully\n$/,
  addEndpoint: /we_\w+\s+whsec_/,
  retryDeadLetters: /^(Retried as dlv_\w+\n)+$/,
  safeRetries: /harbour/,
  readError: /invalid_parameter[\s\S]*temperature[\s\S]*req_/,
  gateRefusal: /^A person must attest in the console\. Not retried\.\n$/,
};

const programs: Record<SnippetLanguage, { command: string; ending: string }> = {
  bash: { command: "bash", ending: "sh" },
  javascript: { command: process.execPath, ending: "mjs" },
  python: { command: "python3", ending: "py" },
};

/** All snippets that exist in a language. */
export function casesIn(language: SnippetLanguage): { id: SnippetId; language: SnippetLanguage }[] {
  return ids
    .filter((id) => tabsOf(guideSnippets[id], "").some((tab) => tab.language === language))
    .map((id) => ({ id, language }));
}

let gateway: TestGateway;
let account: TestAccount;
let folder: string;
let predictionId: string;
let cappedAtTwo: string;
let deadLetter: Promise<TestAccount & { endpointId: string }>;

/** Call it once in a test file. It starts a gateway with everything that the snippets use. */
export function setUpGuideSnippets(): void {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "guides-"));
    await symlink(path.resolve("node_modules"), path.join(folder, "node_modules"));
    await writeFile(path.join(folder, "speech.wav"), Buffer.from(speechAudio.split(",")[1] ?? "", "base64"));
    gateway = await startTestGateway();
    Object.assign(gateway.context.config.webhooks, {
      backoffBaseMs: 1,
      backoffFactor: 1,
      allowCidrs: ["127.0.0.0/8"],
      ports: [443, 9],
    });
    account = await gateway.createAccount();
    deadLetter = accountWithDeadLetter();
    deadLetter.catch(() => {}); // a failure is reported by the tests that wait for this promise
    predictionId = await finishedPrediction(account);
    const cap = { metadata_key: "session", max_runs: 2 };
    const made = { name: "agent", scopes: ["inference"], task_budget: cap };
    cappedAtTwo = String((await call(gateway, account.session, "POST", "/keys", made)).body.secret);
  });
  afterAll(async () => {
    await gateway.close();
    await rm(folder, { recursive: true, force: true });
  });
}

/** Checks that the snippet does what its guide describes, and contains no key. */
export async function expectToWork({ id, language }: ReturnType<typeof casesIn>[number]): Promise<void> {
  const busy = id === "safeRetries" ? await startBusyFront(gateway.url) : null;
  try {
    const { key } =
      id === "retryDeadLetters" ? await deadLetter : id === "cappedRuns" ? { key: cappedAtTwo } : account;
    const stdout = await printed({ id, language }, busy?.url ?? gateway.url, key, {
      PREDICTION_ID: predictionId,
      WEBHOOK_URL: "https://example.com/hooks/gatehouse",
      ENDPOINT_ID: id === "retryDeadLetters" ? (await deadLetter).endpointId : "",
    });
    expect(stdout).toMatch(prints[id]);
    if (busy) expect(busy.keys).toEqual(["greeting-1042", "greeting-1042"]);
    if (id === "saveOutputs") {
      const saved = await readFile(path.join(folder, `${predictionId}-0`));
      expect(saved.subarray(1, 4).toString()).toBe("PNG");
    }
  } finally {
    busy?.server.close();
  }
}

/** The output of a snippet that runs against this gateway. */
async function printed(
  { id, language }: ReturnType<typeof casesIn>[number],
  url: string,
  key: string,
  variables: Record<string, string> = {},
  timeout = snippetTimeoutMs,
): Promise<string> {
  const tab = tabsOf(guideSnippets[id], url).find((one) => one.language === language);
  const { command, ending } = programs[language];
  const file = `${id}.${ending}`;
  await writeFile(path.join(folder, file), tab?.code ?? "");
  const env = { ...process.env, ...variables, [keyVariable]: key };
  return (await run(command, [file], { cwd: folder, env, timeout })).stdout;
}

/** The replicate package waits one minute for a run. This run takes longer. */
export async function expectToOutlastItsWait(): Promise<void> {
  const upstream = await startReplicateServer();
  upstream.polls = Number.POSITIVE_INFINITY;
  upstream.end = { status: "succeeded", output: [`${upstream.origin}/files/out.png`] };
  const credentials = {
    "us-virginia": { env: "TEST_UPSTREAM_KEY" },
    "sg-singapore": { env: "TEST_UPSTREAM_KEY" },
  };
  const slow = await startMappedGateway({
    providers: { slow: { protocol: "replicate", base_url: `${upstream.origin}/v1`, credentials } },
    routes: [{ models: ["svc/img-gen-b"], provider: "slow", upstream_model: "acme/slow" }],
  });
  try {
    const { key } = slow.account;
    const language = "javascript";
    const printing = printed(
      { id: "replicateClient", language },
      slow.gateway.url,
      key,
      {},
      4 * snippetTimeoutMs,
    );
    const requests = async () =>
      (await call(slow.gateway, key, "GET", "/requests?route=/predictions/")).body.data as {
        status: number;
      }[];
    // The package reads the prediction again after its wait.
    await vi.waitFor(async () => expect(await requests()).not.toEqual([]), {
      timeout: 2 * snippetTimeoutMs,
      interval: 1_000,
    });
    upstream.polls = 0;
    expect(await printing).toMatch(prints.replicateClient);
  } finally {
    await slow.close();
    await upstream.close();
  }
}

/** A pasted snippet that does not name an endpoint must change nothing. */
export async function expectNothingUnnamed(language: SnippetLanguage): Promise<void> {
  const reader = await deadLetter;
  const { command, ending } = programs[language];
  const idsOf = async (list: string) =>
    ((await call(gateway, reader.key, "GET", `${list}?limit=100`)).body.data as { id: string }[]).map(
      (row) => row.id,
    );
  const both = async () => [await idsOf("/webhooks/endpoints"), await idsOf("/webhooks/deliveries")];
  const before = await both();
  for (const id of ["addEndpoint", "retryDeadLetters"] as const) {
    const tab = tabsOf(guideSnippets[id], gateway.url).find((one) => one.language === language);
    await writeFile(path.join(folder, `unnamed-${id}.${ending}`), tab?.code ?? "");
    const { WEBHOOK_URL: _url, ENDPOINT_ID: _id, ...env } = process.env;
    const shown = await run(command, [`unnamed-${id}.${ending}`], {
      cwd: folder,
      env: { ...env, [keyVariable]: reader.key },
      timeout: snippetTimeoutMs,
    }).catch(({ stderr }) => ({ stdout: "", stderr: String(stderr) }));
    expect(shown.stdout).toBe("");
    expect(shown.stderr).toMatch(id === "addEndpoint" ? /WEBHOOK_URL/ : /ENDPOINT_ID/);
  }
  expect(await both()).toEqual(before);
}

async function finishedPrediction({ key }: TestAccount): Promise<string> {
  const picture = { model: "svc/img-gen-b", prompt: "a kite", quality: "low" };
  const input = { ...picture, size: "1024x1024", output_format: "png" };
  const answer = await call(gateway, key, "POST", "/images/generations", input, { prefer: "wait=30" });
  expect(answer.body.status).toBe("succeeded");
  return String(answer.body.id);
}

/** The account's only endpoint refuses every connection. */
async function accountWithDeadLetter(): Promise<TestAccount & { endpointId: string }> {
  const made = await gateway.createAccount();
  const url = "https://127.0.0.1:9/nobody-listens";
  const endpoint = await call(gateway, made.key, "POST", "/webhooks/endpoints", { url });
  await finishedPrediction(made);
  const deadLetters = async () =>
    (await call(gateway, made.key, "GET", "/webhooks/deliveries?status=dead-letter")).body.data;
  await vi.waitFor(async () => expect(await deadLetters()).toHaveLength(1), {
    timeout: 20_000,
    interval: 100,
  });
  return { ...made, endpointId: String(endpoint.body.id) };
}

/** A proxy before the gateway. It answers the first request with 503, and records every idempotency key. */
async function startBusyFront(target: string): Promise<{ url: string; keys: unknown[]; server: Server }> {
  const keys: unknown[] = [];
  const server = createServer(async (request, response) => {
    keys.push(request.headers["idempotency-key"]);
    const body = Buffer.concat(await request.toArray());
    if (keys.length === 1)
      return void response
        .writeHead(503, { "retry-after": "1", "content-type": "application/json" })
        .end('{"error": {"code": "service_unavailable", "message": "Not now."}}');
    const { authorization = "", "content-type": type = "", "idempotency-key": key = "" } = request.headers;
    const answer = await fetch(target + (request.url ?? "").replace(/^\/v1/, ""), {
      method: "POST",
      headers: { authorization, "content-type": type, "idempotency-key": String(key) },
      body,
    });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, keys, server };
}
