import type { InputModality, JsonSchema } from "#contract/catalog.ts";

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

/** The message parts for each kind of input that a model reads. */
const parts: Record<InputModality, JsonSchema> = {
  text: partOf("text", "Text", { text: { ...nonEmptyText, title: "Text" } }),
  image: partOf("image_url", "Picture", {
    image_url: {
      type: "object",
      title: "Picture",
      required: ["url"],
      properties: {
        url: { ...nonEmptyText, title: "Picture", description: "An upload, or an https or data address." },
        detail: { type: "string", title: "Detail", description: "Such as low, high or auto." },
      },
    },
  }),
  audio: partOf("input_audio", "Audio", {
    input_audio: {
      type: "object",
      title: "Audio",
      required: ["data", "format"],
      properties: {
        data: { ...nonEmptyText, title: "Data", description: "In base64." },
        format: { ...nonEmptyText, title: "Format", description: "Such as wav or mp3." },
      },
    },
  }),
  file: partOf("file", "File", {
    file: {
      type: "object",
      title: "File",
      properties: {
        file_data: { ...nonEmptyText, title: "Data", description: "A data address." },
        filename: { ...nonEmptyText, title: "Name" },
        file_id: { ...nonEmptyText, title: "ID", description: "A file that the provider has." },
      },
    },
  }),
};
const refusal = partOf("refusal", "Refusal", { refusal: { ...nonEmptyText, title: "Refusal" } });

/** The `type` of the message part for each kind of input. */
export const partTypes: Record<InputModality, string> = {
  text: "text",
  image: "image_url",
  audio: "input_audio",
  file: "file",
};

function partOf(type: string, title: string, properties: Record<string, JsonSchema>): JsonSchema {
  return {
    type: "object",
    title,
    required: ["type", ...Object.keys(properties)],
    properties: { type: { type: "string", const: type }, ...properties },
  };
}

/** A string, or a list of `choices`. */
function textOrParts(text: JsonSchema, choices: readonly JsonSchema[]): JsonSchema {
  const { type, ...rest } = text;
  return {
    ...rest,
    type: [type, "array"].flat(),
    minItems: 1,
    items: {
      type: "object",
      required: ["type"],
      discriminator: { propertyName: "type" },
      oneOf: choices,
    },
  };
}

/** The schema of a conversation with these inputs. If text is the only input, each message is one string. */
export function messagesOf(modalities: readonly InputModality[]): JsonSchema {
  const takesParts = modalities.length > 1;
  const content = (text: JsonSchema, choices: readonly JsonSchema[] = [parts.text]): JsonSchema =>
    takesParts ? textOrParts(text, choices) : text;
  const message: JsonSchema = {
    type: "object",
    required: ["role"],
    discriminator: { propertyName: "role" },
    oneOf: [
      messageOf(
        "system",
        "System",
        {
          content: content({
            ...nonEmptyText,
            title: "Content",
            description: "How the model should behave.",
          }),
        },
        { required: ["role", "content"] },
      ),
      messageOf(
        "user",
        "User",
        {
          content: content(
            { ...nonEmptyText, title: "Content", description: "What you say to the model." },
            modalities.map((each) => parts[each]),
          ),
        },
        { required: ["role", "content"] },
      ),
      messageOf(
        "assistant",
        "Assistant",
        {
          content: content(
            { type: ["string", "null"], title: "Content", description: "What the model said." },
            [parts.text, refusal],
          ),
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
          content: content({
            type: "string",
            title: "Content",
            description: "What the function returned.",
          }),
          tool_call_id: { ...nonEmptyText, title: "Call ID", description: "The call that this answers." },
        },
        { required: ["role", "content", "tool_call_id"] },
      ),
    ],
  };
  return {
    type: "array",
    minItems: 1,
    items: message,
    title: "Messages",
    description: "The conversation so far, oldest first.",
  };
}

export const messages = messagesOf(["text"]);
