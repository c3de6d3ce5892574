import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { keyVariable } from "@/lib/key-variable";

const run = promisify(execFile);
const key = "svc_live_test";

/** What a gateway saw of an example. */
export interface Sent {
  method: string;
  path: string;
  hasKey: boolean;
  /** The text of the body; JSON without spaces. */
  body: string;
}

/** How a program runs all examples of a language, one after the other. */
const programs: Record<string, { command: string; ending: string; main: (files: string[]) => string }> = {
  bash: {
    command: "bash",
    ending: "sh",
    main: (files) => files.map((file) => `bash ${file}\n`).join(""),
  },
  javascript: {
    command: process.execPath,
    ending: "mjs",
    main: (files) =>
      `for (const file of ${JSON.stringify(files)}) await import(new URL(file, import.meta.url).href);\n`,
  },
  python: {
    command: "python3",
    ending: "py",
    main: (files) =>
      `for name in ${JSON.stringify(files)}:\n    exec(compile(open(name).read(), name, "exec"), {})\n`,
  },
};

/** Answers every example, whichever fields it prints. */
const answer = JSON.stringify({
  object: "list",
  data: [],
  has_more: false,
  choices: [{ message: { role: "assistant", content: "Hi" } }],
  output: [],
});

/** Runs the examples of one language against a server in place of `server`. Throws if one of them fails. */
export async function sentBy(language: string, codes: readonly string[], server: string): Promise<Sent[]> {
  const program = programs[language];
  if (!program) throw new Error(`no way to run ${language}`);
  const sent: Sent[] = [];
  const gateway = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const isJson = request.headers["content-type"]?.startsWith("application/json");
    sent.push({
      method: request.method ?? "",
      path: request.url ?? "",
      hasKey: request.headers.authorization === `Bearer ${key}`,
      body: isJson && text !== "" ? JSON.stringify(JSON.parse(text)) : text,
    });
    response.setHeader("content-type", "application/json").end(answer);
  });
  const folder = await mkdtemp(path.join(tmpdir(), "examples-"));
  try {
    gateway.listen(0, "127.0.0.1");
    await once(gateway, "listening");
    const address = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    await symlink(path.resolve("node_modules"), path.join(folder, "node_modules"));
    await writeFile(path.join(folder, "harbour.png"), "a picture");
    const files = codes.map((_, at) => `example-${at}.${program.ending}`);
    for (const [at, code] of codes.entries())
      await writeFile(path.join(folder, files[at] ?? ""), code.replaceAll(server, address));
    const main = `main.${program.ending}`;
    await writeFile(path.join(folder, main), program.main(files));
    const env = { ...process.env, [keyVariable]: key };
    await run(program.command, [main], { cwd: folder, env, maxBuffer: 64_000_000 });
  } finally {
    gateway.close();
    gateway.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  }
  return sent;
}

/** What the curl command of an example says that it sends. */
export function saidByCurl(code: string): Sent {
  const [, method = "GET"] = /^ {2}-X (\w+)/m.exec(code) ?? [];
  const [, address = ""] = /^curl "([^"]*)"/.exec(code) ?? [];
  const [, json] = /-d '([\s\S]*)'$/.exec(code) ?? [];
  const { pathname, search } = new URL(address);
  return {
    method,
    path: pathname + search,
    hasKey: code.includes("Authorization: Bearer"),
    body: json
      ? JSON.stringify(JSON.parse(json.replaceAll("'\\''", "'")))
      : code.includes("--data-binary")
        ? "a picture"
        : "",
  };
}
