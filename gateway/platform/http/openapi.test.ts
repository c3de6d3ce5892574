import path from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import openapiTS, { astToString } from "openapi-typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { publishedDocument } from "#gateway/testing/published-document.ts";
import { routeDescriptions } from "./openapi.ts";
import { validatorOf } from "./validation.ts";

interface Operation {
  summary: string;
  requestBody?: unknown;
  parameters?: { name: string; in: string }[];
  responses: Record<string, { content?: Record<string, unknown> }>;
}
type Documented = { paths: Record<string, Record<string, Operation>> };

describe("the OpenAPI document", () => {
  let document: Documented;
  const gateway = shared(() => startTestGateway({ metricsToken: "figures" }));
  beforeAll(async () => {
    document = (await call(gateway, null, "GET", "/openapi.json")).body as unknown as Documented;
  });

  it("is valid OpenAPI 3.1", async () => {
    const result = await new Validator().validate(
      structuredClone(document) as unknown as Record<string, unknown>,
    );
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it("is kept in docs/ with types for TypeScript (npm run openapi writes both)", async () => {
    const docs = path.resolve(import.meta.dirname, "../../../docs");
    const text = await publishedDocument(document);
    expect(text.length).toBeLessThan(3_000_000);
    const published = JSON.parse(text) as Record<string, unknown>;
    const { errors = [] } = await new Validator().validate(structuredClone(published));
    expect(errors).toEqual([]);
    await expect(text).toMatchFileSnapshot(path.join(docs, "openapi.json"));
    const types = astToString(await openapiTS(text));
    await expect(types).toMatchFileSnapshot(path.join(docs, "openapi.d.ts"));
  });

  it("has no schema that cannot be compiled, though each is compiled at its first use only", () => {
    // If a body is too large to collect its problems, only the first of the two validators is compiled.
    const large = Array.from({ length: 3_000 }, () => 0);
    const parts = gateway.routes.flatMap(({ schema = {} }) =>
      (["body", "querystring", "params"] as const).flatMap((part) => {
        const written = schema[part];
        return written ? [() => validatorOf(written, part)(large)] : [];
      }),
    );
    expect(parts.length).toBeGreaterThan(300);
    for (const check of parts) check();
  });

  it("documents every route that has a description, and no route twice", () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.toSorted()).toEqual(Object.keys(routeDescriptions).toSorted());
  });

  it("lists the routes in the order of the API reference", () => {
    const reference = Object.keys(routeDescriptions).map((name) => name.split(" ")[1]);
    expect(Object.keys(document.paths)).toEqual([...new Set(reference)]);
  });

  it("gives every operation of a kind its schema and example", () => {
    const body = JSON.stringify(document.paths["/v1/images/edits"]?.post?.requestBody);
    for (const id of ["svc/img-gen-a-1", "svc/adult-edit", "svc/swap-2"]) expect(body).toContain(id);
    expect(body).toContain("person_rights_confirmed");
  });

  it("describes the generic route's input, multipart bodies, and every answer of a kind", () => {
    const { paths } = document;
    const generic = JSON.stringify(paths["/v1/models/{namespace}/{name}/predictions"]?.post?.requestBody);
    for (const id of ["svc/chat-1", "svc/vid-t2v", "svc/swap-2"]) expect(generic).toContain(id);
    for (const [path, field] of [
      ["/v1/audio/transcriptions", "file"],
      ["/v1/images/edits", "image[]"],
      ["/v1/videos", "input_reference"],
      ["/v1/videos/generations", "seconds"],
    ] as const)
      expect(paths[path]?.post?.requestBody).toHaveProperty([
        "content",
        "multipart/form-data",
        "schema",
        "properties",
        field,
      ]);
    expect(Object.keys(paths["/v1/videos"]?.post?.responses ?? {})).toEqual(["200", "202", "default"]);
    expect(paths["/v1/audio/speech"]?.post?.responses["200"]?.content).toHaveProperty(["audio/wav"]);
    expect(paths["/v1/videos/{id}"]?.get?.responses["200"]?.content).toHaveProperty(["application/json"]);
  });

  it("documents which calls support Idempotency-Key", () => {
    const honouring = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).some(({ parameters = [] }) =>
        parameters.some(({ name, in: place }) => name === "Idempotency-Key" && place === "header"),
      )
        ? [path]
        : [],
    );
    expect(honouring).toEqual(expect.arrayContaining(["/v1/chat/completions", "/v1/uploads", "/v1/keys"]));
    expect(honouring).not.toContain("/v1/webhooks/deliveries/retry");
  });
});
