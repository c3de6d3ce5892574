import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { startTestGateway } from "#gateway/testing/gateway.ts";
import { extraPackageFile } from "../../../scripts/install/ensure-extra-package.ts";
import { inspector } from "../../../scripts/install/extra-packages.ts";

const execute = promisify(execFile);

const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());
const home = newFolder("inspector");

/** The JSON that the unmodified command line prints. */
async function inspect(...words: string[]): Promise<Record<string, unknown>> {
  const address = new URL("/mcp", gateway.url).href;
  const header = ["--header", `Authorization: Bearer ${account.key}`];
  const env = { ...process.env, HOME: home };
  const { stdout } = await execute(
    process.execPath,
    [extraPackageFile(inspector), "--cli", address, ...header, ...words],
    {
      env,
    },
  );
  return JSON.parse(stdout);
}

async function callTool(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const pairs = Object.entries(args).flatMap(([key, value]) => [
    "--tool-arg",
    `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  ]);
  const answer = await inspect("--method", "tools/call", "--tool-name", name, ...pairs);
  expect(answer.isError, JSON.stringify(answer)).toBeFalsy();
  return answer.structuredContent as Record<string, unknown>;
}

it("the Inspector's command line lists each tool and calls it", async () => {
  const { tools } = (await inspect("--method", "tools/list", "--strict")) as { tools: { name: string }[] };
  const called = new Set<string>();
  const call = (name: string, args: Record<string, unknown>) => {
    called.add(name);
    return callTool(name, args);
  };
  expect(await call("search_models", { query: "video" })).toMatchObject({ models: expect.any(Array) });
  expect(await call("describe_model", { model: "svc/vid-t2v" })).toMatchObject({
    operations: expect.any(Array),
  });
  const input = { prompt: "a lighthouse", duration: 2 };
  const run = await call("run", { model: "svc/vid-t2v", input, wait_seconds: 0 });
  expect(await call("get_run", { id: run.id, wait_seconds: 50 })).toMatchObject({ status: "succeeded" });
  const other = await callTool("run", {
    model: "svc/vid-t2v",
    input: { ...input, duration: 10 },
    wait_seconds: 0,
  });
  expect(await call("cancel_run", { id: other.id })).toMatchObject({ id: other.id });
  expect(
    await call("upload_link", { content_type: "image/png", size_bytes: 100, filename: "a.png" }),
  ).toMatchObject({
    upload_url: expect.any(String),
  });
  expect([...called].sort()).toEqual(tools.map(({ name }) => name).sort());
});
