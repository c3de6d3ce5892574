import { describe, expect, it } from "vitest";
import type { ApiType } from "#contract/catalog.ts";
import type { RouteEntry } from "#contract/operator/routes.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { startTestGateway } from "#gateway/testing/gateway.ts";
import { protocols } from "../protocols.ts";
import { previewRequest } from "./preview-request.ts";

const region = "us-virginia";

describe("the preview of an upstream request", () => {
  const gateway = shared(() => startTestGateway({ role: "api" }));

  function preview(
    protocol: string,
    model: string,
    apiType: ApiType,
    more: Partial<RouteEntry> = {},
    input = {},
  ) {
    const compiled = gateway.context.catalog.operation(model, apiType);
    if (!compiled) throw new Error(`${model} has no ${apiType}`);
    const { model: _, region: __, ...example } = compiled.operation.example;
    const body = { model, ...example, ...input };
    return previewRequest(gateway.context, {
      connection: { name: "up", entry: { protocol, base_url: "https://up.example/v1" } },
      route: { models: [model], provider: "up", upstream_model: "their/model", ...more },
      compiled,
      region,
      body,
      input: { ...example, ...input },
    });
  }

  it("shows fields as they are renamed, dropped, filled in and set, and never a key", async () => {
    const fields = {
      rename: { max_tokens: "max_completion_tokens" },
      omit: ["temperature"],
      defaults: { top_p: 0.9 },
      set: { service_tier: "flex" },
    };
    const input = { max_tokens: 50, temperature: 1 };
    const { url, json, headers } =
      (await preview("openai", "svc/chat-2", "chat-completions", { fields }, input)) ?? {};
    expect(url).toBe("https://up.example/v1/chat/completions");
    expect(json).toMatchObject({
      model: "their/model",
      max_completion_tokens: 50,
      top_p: 0.9,
      service_tier: "flex",
    });
    expect(json).not.toHaveProperty("temperature");
    expect(json).not.toHaveProperty("max_tokens");
    expect(headers).toEqual({ "content-type": "application/json" });
  });

  it("shows files by name and type, and media in JSON without their bytes", async () => {
    const edit = await preview("openai", "svc/img-gen-a-1", "image-editing");
    expect(edit?.form?.filter(({ file }) => file)).toEqual([
      { name: "image", value: null, file: { name: "image-1.jpeg", content_type: "image/jpeg" } },
    ]);
    const job = await preview("replicate", "svc/adult-i2v-2", "video-generation", {
      fields: { rename: { image: "start_image" } },
    });
    expect(job?.url).toBe("https://up.example/v1/models/their/model/predictions");
    expect(JSON.stringify(job?.json)).toMatch(/"start_image":"data:image\/\w+;base64,…"/);
  });

  it("knows every operation of every protocol", async () => {
    for (const { name, kinds } of protocols)
      for (const { id, operations } of gateway.context.catalog.list().data)
        for (const { api_type: kind } of operations) {
          if (!kinds.includes(kind)) continue;
          const made = await preview(name, id, kind);
          expect(made?.url, `${name} ${id} ${kind}`).toContain("https://up.example/v1/");
          const whole = JSON.stringify(made);
          expect(whole, `${name} ${id}`).toContain("their/model");
          expect(whole).not.toContain("4oCm");
        }
  });
});
