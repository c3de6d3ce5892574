import { describe, expect, it } from "vitest";
import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import { operationPaths } from "#contract/catalog-constants.ts";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const operations = createCatalog()
  .list()
  .data.flatMap((model) => model.operations.map((operation) => ({ id: operation.id, model, operation })));
const runMs = 120_000;

describe("every operation runs its own example", () => {
  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount("adult", "portrait_rights"));

  it("covers all 34 operations", () => {
    expect(operations).toHaveLength(34);
  });

  it.concurrent.each(operations)(
    "$id",
    async ({ operation, model }) => {
      const answer = await run(operation);
      if (operation.execution_mode === "async") await expectPrediction(model, operation, answer);
      else await expectResult(operation, answer);
    },
    runMs,
  );

  async function run(operation: CatalogOperation): Promise<Response> {
    return fetch(`${gateway.url}${operationPaths[operation.api_type]}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${account.key}`,
        "content-type": "application/json",
        prefer: "wait=60",
      },
      body: JSON.stringify(operation.example),
    });
  }

  async function expectResult(operation: CatalogOperation, answer: Response): Promise<void> {
    expect(answer.headers.get("x-svc-sandbox")).toBe("true");
    if (operation.api_type === "text-to-speech") {
      expect(answer.headers.get("content-type")).toBe("audio/wav");
      expect(Buffer.from(await answer.arrayBuffer()).toString("latin1", 0, 4)).toBe("RIFF");
      return;
    }
    const body = (await answer.json()) as Record<string, unknown>;
    expect(body).not.toHaveProperty("error");
    expect(answer.status).toBe(200);
    for (const name of operation.output_schema.required as string[]) expect(body).toHaveProperty(name);
    if (operation.api_type.startsWith("image-")) {
      const files = body.data as { url: string; content_type: string }[];
      for (const file of files) {
        const image = await fetch(file.url);
        expect(image.headers.get("content-type")).toBe(file.content_type);
        expect((await image.arrayBuffer()).byteLength).toBeGreaterThan(0);
      }
    }
  }

  async function expectPrediction(
    model: CatalogModel,
    operation: CatalogOperation,
    answer: Response,
  ): Promise<void> {
    const first = (await answer.json()) as Record<string, unknown>;
    expect(first).not.toHaveProperty("error.request_id");
    expect(answer.status).toBeGreaterThanOrEqual(200);
    for (const name of operation.output_schema.required as string[]) expect(first).toHaveProperty(name);
    const prediction = await terminal(String(first.id));
    expect(prediction).toMatchObject({ status: "succeeded", model: model.id, sandbox: true, error: null });
    const files = prediction.data as { url: string; content_type: string; size_bytes: number }[];
    const [file] = files;
    const media = await fetch(file?.url ?? "");
    expect(media.headers.get("content-type")).toBe(file?.content_type);
    expect((await media.arrayBuffer()).byteLength).toBe(file?.size_bytes);
  }

  async function terminal(id: string): Promise<Record<string, unknown>> {
    let answer = await call(gateway, account.key, "GET", `/predictions/${id}`);
    while (answer.body.completed_at === null) {
      await gateway.context.changes.next(id, AbortSignal.timeout(runMs));
      answer = await call(gateway, account.key, "GET", `/predictions/${id}`);
    }
    return answer.body;
  }
});
