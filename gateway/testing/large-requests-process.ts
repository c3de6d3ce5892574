import { WebSocket } from "undici";
import { type ShapeName, type Size, shapes } from "./body-shapes.ts";

/**
 * A request whose body or query is built in the sending process, so that building it does not block the
 * gateway.
 */
export interface LargeRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** The JSON around the value of the shape; null where there is no body. */
  body: { before: string; shape: ShapeName; size: Size; after: string } | null;
  /** True to send the value as one text part of a form, instead of as JSON. */
  isForm?: true;
  /** True to send the body as a message of a WebSocket that is opened at the URL. */
  isMessage?: true;
}

/** The status; null if the connection was cut. */
export type LargeAnswer = number | null;

process.on("message", async (request: LargeRequest) => {
  process.send?.(await send(request));
});

/** Small values, which most requests share. */
const built = new Map<string, string>();
const keptBytes = 1_000_000;

function textOf(shape: ShapeName, size: Size): string {
  const name = JSON.stringify([shape, size]);
  const value = built.get(name) ?? shapes[shape](size);
  if (size.bytes < keptBytes) built.set(name, value);
  return value;
}

const boundary = "the-line-between-the-parts-of-a-form";
const formType = `multipart/form-data; boundary=${boundary}`;

/** The fields of a JSON object as a form. `FormData` takes seconds for the line breaks of a large value. */
function formOf(text: string): string {
  const parts = Object.entries(JSON.parse(text) as Record<string, unknown>).map(([name, value]) => {
    const content = typeof value === "string" ? value : JSON.stringify(value);
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;
  });
  return `${parts.join("")}--${boundary}--\r\n`;
}

async function send({ method, url, headers, body, isForm, isMessage }: LargeRequest): Promise<LargeAnswer> {
  const text = body && `${body.before}${textOf(body.shape, body.size)}${body.after}`;
  if (isMessage) return sendMessage(url, headers, text ?? "");
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...headers,
        ...(text && { "content-type": isForm ? formType : "application/json" }),
      },
      ...(text && { body: isForm ? formOf(text) : text }),
      signal: AbortSignal.timeout(60_000),
    });
    if (response.headers.get("content-type")?.startsWith("text/event-stream")) await response.body?.cancel();
    else await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}

const lastEvents = ["response.completed", "response.incomplete", "response.failed"];

/** The status in the error that answers the message, or 200. */
async function sendMessage(url: string, headers: Record<string, string>, text: string): Promise<LargeAnswer> {
  const socket = new WebSocket(url.replace("http", "ws"), { headers });
  const { promise, resolve } = Promise.withResolvers<LargeAnswer>();
  socket.addEventListener("open", () => socket.send(text));
  socket.addEventListener("close", () => resolve(null));
  socket.addEventListener("message", ({ data }) => {
    const { type, status } = JSON.parse(String(data)) as { type: string; status?: number };
    if (type === "error") resolve(status ?? null);
    if (lastEvents.includes(type)) resolve(200);
  });
  return promise.finally(() => socket.close());
}
