import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, inject, it, vi } from "vitest";
import { smallImage } from "#gateway/models/catalog/example-media.ts";
import * as published from "#gateway/models/configuration/models/testing/published.ts";
import { shapeOf } from "#gateway/models/providers/file/check.ts";
import { startReplicateServer } from "#gateway/models/providers/testing/replicate-server.ts";
import { sendJson, startUpstream } from "#gateway/models/providers/testing/upstream-server.ts";
import { fresh, shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

/** The blocks of code of a chapter in `docs/`. */
function blocksOf(chapter: string, language: "sh" | "js" | "json" | "yaml"): string[] {
  const text = readFileSync(path.resolve(import.meta.dirname, `../docs/${chapter}.md`), "utf8");
  return [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)].flatMap(([, found, code = ""]) =>
    found === language ? [code] : [],
  );
}

const run = async (script: string, cwd: string, env: Record<string, string> = {}) =>
  (await promisify(execFile)("bash", ["-e", "-c", script], { cwd, env: { ...process.env, ...env } })).stdout;
const newFolder = () => mkdtemp(path.join(inject("testServer").folder, "documents-"));

describe("the calls of the chapters for newcomers", () => {
  // Each chapter begins with an installation of its own.
  const gateway = fresh(startTestGateway);
  const openai = shared(() =>
    startUpstream((seen, response) => {
      if (seen.path === "/v1/models")
        return sendJson(response, { data: [{ id: "gpt-4o" }, { id: "vendor/small-model" }] });
      const message = { role: "assistant", content: `Hello from ${seen.json().model}` };
      sendJson(response, { choices: [{ index: 0, finish_reason: "stop", message }] });
    }),
  );
  const replicate = shared(async () => {
    const server = await startReplicateServer();
    server.models = { "acme/fast-pictures": published.replicatePictures };
    server.end = { status: "succeeded", output: "ORIGIN/files/out.png" };
    return server;
  });
  beforeAll(() => {
    for (const name of ["OPENAI", "OPENROUTER", "REPLICATE"])
      vi.stubEnv(`GATEHOUSE_KEY_${name}`, `the key of ${name.toLowerCase()}`);
    return () => vi.unstubAllEnvs();
  });

  it.each([
    ["getting-started", /"role":"assistant"[\s\S]*"status":"succeeded"[\s\S]*"name":"gpt-4o"/],
    ["uploads", /"status":"verified"/],
    ["coming-from-openai", /Hello from gpt-4o/],
    [
      "coming-from-litellm",
      /alias {5}gpt-4o: openai\/gpt-4o, openrouter\/fast[\s\S]*\nadded {5}alias gpt-4\n[\s\S]*Hello from gpt-4o/,
    ],
    ["coming-from-openrouter", /^vendor\/small-model\n[\s\S]*Hello from vendor\/small-model/],
    [
      "coming-from-replicate-and-fal",
      /"status":"succeeded"[\s\S]*"kept_until":null[\s\S]*"status":"succeeded"[\s\S]*"output":\["http/,
    ],
  ])("%s", async (chapter, printed) => {
    const account = await gateway.createAccount();
    const operator = await gateway.createKey(account.accountId, {
      scopes: ["inference", "predictions", "keys", "operator"],
    });
    const folder = await newFolder();
    const script = blocksOf(chapter, "sh")
      .join("\n")
      .replaceAll(/https:\/\/(?:api\.openai\.com|openrouter\.ai\/api)\/v1/g, `${openai.origin}/v1`)
      .replaceAll("https://api.replicate.com/v1", `${replicate.origin}/v1`)
      .replaceAll('"protocol":', '"allow_private": true, "protocol":')
      .replace(/(sk-or-your-key|r8_your_token)/, "sk-of-the-provider")
      .replaceAll(/import (openrouter|replicate)/g, (found, from) => {
        const { origin } = from === "replicate" ? replicate : openai;
        return `${found} --base-url ${origin}/v1 --allow-private`;
      })
      .replaceAll("npm run -s gatehouse --", `node ${path.resolve("scripts/gatehouse.mjs")}`)
      .replaceAll(/\b(config\.yaml|gatehouse\.json)\b/g, `${folder}/$1`);
    const [config = ""] = blocksOf(chapter, "yaml");
    const reached = config.replaceAll("api_key:", `api_base: "${openai.origin}/v1", api_key:`);
    await writeFile(path.join(folder, "config.yaml"), reached);
    await writeFile(path.join(folder, "photo.png"), Buffer.from(smallImage.split(",")[1] ?? "", "base64"));
    const keys = { OPENAI_API_KEY: "sk-of-openai", OPENROUTER_API_KEY: "sk-of-openrouter" };
    const env = {
      ...keys,
      GATEWAY: gateway.url.replace(/\/v1$/, ""),
      GATEWAY_PUBLIC_URL: gateway.url.replace(/\/v1$/, ""),
      GATEHOUSE_DATA_DIR: folder,
      KEY: account.key,
      OPERATOR_KEY: operator,
    };
    expect(await run(script, folder, env)).toMatch(printed);
    // Only some chapters have code of a client, which is found among this repository's packages.
    for (const code of blocksOf(chapter, "js")) {
      const command = ["--input-type=module", "--eval", code];
      const { stdout } = await promisify(execFile)(process.execPath, command, {
        env: { ...process.env, ...env },
      });
      expect(stdout).toMatch(/^http/);
    }
  });
});

describe("the examples of JSON", () => {
  const gateway = shared(startTestGateway);
  const operator = shared(() => gateway.createAccount());
  beforeAll(() => {
    vi.stubEnv("GATEHOUSE_KEY_SPARE", "a spare key");
    return () => vi.unstubAllEnvs();
  });

  it.each([
    ["money", "POST", "/operator/prices/import", ({ prices }: { prices: unknown }) => ({ prices })],
    ["budgets", "PATCH", "/account/budgets", (example: unknown) => ({ task_budget: example })],
    [
      "connect-models",
      "POST",
      "/operator/providers",
      (example: unknown) => ({
        name: "acme",
        protocol: "openai",
        base_url: "https://api.example.com/v1",
        credentials: { "us-virginia": example },
      }),
    ],
  ])("that of %s is taken", async (chapter, method, path, bodyOf) => {
    const [example = ""] = blocksOf(chapter, "json");
    const { status, body } = await call(
      gateway,
      operator.session,
      method,
      path,
      bodyOf(JSON.parse(example.replaceAll("…", "x"))),
    );
    expect(status, JSON.stringify(body)).toBeLessThan(300);
  });
});

it("the commands for a certificate of your own make one", async () => {
  const folder = await newFolder();
  const [commands = ""] = blocksOf("provenance", "sh");
  await run(commands, folder);
  expect(await run("openssl verify -CAfile authority.pem c2pa-chain.pem", folder)).toContain("OK");
});

it.each(blocksOf("provider-examples", "json"))(
  "the example file %# is one that the gateway reads",
  (code) => {
    expect(() => shapeOf(JSON.parse(code), "the example")).not.toThrow();
  },
);
