import type { JsonSchema } from "#contract/catalog.ts";

const nonEmptyText: JsonSchema = { type: "string", minLength: 1 };

function messageOf(
  role: string,
  title: string,
  properties: Record<string, JsonSchema>,
  rules: JsonSchema,
): JsonSchema {
  return {
    type: "object",
    title,
    properties: { role: { type: "string", const: role }, ...properties },
    ...rules,
  };
}

const toolCall: JsonSchema = {
  type: "object",
  title: "Tool call",
  required: ["id", "type", "function"],
  properties: {
    id: { ...nonEmptyText, title: "Call ID" },
    type: { type: "string", const: "function" },
    function: {
      type: "object",
      title: "Function",
      required: ["name", "arguments"],
      properties: {
        name: { ...nonEmptyText, title: "Name" },
        arguments: { type: "string", title: "Arguments", description: "JSON, as text." },
      },
    },
  },
};

const message: JsonSchema = {
  type: "object",
  required: ["role"],
  discriminator: { propertyName: "role" },
  oneOf: [
    messageOf(
      "system",
      "System",
      { content: { ...nonEmptyText, title: "Content", description: "How the model should behave." } },
      { required: ["role", "content"] },
    ),
    messageOf(
      "user",
      "User",
      { content: { ...nonEmptyText, title: "Content", description: "What you say to the model." } },
      { required: ["role", "content"] },
    ),
    messageOf(
      "assistant",
      "Assistant",
      {
        content: { type: ["string", "null"], title: "Content", description: "What the model said." },
        tool_calls: {
          type: "array",
          minItems: 1,
          maxItems: 128,
          items: toolCall,
          title: "Tool calls",
          description: "Functions that the model asked for.",
        },
      },
      { required: ["role"], anyOf: [{ required: ["content"] }, { required: ["tool_calls"] }] },
    ),
    messageOf(
      "tool",
      "Tool",
      {
        content: { type: "string", title: "Content", description: "What the function returned." },
        tool_call_id: { ...nonEmptyText, title: "Call ID", description: "The call that this answers." },
      },
      { required: ["role", "content", "tool_call_id"] },
    ),
  ],
};

export const messages: JsonSchema = {
  type: "array",
  minItems: 1,
  items: message,
  title: "Messages",
  description: "The conversation so far, oldest first.",
};
