import { createOpenAI } from "@ai-sdk/openai";
import { cosineSimilarity, embed, embedMany } from "ai";
import { CohereClientV2 } from "cohere-ai";
import OpenAI, { toFile } from "openai";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";

const [freezing, ferry, ice] = [
  "In winter the harbour freezes over.",
  "The ferry leaves at noon.",
  "Ice cream",
];

describe("embeddings and ranking", () => {
  let openai: OpenAI;
  let ask: (path: string, body: object) => ReturnType<typeof call>;
  const upstream = shared(startOpenAiServer);
  const mapped = shared(() =>
    startMappedGateway({
      providers: {
        llms: providerAt(upstream),
      },
      routes: [],
    }),
  );
  beforeAll(async () => {
    const operator = await mapped.gateway.createKey(mapped.account.accountId, { scopes: ["operator"] });
    ask = (path, body) => call(mapped.gateway, operator, "POST", path, body);
    const made = [
      await ask("/operator/models", {
        id: "own/vectors",
        template: { model: "template/embeddings", api_type: "embeddings" },
      }),
      await ask("/operator/models", {
        id: "own/ranks",
        template: { model: "template/rerank", api_type: "rerank" },
      }),
      await ask("/operator/models", {
        id: "own/embeds",
        import: { provider: "llms", name: "text-embedding-small" },
      }),
      await ask("/operator/models", {
        id: "own/reranks",
        import: { provider: "llms", name: "rerank-small" },
      }),
    ];
    expect(made.map(({ status, body }) => [status, body.error])).toEqual(Array(4).fill([201, undefined]));
    openai = new OpenAI({ baseURL: mapped.gateway.url, apiKey: mapped.account.key, maxRetries: 0 });
  });
  beforeEach(() => {
    upstream.seen.length = 0;
  });

  it("openai: a batch of embeddings, from the file to its output", async () => {
    const url = "/v1/embeddings";
    const lines = [freezing, ferry].map((input, at) => ({
      ...{ custom_id: `text ${at}`, method: "POST", url, body: { model: "own/vectors", input } },
    }));
    const text = lines.map((line) => JSON.stringify(line)).join("\n");
    const file = await openai.files.create({
      file: await toFile(Buffer.from(text), "texts.jsonl"),
      purpose: "batch",
    });
    const { id } = await openai.batches.create({
      ...{ input_file_id: file.id, endpoint: url, completion_window: "24h" },
    });
    await expect.poll(async () => (await openai.batches.retrieve(id)).status).toBe("completed");
    const { output_file_id: output = "" } = await openai.batches.retrieve(id);
    const answers = (await (await openai.files.content(output)).text()).trim().split("\n");
    expect(answers.map((line) => JSON.parse(line))).toMatchObject(
      lines.map(({ custom_id }) => ({
        custom_id,
        response: { status_code: 200, body: { object: "list", data: [{ object: "embedding" }] } },
      })),
    );
  });

  it("openai: the default base64 and numbers are the same vectors, similar for similar texts, and no model ran", async () => {
    const input = [freezing, "The harbour freezes over in winter", ferry];
    const { data: usual, response } = await openai.embeddings
      .create({ model: "own/vectors", input })
      .withResponse();
    const plain = await openai.embeddings.create({ model: "own/vectors", input, encoding_format: "float" });
    expect(response.headers.get("x-svc-sandbox")).toBe("true");
    expect(usual.data.map(({ index }) => index)).toEqual([0, 1, 2]);
    const [first = [], second = [], third = []] = plain.data.map(({ embedding }) => embedding);
    expect(first).toHaveLength(256);
    expect(usual.data[0]?.embedding).toHaveLength(256);
    for (const [at, value] of (usual.data[0]?.embedding ?? []).entries())
      expect(value).toBeCloseTo(first[at] ?? 0, 6);
    expect(cosineSimilarity(first, second)).toBeGreaterThan(0.8);
    expect(cosineSimilarity(first, third)).toBeLessThan(0.5);
    expect(usual.usage.total_tokens).toBeGreaterThan(0);
    const short = await openai.embeddings.create({ model: "own/vectors", input: "x", dimensions: 8 });
    expect(short.data[0]?.embedding).toHaveLength(8);
  });

  it("AI SDK: one text, and many", async () => {
    const model = createOpenAI({ baseURL: mapped.gateway.url, apiKey: mapped.account.key }).embedding(
      "own/embeds",
    );
    const { embedding, usage } = await embed({ model, value: ferry });
    expect(embedding).toEqual([ferry.length, 0.5, -0.25]);
    expect(usage.tokens).toBe(7);
    const { embeddings } = await embedMany({ model, values: [ice, ferry] });
    expect(embeddings.map(([length]) => length)).toEqual([ice.length, ferry.length]);
  });

  it("requests numbers from the upstream, and returns the requested format in the order of the texts", async () => {
    const answer = await openai.embeddings.create({ model: "own/embeds", input: [ice, ferry], user: "u1" });
    expect(upstream.at(0).json()).toEqual({
      model: "text-embedding-small",
      input: [ice, ferry],
      user: "u1",
      encoding_format: "float",
    });
    expect(answer.data.map(({ embedding }) => embedding[0])).toEqual([ice.length, ferry.length]);
    const usage = await call(mapped.gateway, mapped.account.key, "GET", "/usage");
    expect(JSON.stringify(usage.body)).toContain("own/embeds");
  });

  it.each([
    ["fewer vectors than texts", { data: [{ index: 0, embedding: [1] }] }],
    [
      "vectors of different lengths",
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 1, embedding: [1, 2] },
        ],
      },
    ],
    [
      "no numbers",
      {
        data: [
          { index: 0, embedding: ["a"] },
          { index: 1, embedding: [null] },
        ],
      },
    ],
  ])("answers 502 when the upstream returns %s", async (_, json) => {
    upstream.trouble(/embeddings/, { status: 200, json });
    await expect(
      openai.embeddings.create({ model: "own/embeds", input: [ice, ferry] }),
    ).rejects.toMatchObject({
      status: 502,
      code: "upstream_invalid_response",
    });
  });

  it.each([
    ["nothing", []],
    ["an empty text", ""],
    ["an empty text among others", ["a", ""]],
    ["too many texts", Array(2_049).fill("a")],
    ["something else", [{ text: "a" }]],
  ])("refuses %s", async (_, input) => {
    const refused = await mapped.post("/embeddings", { model: "own/vectors", input });
    expect(refused.status).toBe(400);
  });

  it("cohere-ai: a ranking by its own path, with either base URL", async () => {
    for (const base of [mapped.gateway.url, mapped.gateway.url.replace(/\/v1$/, "")]) {
      const cohere = new CohereClientV2({ token: mapped.account.key, environment: base });
      const documents = [ferry, freezing, ice];
      const ranked = await cohere.rerank({
        model: "own/ranks",
        query: "When does the harbour freeze?",
        documents,
        topN: 2,
      });
      expect(ranked.results.map(({ index }) => index)[0]).toBe(1);
      expect(ranked.results).toHaveLength(2);
      expect(ranked.meta?.billedUnits?.searchUnits).toBe(1);
    }
  });

  it("ranks at the upstream, and returns the texts if requested", async () => {
    const body = {
      model: "own/reranks",
      query: "longest?",
      documents: [ice, { text: freezing }],
      return_documents: true,
    };
    const { status, body: ranked } = await mapped.post("/rerank", body);
    expect(status).toBe(200);
    expect(upstream.at(0).json()).toEqual({
      model: "rerank-small",
      query: "longest?",
      documents: [ice, freezing],
    });
    expect(ranked.results).toEqual([
      { index: 1, relevance_score: freezing.length / 100, document: { text: freezing } },
      { index: 0, relevance_score: ice.length / 100, document: { text: ice } },
    ]);
    expect(ranked.svc_usage).toEqual({ unit: "operation", quantity: 1 });
    upstream.trouble(/rerank/, { status: 200, json: { results: [{ index: 7, relevance_score: 1 }] } });
    expect((await mapped.post("/rerank", body)).status).toBe(502);
  });

  it("runs in batches, and an alias can name only one embedding model", async () => {
    const batch = await mapped.post("/batches", {
      model: "own/vectors",
      api_type: "embeddings",
      rows: [{ input: ferry }, { input: ice }],
    });
    expect(batch.status, JSON.stringify(batch.body)).toBe(202);
    const id = String(batch.body.id);
    await expect
      .poll(async () => (await call(mapped.gateway, mapped.account.key, "GET", `/batches/${id}`)).body.status)
      .toBe("finished");
    const alias = (models: string[]) =>
      call(mapped.gateway, mapped.account.session, "POST", "/aliases", { name: "vectors", models });
    expect((await alias(["own/vectors", "own/embeds"])).body.error).toMatchObject({ param: "models[1]" });
    expect((await alias(["own/embeds"])).status).toBe(201);
    expect((await openai.embeddings.create({ model: "vectors", input: ice })).model).toBe("own/embeds");
  });
});
