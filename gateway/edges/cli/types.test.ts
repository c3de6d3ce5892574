import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CatalogModel } from "#contract/catalog.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { main } from "./main.ts";
import { typesOf } from "./types.ts";

let folder: string;
const gateway = shared(startTestGateway);
beforeAll(async () => {
  // Inside the repository, so that the programs can import its packages.
  folder = mkdtempSync(path.join(import.meta.dirname, "types-test-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

/** TypeScript's strict errors for a program that imports the types. */
function problemsOf(program: string): string[] {
  const file = path.join(folder, "program.ts");
  writeFileSync(file, program);
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    types: ["node"],
  };
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options))
    .map(({ messageText, start, file: where }) => {
      const line = where && start !== undefined ? where.getLineAndCharacterOfPosition(start).line + 1 : 0;
      return `${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
}

it("writes types that work with the openai and replicate packages and catch mistakes", async () => {
  const out = path.join(folder, "gatehouse.ts");
  const answered = await main(["types", "--gateway", gateway.url, "--out", out]);
  expect(answered).toBe(0);
  expect(
    problemsOf(`
import type OpenAI from "openai";
import type Replicate from "replicate";
import type { ModelId, ModelInputs, ModelOf, ModelOutputs } from "./gatehouse.ts";

export async function use(openai: OpenAI, replicate: Replicate) {
  const model: ModelOf<"chat-completions"> = "svc/chat-1";
  await openai.chat.completions.create({ model, messages: [{ role: "user", content: "Hi" }] });
  const input = { prompt: "A lighthouse", size: "1024x1024", quality: "low", output_format: "png" } as const satisfies ModelInputs["svc/img-gen-b"];
  const output = (await replicate.run("svc/img-gen-b", { input })) as ModelOutputs["svc/img-gen-b"];
  return output satisfies object;
}
export const ids: ModelId[] = ["svc/chat-1", "svc/vid-t2v"];
`),
  ).toEqual([]);
  const wrong = problemsOf(`
import type { ModelId, ModelInputs, ModelOf } from "./gatehouse.ts";
export const model: ModelOf<"chat-completions"> = "svc/vid-t2v";
export const id: ModelId = "svc/nothing";
export const input: ModelInputs["svc/img-gen-b"] = { prompt: 3 };
`);
  expect(wrong.map((problem) => problem.split(":")[0])).toEqual(["3", "4", "5"]);
}, 60_000);

it("includes the account's own models when given a key, and writes the same text for the same catalog", async () => {
  const account = await gateway.createAccount();
  await call(gateway, account.session, "POST", "/operator/models", {
    id: "acme/private",
    template: { model: "template/rerank", api_type: "rerank" },
  });
  const { body } = await call(gateway, account.key, "GET", "/models");
  const models = body.data as CatalogModel[];
  const text = typesOf(models);
  expect(text).toContain('rerank: "acme/private";');
  expect(typesOf(models.toReversed())).toBe(text);
});

it("keeps every word of a schema inside its string or comment", () => {
  const evil = 'x"; export const stolen = 1; */ export const taken = 2; //\n`$' + "{1}`\u2028";
  const schema = {
    type: "object",
    properties: { [evil]: { type: "string", enum: [evil], description: evil } },
  };
  const operation = {
    api_type: "rerank",
    execution_mode: "sync",
    input_schema: schema,
    output_schema: schema,
  };
  const model = { id: evil, description: evil, api_types: ["rerank"], operations: [operation] };
  writeFileSync(path.join(folder, "gatehouse.ts"), typesOf([model as unknown as CatalogModel]));
  expect(problemsOf('import type * as all from "./gatehouse.ts";\nexport type All = typeof all;')).toEqual(
    [],
  );
  const source = ts.createSourceFile(
    "t.ts",
    readFileSync(path.join(folder, "gatehouse.ts"), "utf8"),
    ts.ScriptTarget.Latest,
  );
  expect(
    source.statements.every((one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one)),
  ).toBe(true);
});

it("explains what is wrong with the address or the key", async () => {
  expect(await main(["types", "--gateway", "nowhere"])).toBe(2);
  expect(await main(["types", "--gateway", gateway.url, "--key", "half"])).toBe(2);
  expect(await main(["types", "--gateway", gateway.url.replace("/v1", "/none")])).toBe(1);
});
