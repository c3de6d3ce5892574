import { beforeEach, describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { seededRandom } from "#gateway/testing/random.ts";
import { startAnthropicServer } from "./testing/anthropic-server.ts";
import { type MappedGateway, providerAt, startMappedGateway } from "./testing/mapped-gateway.ts";
import { startOpenAiServer } from "./testing/openai-server.ts";
import { startResponsesServer } from "./testing/responses-server.ts";
import type { UpstreamServer } from "./testing/upstream-server.ts";

process.env.CACHE_TEST_KEY_1 = "sk-cache-test-0001";
process.env.CACHE_TEST_KEY_2 = "sk-cache-test-0002";
const keys = [1, 2].map((at) => ({ name: `key-${at}`, env: `CACHE_TEST_KEY_${at}` }));
const model = "svc/chat-2";
const places = { openai: "us-virginia", responses: "eu-frankfurt", anthropic: "jp-tokyo" } as const;
type Place = keyof typeof places;
const system = { role: "system", content: "You are brief." };
const hello = { role: "user", content: "Hello" };
const tools = ["weather", "clock"].map((name) => ({
  type: "function",
  function: { name, parameters: { type: "object", properties: { city: { type: "string" } } } },
}));
const mark = { type: "ephemeral" };

const servers: Record<Place, UpstreamServer> = {
  openai: shared(startOpenAiServer),
  responses: shared(startResponsesServer),
  anthropic: shared(startAnthropicServer),
};
const startMapped = () => {
  const provider = (place: Place, more: object = {}) =>
    providerAt(servers[place], { credentials: { [places[place]]: { keys } }, ...more });
  return startMappedGateway({
    providers: {
      openai: provider("openai", { send_cache_key: true }),
      responses: provider("responses", { protocol: "openai-responses", send_cache_key: true }),
      anthropic: provider("anthropic", { protocol: "anthropic" }),
      plain: providerAt(servers.openai),
    },
    routes: [
      ...(["openai", "responses", "anthropic"] as const).map((name) => ({
        ...{ models: [model], provider: name, upstream_model: "main" },
        ...(name === "anthropic" && { cache_breakpoint: true }),
      })),
      { models: ["svc/chat-1"], provider: "plain", upstream_model: "main" },
    ],
  });
};
const mapped = shared(startMapped);
beforeEach(() => {
  for (const { seen } of Object.values(servers)) seen.length = 0;
});

/** The bytes that the upstream got for a chat. */
async function sentTo(
  place: Place,
  body: object,
  headers: Record<string, string> = {},
  gateway: Pick<MappedGateway, "post"> = mapped,
): Promise<string> {
  const answer = await gateway.post("/chat/completions", { model, region: places[place], ...body }, headers);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  return String(servers[place].seen.at(-1)?.body);
}
const jsonTo = async (...asked: Parameters<typeof sentTo>) => JSON.parse(await sentTo(...asked));

describe("what reaches an upstream's cache", () => {
  it.each(["openai", "responses"] as const)(
    "names the conversation to %s, the same in each turn",
    async (place) => {
      const first = await jsonTo(place, { messages: [hello] });
      expect(first.prompt_cache_key).toMatch(/^[\w-]{43}$/);
      const later = [hello, { role: "assistant", content: "Hi." }, { role: "user", content: "More" }];
      const next = await jsonTo(place, { messages: later, stream: true });
      expect(next.prompt_cache_key).toBe(first.prompt_cache_key);
      const other = await jsonTo(place, { messages: [{ role: "user", content: "Another" }] });
      expect(other.prompt_cache_key).not.toBe(first.prompt_cache_key);
      expect(await jsonTo(place, { messages: [hello], prompt_cache_key: "mine" })).toMatchObject({
        prompt_cache_key: "mine",
      });
      const anew = await jsonTo(place, { messages: [hello] }, { "x-svc-affinity": "none" });
      expect(anew.prompt_cache_key).toBeUndefined();
    },
  );

  it("names it to no other server by default, but passes the caller's name on", async () => {
    await mapped.post("/chat/completions", { model: "svc/chat-1", messages: [hello] });
    await mapped.post("/chat/completions", {
      model: "svc/chat-1",
      messages: [hello],
      prompt_cache_key: "mine",
    });
    expect(servers.openai.seen.map((seen) => seen.json().prompt_cache_key)).toEqual([undefined, "mine"]);
  });

  it("marks the end of tools and of system for Anthropic", async () => {
    const sent = await jsonTo("anthropic", { messages: [system, hello], tools });
    expect(sent.system).toEqual([{ type: "text", text: system.content, cache_control: mark }]);
    expect(sent.tools).toMatchObject([{ name: "weather" }, { name: "clock", cache_control: mark }]);
    expect(sent.tools[0].cache_control).toBeUndefined();
    const body = { model, region: places.anthropic, max_tokens: 5, system: "Be brief.", messages: [hello] };
    expect(await mapped.post("/messages", body)).toMatchObject({ status: 200 });
    expect(servers.anthropic.seen.at(-1)?.json().system).toEqual([
      { type: "text", text: "Be brief.", cache_control: mark },
    ]);
  });

  it("keeps the marks of a caller, and then adds none", async () => {
    const marked = { ...mark, ttl: "1h" };
    const sent = await jsonTo("anthropic", {
      messages: [system, { ...hello, cache_control: marked }],
      tools: [tools[0], { ...tools[1], function: { ...tools[1]?.function, cache_control: marked } }],
    });
    expect(sent.system).toEqual([{ type: "text", text: system.content }]);
    expect(sent.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Hello", cache_control: marked }] },
    ]);
    expect(sent.tools[1]).toMatchObject({ name: "clock", cache_control: marked });
    const blocks = [{ type: "text", text: "Hello", cache_control: marked }];
    const body = { max_tokens: 5, system: "Be brief.", messages: [{ role: "user", content: blocks }] };
    await mapped.post("/messages", { model, region: places.anthropic, ...body });
    expect(servers.anthropic.seen.at(-1)?.json()).toMatchObject(body);
  });
});

