import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { smallImage } from "#gateway/models/catalog/example-media.ts";
import { providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";

let operator: string;
const openAi = shared(startOpenAiServer);
const mapped = shared(() =>
  startMappedGateway({
    providers: {
      llms: providerAt(openAi, { credentials: { "us-oregon": {} } }),
    },
    routes: [],
  }),
);
beforeAll(async () => {
  operator = await mapped.gateway.createKey(mapped.account.accountId, { scopes: ["operator"] });
});
beforeEach(() => {
  openAi.seen.length = 0;
});

const template = { model: "svc/chat-1", api_type: "chat-completions" };
const model = (method: string, path: string, body: object) =>
  call(mapped.gateway, operator, method, `/operator/models${path}`, body);
const text = { type: "text", text: "What is this?", cache_control: { type: "ephemeral" } };
const picture = (url: string) => ({ type: "image_url", image_url: { url, detail: "low" } });
const asked = (url: string) => [{ role: "user", content: [text, picture(url)] }];

describe("a chat that reads pictures", () => {
  it("is enabled by an option of its entry, and sends them to the upstream", async () => {
    const routes = [{ provider: "llms", upstream_model: "big-vision" }];
    const made = await model("POST", "", { id: "own/vision", template, routes, regions: ["us-oregon"] });
    expect(made.body).toMatchObject({ input_modalities: ["text"] });
    const run = (url: string) =>
      mapped.post("/chat/completions", { model: "own/vision", messages: asked(url) });
    expect((await run(smallImage)).body.error).toMatchObject({ param: "messages" });

    const changed = await model("PATCH", "/own/vision", { input_modalities: ["text", "image"] });
    expect(changed.body).toMatchObject({ input_modalities: ["text", "image"], revision: 2 });
    const { body: shown } = await call(mapped.gateway, null, "GET", "/models/own/vision");
    expect(shown).toMatchObject({ input_modalities: ["text", "image"], operations: [{ schema_version: 2 }] });

    expect((await run(smallImage)).status).toBe(200);
    expect(openAi.seen.at(-1)?.json().messages).toEqual(asked(smallImage));
  });

  it("names the position of an unreadable image, and the type of an unsupported part", async () => {
    await model("POST", "", { id: "own/sees", template, input_modalities: ["text", "image"] });
    const refused = async (messages: object[]) =>
      (await mapped.post("/chat/completions", { model: "own/sees", messages })).body.error;
    expect(await refused(asked("upl_00000000000000000000000000"))).toMatchObject({
      code: "upload_not_usable",
      param: "messages[0].content[1].image_url.url",
    });
    expect(await refused(asked("http://127.0.0.1/a.png"))).toMatchObject({ code: "media_fetch_failed" });
    const audio = { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } };
    expect(await refused([{ role: "user", content: [audio] }])).toMatchObject({
      message:
        "messages/0/content/0 is a part of type input_audio, and own/sees takes text, image. An operator can allow pictures, audio and files: Models, own/sees, Settings",
    });
    expect(await refused([{ role: "user", content: [{ type: "image_url" }] }])).toMatchObject({
      code: "missing_parameter",
    });
  });

  it("runs on the sandbox, which describes the images", async () => {
    const { body } = await mapped.post("/chat/completions", {
      model: "own/sees",
      messages: asked(smallImage),
    });
    const [choice] = body.choices as { message: { content: string } }[];
    expect(choice?.message.content).toContain("a picture: image/png, ");
  });

  it("rejects parts that its kind of model does not have", async () => {
    const requested = {
      id: "own/picture",
      template: { model: "svc/img-gen-b", api_type: "image-generation" },
    };
    const { body } = await model("POST", "", { ...requested, input_modalities: ["text", "image"] });
    expect(body.error).toMatchObject({ code: "invalid_parameter", param: "input_modalities" });
    expect((await model("PATCH", "/own/sees", { input_modalities: ["image"] })).status).toBe(400);
  });
});
