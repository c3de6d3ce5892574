import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, startTestGateway, type TestGateway } from "#gateway/testing/gateway.ts";
import { routeWords } from "./openapi-words.ts";

type Documented = { paths: Record<string, Record<string, { summary: string; requestBody?: unknown }>> };

describe("the OpenAPI document", () => {
  let gateway: TestGateway;
  let document: Documented;
  beforeAll(async () => {
    gateway = await startTestGateway();
    document = (await call(gateway, null, "GET", "/openapi.json")).body as unknown as Documented;
  });
  afterAll(() => gateway.close());

  it("is valid OpenAPI 3.1", async () => {
    const result = await new Validator().validate(
      structuredClone(document) as unknown as Record<string, unknown>,
    );
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it("documents every route that has words, and no route twice", () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.toSorted()).toEqual(Object.keys(routeWords).toSorted());
  });

  it("gives every operation of a kind its schema and example", () => {
    const body = JSON.stringify(document.paths["/v1/images/edits"]?.post?.requestBody);
    for (const id of ["svc/img-gen-a-1", "svc/adult-edit", "svc/swap-2"]) expect(body).toContain(id);
    expect(body).toContain("person_rights_confirmed");
  });
});
