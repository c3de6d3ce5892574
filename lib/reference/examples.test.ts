import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeAll, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { listedSections, type OpenApiDocument, readOperation } from "./document.ts";
import { exampleUlid } from "./example.ts";
import { saidByCurl, sentBy } from "./testing/run-examples.ts";

let document: OpenApiDocument;
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

const gateway = shared(startTestGateway);
beforeAll(async () => {
  const { body } = await call(gateway, null, "GET", "/openapi.json");
  document = body as unknown as OpenApiDocument;
});

it("shows tasks and reports with their own ids", () => {
  const shown = (id: string) => JSON.stringify(readOperation(document, id)?.example);
  for (const id of ["getTasks", "getTasksId", "postTasksIdRaise", "postTasksIdEnd"])
    expect(shown(id)).toContain(`task_${exampleUlid}`);
  for (const id of ["getReports", "getReportsId", "postReportsIdRemove", "postSharedTokenReports"])
    expect(shown(id)).toContain(`rep_${exampleUlid}`);
});

it("shows a request and an answer that fit the schemas, for every route", () => {
  const operations = listedSections(document).flatMap(({ routes }) =>
    routes.flatMap(({ id }) => readOperation(document, id) ?? []),
  );
  expect(operations.length).toBeGreaterThan(50);
  const wrong: string[] = [];
  const check = (what: string, schema: object | null | undefined, value: unknown) => {
    if (schema && !ajv.validate(schema, value)) wrong.push(`${what}: ${ajv.errorsText()}`);
  };
  for (const { id, path, method, bodies, answers, example } of operations) {
    const [curl = ""] = example.requests.map(({ code }) => code);
    expect(curl, id).not.toMatch(/[{]\w+[}]|undefined|base64/);
    if (!path.includes("{")) expect(curl).toContain(`${path}`);
    const [, json] = /-d '([\s\S]*)'$/.exec(curl) ?? [];
    if (json) {
      const body: unknown = JSON.parse(json.replaceAll("'\\''", "'"));
      check(`${method} ${path} request`, { anyOf: bodies.map(({ schema }) => schema) }, body);
    }
    const schema = answers.find(({ status }) => status === example.answer?.status)?.schema;
    if (example.answer?.language === "json") check(`${method} ${path} answer`, schema, example.answer.value);
  }
  expect(wrong).toEqual([]);
});

it("sends the same request from Node as the curl command says, for every route", async () => {
  const examples = listedSections(document).flatMap(({ routes }) =>
    routes.flatMap(({ id }) => readOperation(document, id)?.example.requests ?? []),
  );
  const codes = (wanted: string) =>
    examples.filter(({ language }) => language === wanted).map(({ code }) => code);
  const sent = await sentBy("javascript", codes("javascript"), document.servers?.[0]?.url ?? "");
  expect(sent).toEqual(codes("bash").map(saidByCurl));
}, 120_000);
