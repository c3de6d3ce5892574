import { type ShapeName, type Size, shapes } from "./body-shapes.ts";

/** A request whose body or query is built where it is sent from, so that building it does not hold up the gateway. */
export interface LargeRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** The JSON around the value of the shape; null where there is no body. */
  body: { before: string; shape: ShapeName; size: Size; after: string } | null;
  /** As one text part of a form, instead of as JSON. */
  isForm?: true;
}

/** The status; null where the connection was cut. */
export type LargeAnswer = number | null;

process.on("message", async (request: LargeRequest) => {
  process.send?.(await send(request));
});

async function send({ method, url, headers, body, isForm }: LargeRequest): Promise<LargeAnswer> {
  const text = body && `${body.before}${shapes[body.shape](body.size)}${body.after}`;
  const form = new FormData();
  if (text && isForm)
    for (const [name, value] of Object.entries(JSON.parse(text) as Record<string, unknown>))
      form.set(name, typeof value === "string" ? value : JSON.stringify(value));
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(text && !isForm && { "content-type": "application/json" }) },
      ...(text && { body: isForm ? form : text }),
      signal: AbortSignal.timeout(60_000),
    });
    if (response.headers.get("content-type")?.startsWith("text/event-stream")) await response.body?.cancel();
    else await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}
