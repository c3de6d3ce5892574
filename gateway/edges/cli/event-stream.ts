export interface ServerSentEvent {
  id: string | null;
  event: string;
  /** Null if the block has only an id. */
  data: string | null;
}

/** Yields the server-sent events of a body as they arrive, without comments. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event) yield event;
    }
  }
}

function parseBlock(block: string): ServerSentEvent | null {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const [, name, value] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  const id = fields.get("id") ?? null;
  const data = fields.get("data") ?? null;
  if (id === null && data === null) return null;
  return { id, event: fields.get("event") ?? "message", data };
}
