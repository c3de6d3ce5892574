import { describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

describe("the catalog over HTTP", () => {
  const gateway = shared(() => startTestGateway({ role: "api" }));
  const get = (path: string, headers: Record<string, string> = {}) =>
    call(gateway, null, "GET", path, undefined, headers);
  const ids = (body: Record<string, unknown>) => (body.data as { id: string }[]).map(({ id }) => id);

  it("is public, has the registry's sha256 as its tag, and answers 304 to a client that has it", async () => {
    const list = await get("/models");
    expect(list.status).toBe(200);
    expect(ids(list.body)).toHaveLength((list.body.registry as { model_count: number }).model_count);
    const { sha256 } = list.body.registry as { sha256: string };
    const etag = list.headers.get("etag") ?? "";
    expect(etag).toBe(`"${sha256}"`);
    expect(list.headers.get("cache-control")).toBe("public, max-age=60");
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await get("/models", { "if-none-match": tag });
      expect([again.status, again.body, again.headers.get("etag")]).toEqual([304, { text: "" }, etag]);
    }
    expect((await get("/models", { "if-none-match": '"other"' })).status).toBe(200);
  });

  it.each([
    "",
    "api_type=video-generation",
    "modality=text",
    "region=cn-beijing",
    "q=chat",
    "q=nothing-like-it",
  ])("counts the entries that the list shows with %j", async (query) => {
    const { body } = await get(`/models?${query}`);
    const data = body.data as { available_regions: string[] }[];
    expect(body.registry).toMatchObject({
      model_count: data.length,
      region_model_relations: data.flatMap((model) => model.available_regions).length,
    });
  });

  it("filters, and refuses an unknown filter", async () => {
    expect(ids((await get("/models?api_type=voice-management&region=sg-singapore")).body)).toEqual([
      "svc/voice-1",
      "svc/voice-2",
    ]);
    expect(ids((await get("/models?modality=text&q=chat-2")).body)).toEqual(["svc/chat-2"]);
    expect(await get("/models?region=mars")).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_parameter", param: "region" } },
    });
  });

  it.each(["/models/svc/vid-t2v", "/models/svc%2Fvid-t2v"])("GET %s is one entry", async (path) => {
    const { status, body } = await get(path);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: "svc/vid-t2v",
      object: "model",
      operations: [{ id: "svc/vid-t2v:video-generation" }],
    });
  });

  it("names the entry that does not exist", async () => {
    expect(await get("/models/svc/none")).toMatchObject({
      status: 404,
      body: { error: { code: "model_not_found", param: "model" } },
    });
  });

  it("lists all seven regions", async () => {
    const { body } = await get("/regions");
    expect(ids(body)).toEqual([
      "cn-beijing",
      "cn-hong-kong",
      "eu-frankfurt",
      "jp-tokyo",
      "sg-singapore",
      "us-oregon",
      "us-virginia",
    ]);
    expect(body.data).toContainEqual({
      id: "us-oregon",
      object: "region",
      name: "Oregon",
      status: "healthy",
      model_count: 1,
      api_types: ["chat-completions"],
    });
  });
});
