import { createHash } from "node:crypto";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { CatalogList } from "#contract/catalog.ts";
import { canonicalJson } from "#gateway/platform/core/canonical-json.ts";
import { ownEntries } from "./entries.ts";
import { createCatalog } from "./load.ts";

const catalog = createCatalog();
const { data, registry } = catalog.list();
const operations = data.flatMap((model) => model.operations.map((operation) => ({ model, operation })));

describe("the published catalog", () => {
  test("has the 32 entries of the specification with 34 operations", () => {
    expect(data).toHaveLength(32);
    expect(new Set(data.map((model) => model.id)).size).toBe(32);
    expect(operations).toHaveLength(34);
  });

  test("can come from any source of entries, and never depends on an entry's name", () => {
    const own = ownEntries.load();
    const renamed = own.flatMap((entry) =>
      entry.id === "svc/vid-edit" ? [{ ...entry, id: "acme/cut" }] : [],
    );
    const wider = createCatalog({ source: { load: () => [...own, ...renamed] } });
    expect(wider.list().registry.model_count).toBe(own.length + 1);
    expect(wider.operation("acme/cut", "video-generation")?.engine).toBe("video-edit");
  });

  test("matches the contract", () => {
    const validate = new Ajv2020({ strict: false, formats: { "date-time": true } }).compile(CatalogList);
    validate({
      ...catalog.list(),
      results: [],
      next: null,
      previous: null,
      has_more: false,
      first_id: null,
      last_id: null,
    });
    expect(validate.errors).toBeNull();
  });

  test("carries one revision on every entry and counts that add up", () => {
    expect(registry.revision).toMatch(/^\d{4}-\d{2}-\d{2}\.\d+$/);
    expect(new Set(data.map((model) => model.registry_revision))).toEqual(new Set([registry.revision]));
    expect(registry).toMatchObject({ schema_version: 2, read_mode: "v2", model_count: data.length });
    const relations = data.reduce((sum, model) => sum + model.available_regions.length, 0);
    expect(registry.region_model_relations).toBe(relations);
  });

  test("is live everywhere, with one healthy deployment per region", () => {
    for (const { model, operation } of operations) {
      expect(model.gateway_status).toBe("live");
      expect(model.healthy_regions).toEqual(model.available_regions);
      expect(operation.id).toBe(`${model.id}:${operation.api_type}`);
      const expected = model.available_regions.map((region) => ({
        gateway_region: region,
        status: "healthy",
        svc_served_by: "sandbox",
      }));
      expect(operation.deployments).toEqual(expected);
    }
  });

  test("never shows internal fields", () => {
    expect(JSON.stringify(catalog.list())).not.toContain('"internal"');
  });
});

describe("the registry's sha256", () => {
  test("is that of the canonical entries without their live fields", () => {
    const still = data.map(({ gateway_status, healthy_regions, ...model }) => ({
      ...model,
      operations: model.operations.map((operation) => ({
        ...operation,
        deployments: operation.deployments.map(({ gateway_region }) => ({ gateway_region })),
      })),
    }));
    expect(registry.sha256).toBe(createHash("sha256").update(canonicalJson(still)).digest("hex"));
    expect(catalog.etag()).toBe(`"${registry.sha256}"`);
  });

  test("stays the same when a deployment fails, while the ETag changes and changes back", () => {
    const troubled = createCatalog();
    for (let failure = 0; failure < 5; failure += 1) troubled.report("svc/chat-1", "us-oregon", "failure");
    expect(troubled.list().registry.sha256).toBe(registry.sha256);
    expect(troubled.etag()).not.toBe(catalog.etag());
    const model = troubled.model("svc/chat-1");
    expect(model).toMatchObject({ gateway_status: "degraded", healthy_regions: ["us-virginia"] });
    expect(model?.operations[0]?.deployments).toContainEqual({
      gateway_region: "us-oregon",
      status: "unhealthy",
      svc_served_by: "sandbox",
    });
    troubled.report("svc/chat-1", "us-oregon", "success");
    expect(troubled.etag()).toBe(catalog.etag());
  });
});

describe("examples", () => {
  test.each(operations.map(({ operation }) => [operation.id, operation] as const))(
    "%s runs unchanged",
    (id, operation) => {
      const compiled = catalog.operation(id.split(":")[0] ?? "", operation.api_type);
      const body = structuredClone(operation.example);
      expect(compiled?.validate(body)).toEqual([]);
      expect(compiled?.unlisted(body)).toEqual([]);
      for (const { value } of compiled?.mediaOf(body) ?? [])
        expect(value).toMatch(/^data:(image|audio|video)\//);
    },
  );
});

describe("filters", () => {
  test.each([
    [
      { api_type: "image-editing" },
      ["svc/img-gen-a-1", "svc/img-gen-a-2", "svc/adult-edit", "svc/swap-1", "svc/swap-2"],
    ],
    [{ modality: "text" }, ["svc/chat-1", "svc/chat-2"]],
    [{ region: "us-oregon" }, ["svc/chat-1"]],
    [{ q: "ADULT i2v-3" }, ["svc/adult-i2v-3"]],
    [{ q: "tts", region: "sg-singapore" }, ["svc/tts-a-2", "svc/tts-b-1", "svc/tts-b-2"]],
    [{ q: "film adult-i2v-3" }, ["svc/adult-i2v-3"]],
    [{ q: "nothing-like-it" }, []],
  ])("%j", (filter, ids) => {
    const found = catalog.list(filter);
    expect(found.data.map((model) => model.id)).toEqual(ids);
    const relations = found.data.flatMap((model) => model.available_regions).length;
    const counts = { model_count: ids.length, region_model_relations: relations };
    expect(found.registry).toEqual({ ...registry, ...counts });
  });
});