describe("the bytes of a body", () => {
  const other = shared(startMapped);
  const random = seededRandom("bodies");
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const text = () => Array.from({ length: 1 + Math.floor(random() * 9) }, () => pick(words)).join(" ");
  const words = ["blue", "{", '"quoted"', "ü", "\n", "𝄞", "light", "\\u0000", "0.10", "null"];
  const turnOf = (at: number) => [
    { role: "user", content: `${at} ${text()}` },
    { role: "assistant", content: text() },
  ];
  const optional = {
    temperature: 0.5,
    seed: 7,
    top_p: 0.25,
    user: "somebody",
    stop: ["a", "b"],
    max_tokens: 9,
  };

  it.each(["openai", "responses", "anthropic"] as const)(
    "to %s are the same for the same input, whatever key or process sends it, and a turn begins as the one before",
    async (place) => {
      for (let round = 0; round < 8; round += 1) {
        const names = Object.keys(optional).filter(() => random() < 0.5);
        const settings = Object.fromEntries(
          names.map((name) => [name, optional[name as keyof typeof optional]]),
        );
        const turns = Array.from({ length: 4 }, (_, at) => turnOf(at));
        const bodyOf = (count: number) => ({
          ...settings,
          ...(round % 2 === 0 && { tools }),
          messages: [system, ...turns.slice(0, count).flat(), { role: "user", content: "Now." }],
        });
        const drawn = { "x-svc-affinity": "none" };
        let before = "";
        for (const count of [1, 2, 3, 4]) {
          const sent = await sentTo(place, bodyOf(count), drawn);
          for (let again = 0; again < 4; again += 1)
            expect(await sentTo(place, structuredClone(bodyOf(count)), drawn)).toBe(sent);
          expect(await sentTo(place, bodyOf(count), drawn, other)).toBe(sent);
          if (before) expect(sent.startsWith(before)).toBe(true);
          // Up to the text that a later turn replaces.
          before = sent.slice(0, sent.lastIndexOf("Now."));
        }
      }
      const used = servers[place].seen.map(({ headers }) => headers.authorization ?? headers["x-api-key"]);
      expect(new Set(used).size).toBe(2);
    },
  );
});
