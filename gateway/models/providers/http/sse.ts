import { invalidAnswer } from "./read-body.ts";

/** The largest event. */
const maxEventCharacters = 4 * 1024 * 1024;

/**
 * The data of each server-sent event, in order. Skips comments, other fields and an unfinished last line. The
 * blank line after the last event may be missing.
 */
export async function* readEvents(
  body: AsyncIterable<Buffer>,
  maxCharacters = maxEventCharacters,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pending = "";
  let data: string[] = [];
  for await (const chunk of body) {
    pending += decoder.decode(chunk, { stream: true });
    if (pending.length > maxCharacters)
      throw invalidAnswer("An event of the provider's stream is too large.");
    let start = 0;
    for (let end = pending.indexOf("\n"); end >= 0; end = pending.indexOf("\n", start)) {
      const line = pending.slice(start, pending[end - 1] === "\r" ? end - 1 : end);
      start = end + 1;
      if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
      else if (line === "" && data.length > 0) {
        const whole = data.length === 1 ? (data[0] ?? "") : data.join("\n");
        data = [];
        yield whole;
      }
    }
    pending = pending.slice(start);
  }
  if (data.length > 0) yield data.join("\n");
}
