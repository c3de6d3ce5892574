/** Answers without a body, or with a body that is not JSON, in the form of the OpenAPI document. */
type Answer = Record<string, unknown>;

export const noBody = (description: string): Answer => ({ type: "null", description });

export const bytesOf = (contentType: string, description: string): Answer => ({
  description,
  content: { [contentType]: { schema: { type: "string" } } },
});

export const eventStream = (description: string): Answer => bytesOf("text/event-stream", description);
