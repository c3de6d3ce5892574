import { keyVariable } from "../../key-variable.ts";
import { type GuideSnippet, nodeOpenai } from "./languages.ts";

export const responsesClient: GuideSnippet = {
  label: "With the openai package",
  node: (base) => `${nodeOpenai(base)}

const first = await client.responses.create({
  model: "svc/chat-1",
  input: "Remember the word heliotrope",
});
console.log(first.output_text);

const next = await client.responses.create({
  model: "svc/chat-1",
  previous_response_id: first.id,
  input: "And now?",
});
console.log(next.output_text);`,
};

export const aiSdkClient: GuideSnippet = {
  label: "With the AI SDK",
  node: (base) => `import { createOpenAI } from "@ai-sdk/openai";
import { streamText } from "ai";

const gatehouse = createOpenAI({
  baseURL: "${base}",
  apiKey: process.env.${keyVariable},
});
const { textStream } = streamText({
  model: gatehouse("svc/chat-1"),
  prompt: "Say hello to the harbour",
});
for await (const piece of textStream) process.stdout.write(piece);`,
};

export const anthropicClient: GuideSnippet = {
  label: "With the Anthropic SDK",
  node: (base) => `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({
  baseURL: "${base}",
  apiKey: process.env.${keyVariable},
});
const message = await client.messages.create({
  model: "svc/chat-1",
  max_tokens: 500,
  messages: [{ role: "user", content: "Say hello to the harbour" }],
});
console.log(message.content[0].text);`,
};
