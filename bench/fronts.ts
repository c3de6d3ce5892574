import { ratioOf, verdict } from "./parts/figures.ts";
import { startGateway, writeProvidersFile } from "./parts/gateway.ts";
import { askInTurns, roundSeconds, rounds, roundsLine, type Target } from "./parts/load.ts";
import { startOwn } from "./parts/processes.ts";
import { runBench } from "./parts/run.ts";

/*
 * The cost of other ways to call a chat, compared with the chat route on the same gateway and in turns: by an
 * alias, with metadata, as Messages, and as Responses, stored or not.
 */
const connections = 32;
const model = "svc/chat-1";
const alias = "gpt-5";
/** At least this share of the chats per second. */
const goals = { alias: 0.9, metadata: 0.9, messages: 0.85, responses: 0.85 };
const prompt = "Say in twenty words what a gateway is for. ".repeat(7).trim();
const messages = [{ role: "user", content: prompt }];

await runBench(async (folder) => {
  const upstream = await startOwn("chat-upstream.ts");
  const providersFile = writeProvidersFile(folder, [model], `http://127.0.0.1:${upstream.port}/v1`);
  const { program, key } = await startGateway(folder, { PROVIDERS_FILE: providersFile });
  const base = `http://127.0.0.1:${program.port}/v1`;
  const headers = { authorization: `Bearer ${key}` };
  const made = await fetch(`${base}/aliases`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ name: alias, models: [model] }),
  });
  if (made.status !== 201) throw new Error(`the alias could not be created: ${made.status}`);
  const target = (name: string, path: string, body: Target["body"]): Target => ({
    name,
    program,
    url: base + path,
    headers,
    body,
  });
  const chat = target("chat", "/chat/completions", { model, messages });
  const metadata = { customer: "acme" };
  const fronts: [Target, number | null][] = [
    [target("chat by an alias", "/chat/completions", { model: alias, messages }), goals.alias],
    [target("chat with metadata", "/chat/completions", { model, messages, metadata }), goals.metadata],
    [target("Messages", "/messages", { model, messages, max_tokens: 100 }), goals.messages],
    [target("Responses, not kept", "/responses", { model, input: prompt, store: false }), goals.responses],
    [target("Responses, kept", "/responses", { model, input: prompt }), null],
  ];
  const results = await askInTurns([chat, ...fronts.map(([front]) => front)], connections);
  console.log(`\n${connections} connections, medians of ${rounds} rounds of ${roundSeconds} s`);
  for (const [{ name }, list] of results) console.log(roundsLine(name, list));
  const perSecond = (of: Target) => (results.get(of) ?? []).map((round) => round.perSecond);
  for (const [front, goal] of fronts) {
    const { middle, span } = ratioOf(perSecond(front), perSecond(chat));
    const figure = `${middle.toFixed(2)} (${span})`;
    console.log(
      goal === null
        ? `${front.name} / chat  ${figure}`
        : verdict(`${front.name} / chat`, figure, `>= ${goal}`, middle >= goal),
    );
  }
});
