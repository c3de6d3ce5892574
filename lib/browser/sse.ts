/** One event of a server-sent event stream. */
export interface StreamEvent {
  event: string;
  data: string;
}

/**
 * Parses `text/event-stream` bytes into events, wherever the bytes are split into chunks. Skips comments (`:
 * keepalive`). As the standard requires, drops an event that the end of the stream cut off. Not
 * `eventsource-parser` 4.1, which takes an eighth more processor time for a chat with single events.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      // A lone \r at the end of a chunk may be half of a \r\n.
      const complete = rest.endsWith("\r") ? rest.slice(0, -1) : rest;
      const blocks = complete.split(/\r\n\r\n|\n\n|\r\r/);
      const open = blocks.pop() ?? "";
      rest = open + rest.slice(complete.length);
      for (const block of blocks) {
        const event = parseBlock(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseBlock(block: string): StreamEvent | null {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    if (line.startsWith(":")) continue;
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") data.push(value);
    if (name === "event") event = value;
  }
  return data.length === 0 ? null : { event, data: data.join("\n") };
}
