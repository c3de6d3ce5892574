import type { Receiver } from "../../gateway/testing/receiver.ts";

/**
 * Turns the receiver into a bucket. It records the size of each object, and refuses objects while a test
 * requires it.
 */
export function asBucket(receiver: Receiver) {
  const sizes = new Map<string, number>();
  const state = { refuses: false };
  receiver.answer(({ method, path, headers }, response) => {
    const [name = ""] = path.split("?");
    if (method === "PUT" && state.refuses)
      return response
        .writeHead(403, { "content-type": "application/xml" })
        .end("<Error><Code>AccessDenied</Code></Error>");
    if (method === "PUT") sizes.set(name, Number(headers["content-length"]));
    if (method === "DELETE") sizes.delete(name);
    const size = sizes.get(name);
    return response
      .writeHead(200, { etag: '"1"', ...(method === "HEAD" && { "content-length": size }) })
      .end();
  });
  return { sizes, state };
}
