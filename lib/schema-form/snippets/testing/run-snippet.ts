import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect } from "vitest";
import { operationPaths } from "#contract/catalog-constants.ts";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { english } from "@/scripts/testing/english";
import { keyVariable } from "../../../key-variable.ts";
import { exampleDraft, toRequest } from "../../draft.ts";
import { planForm } from "../../plan-form.ts";
import { snippetsFor } from "../snippets.ts";

const run = promisify(execFile);
const key = "svc_live_test";
// biome-ignore lint/suspicious/noTemplateCurlyInString: it must arrive as it stands
const tricky = 'Don\'t say "$HOME" or `id`;\n\\ naïve 🦊 #{x} ${y} %s';
export const runTimeoutMs = 30_000;

interface Received {
  route: string;
  authorization: string | undefined;
  body: unknown;
}

/** The program that runs the snippets of each language. */
const programs: Record<string, { file: string; command: string }> = {
  bash: { file: "snippet.sh", command: "bash" },
  javascript: { file: "snippet.mjs", command: process.execPath },
  python: { file: "snippet.py", command: "python3" },
};

/** One operation for each route and execution mode. */
const chosen = [
  "svc/chat-1:chat-completions",
  "svc/chat-2:chat-completions",
  "svc/tts-b-1:text-to-speech",
  "svc/voice-1:voice-management",
  "svc/asr-1:audio-transcription",
  "svc/img-gen-a-1:image-generation",
  "svc/img-gen-a-1:image-editing",
  "svc/img-gen-b:image-generation",
  "svc/adult-vid-4:video-generation",
];

const catalog = createCatalog();
export const operations = chosen.map((id) => {
  const [modelId = "", apiType = ""] = id.split(":");
  const compiled = catalog.operation(modelId, apiType);
  if (!compiled) throw new Error(`${id} is not in the catalog`);
  return { id, ...compiled };
});

let server: Server;
let folder: string;
let received: Received[] = [];

/**
 * Call it once in a test file. It starts a gateway that answers each route with the minimum that the snippets
 * read.
 */
export function setUpSnippetServer(): void {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "snippets-"));
    await symlink(path.resolve("node_modules"), path.join(folder, "node_modules"));
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      const route = (request.url ?? "").replace(/^\/v1/, "");
      if (request.method === "POST")
        received.push({ route, authorization: request.headers.authorization, body: JSON.parse(text) });
      if (route === "/audio/speech") return void response.setHeader("content-type", "audio/wav").end("RIFF");
      if (route === "/chat/completions" && (JSON.parse(text) as { stream?: boolean }).stream) {
        response.setHeader("content-type", "text/event-stream");
        return void response.end(
          'data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n',
        );
      }
      const isPoll = request.method === "GET";
      response.setHeader("content-type", "application/json").end(
        JSON.stringify({
          id: "pred_1",
          status: isPoll ? "succeeded" : "starting",
          poll_url: `${baseUrl()}/predictions/pred_1`,
          output: isPoll ? "done" : null,
          choices: [{ message: { role: "assistant", content: "Hi" } }],
          data: [{ url: "https://example.com/a.png" }],
        }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
}

function baseUrl(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** The snippet sends exactly the body that the form produced. */
export async function expectIdenticalBody(
  { model, operation }: (typeof operations)[number],
  language: string,
): Promise<void> {
  const program = programs[language];
  if (!program) throw new Error(`no way to run ${language}`);
  const plan = planForm(model, operation, english("inputForm"));
  const example = exampleDraft(plan, operation.example).value ?? {};
  const textKey = ["prompt", "input"].find((name) => name in example);
  const body = toRequest(
    { ...example, ...(textKey && { [textKey]: tricky }), flags: [true, false, null, {}, []] },
    plan,
  );
  const snippets = snippetsFor({ operation, body, baseUrl: baseUrl() });
  expect(snippets.map((each) => each.language).toSorted()).toEqual(Object.keys(programs).toSorted());
  const code = snippets.find((each) => each.language === language)?.code ?? "";
  expect(code).not.toContain(key);
  await writeFile(path.join(folder, program.file), code);
  received = [];
  await run(program.command, [program.file], { cwd: folder, env: { ...process.env, [keyVariable]: key } });
  expect(received).toEqual([
    { route: operationPaths[operation.api_type], authorization: `Bearer ${key}`, body },
  ]);
}
