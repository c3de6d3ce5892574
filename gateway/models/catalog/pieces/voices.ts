import type { JsonSchema } from "#contract/catalog.ts";

const text = (title: string, description: string): JsonSchema => ({ type: "string", title, description });

export const voiceAction: JsonSchema = {
  type: "string",
  enum: ["create", "list", "query", "delete"],
  title: "Action",
  description: "Enrol a voice, list all, look at one or delete one.",
};
export const voiceId = text("Voice", "The identifier of a voice, for query and delete.");
export const pageSize: JsonSchema = {
  type: "integer",
  minimum: 1,
  maximum: 100,
  title: "Page size",
  description: "Voices per page, for list.",
};
export const pageIndex: JsonSchema = {
  type: "integer",
  minimum: 0,
  maximum: 10_000,
  title: "Page",
  description: "Counted from 0, for list.",
};
export const targetModel: JsonSchema = {
  ...text("Target model", "The speech model that will use the voice."),
  minLength: 1,
};
