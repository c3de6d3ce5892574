import { describe, expect, it } from "vitest";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { ConfigError } from "#gateway/platform/core/setting-reader.ts";
import { writeProvidersFile } from "../testing/mapped-gateway.ts";
import { checkProvidersFile, readProvidersFile } from "./check.ts";

const models = createCatalog().list().data;
const environment = { KEY: "a-secret-value" };
const provider = { protocol: "openai", credentials: { "us-virginia": { env: "KEY" } } };
const route = { models: ["svc/chat-1"], provider: "main", upstream_model: "x" };

function mappingsOf(content: unknown) {
  const path = writeProvidersFile(content);
  return checkProvidersFile(readProvidersFile(path), { path, models, environment }).flatMap(
    ({ mappings }) => mappings,
  );
}

describe("the providers file", () => {
  it("maps every operation of a route in every region that the provider has a key for", () => {
    const credentials = { "cn-beijing": { env: "KEY" }, "sg-singapore": {} };
    const mappings = mappingsOf({
      providers: { ms: { protocol: "dashscope", credentials } },
      routes: [{ models: ["svc/img-gen-a-1"], provider: "ms", upstream_model: "x", priority: 3 }],
    });
    expect(mappings.map(({ apiType, region, priority }) => [apiType, region, priority])).toEqual([
      ["image-generation", "cn-beijing", 3],
      ["image-generation", "sg-singapore", 3],
      ["image-editing", "cn-beijing", 3],
      ["image-editing", "sg-singapore", 3],
    ]);
  });

  it.each<[string, unknown, string]>([
    ["no JSON", "{", "is not JSON"],
    ["no object", [], "the file must be object"],
    ["an unknown key", { providers: {}, routes: [], route: [] }, 'the file does not know "route"'],
    [
      "an unknown protocol",
      { providers: { main: { ...provider, protocol: "x" } }, routes: [] },
      "providers.main.protocol must be one of openai, openai-responses, anthropic, dashscope",
    ],
    [
      "an unknown region",
      { providers: { main: { ...provider, credentials: { "us-virgina": {} } } }, routes: [] },
      'providers.main.credentials does not know "us-virgina"',
    ],
    [
      "a misspelt key",
      { providers: { main: { protocl: "openai", credentials: {} } }, routes: [] },
      'providers.main does not know "protocl"; did you mean protocol?',
    ],
    [
      "a misspelt key of a route",
      {
        providers: { main: provider },
        routes: [{ ...route, upstream_model: undefined, upstream_modl: "x" }],
      },
      'routes[0] does not know "upstream_modl"; did you mean upstream_model?',
    ],
    [
      "a key in the file",
      { providers: { main: { ...provider, credentials: { "us-virginia": { key: "sk" } } } }, routes: [] },
      'credentials.us-virginia does not know "key"',
    ],
    [
      "an unset variable",
      { providers: { main: { ...provider, credentials: { "us-virginia": { env: "NOPE" } } } }, routes: [] },
      "providers.main.credentials.us-virginia names the environment variable NOPE",
    ],
    [
      "a base URL with a query",
      { providers: { main: { ...provider, base_url: "https://x/v1?a=b" } }, routes: [] },
      "providers.main.base_url",
    ],
    [
      "the sandbox's name",
      { providers: { sandbox: provider }, routes: [] },
      "providers.sandbox is the name of the built-in provider",
    ],
    [
      "a region without a host",
      { providers: { main: { protocol: "dashscope", credentials: { "jp-tokyo": {} } } }, routes: [] },
      "base_urls must name it",
    ],
    [
      "a route without a model",
      { providers: { main: provider }, routes: [{ ...route, models: [] }] },
      "routes[0].models",
    ],
    [
      "an unknown provider",
      { providers: { main: provider }, routes: [{ ...route, provider: "other" }] },
      'routes[0].provider names "other"',
    ],
    [
      "an unknown model",
      { providers: { main: provider }, routes: [route, { ...route, models: ["svc/nope"] }] },
      'routes[1].models[0] is "svc/nope"',
    ],
    [
      "an operation that the model does not have",
      { providers: { main: provider }, routes: [{ ...route, api_types: ["text-to-speech"] }] },
      "routes[0].api_types",
    ],
    [
      "an operation that the protocol does not support",
      { providers: { main: { ...provider, protocol: "fal" } }, routes: [route] },
      "the protocol fal does not support chat-completions",
    ],
    [
      "a region without a key",
      { providers: { main: provider }, routes: [{ ...route, regions: ["us-oregon"] }] },
      "routes[0].regions[0] is us-oregon",
    ],
    [
      "a region where the model is not offered",
      { providers: { main: provider }, routes: [{ ...route, models: ["svc/vid-t2v"] }] },
      "routes[0].regions has none in which svc/vid-t2v is offered",
    ],
  ])("refuses %s and names the place", (_, content, place) => {
    const read = () => mappingsOf(content);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(place);
    expect(read).not.toThrow("a-secret-value");
  });

  it("refuses a missing file", () => {
    expect(() => readProvidersFile("/nowhere/providers.json")).toThrow(
      "PROVIDERS_FILE /nowhere/providers.json",
    );
  });
});
