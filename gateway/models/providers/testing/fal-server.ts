import type { ServerResponse } from "node:http";
import { landscapeVideo, smallImage } from "#gateway/models/catalog/example-media.ts";
import { bytesOf, sendFile, sendJson, startUpstream, type UpstreamServer } from "./upstream-server.ts";

export interface FalServer extends UpstreamServer {
  polls: number;
  result: (origin: string) => unknown;
  /** The OpenAPI documents of its endpoints. */
  documents: Record<string, unknown>;
}

/** fal's queue: submit, status (202 until it has ended), response, cancel; all URLs come from the answer. */
export async function startFalServer(): Promise<FalServer> {
  const asked = new Map<string, number>();
  let made = 0;
  const server = await startUpstream((seen, response, origin) => {
    const { method, path, headers } = seen;
    if (path === "/files/out.mp4") return sendFile(response, "video/mp4", bytesOf(landscapeVideo));
    if (path === "/files/out.png") return sendFile(response, "image/png", bytesOf(smallImage));
    if (!headers.authorization?.startsWith("Key "))
      return sendJson(response, { detail: "Unauthorized" }, 401);
    const described = URL.parse(path, origin)?.searchParams.get("endpoint_id");
    if (described) return sendModels(response, described, state.documents[described]);
    // These URLs cannot be built from the model's name.
    const links = (id: string) => ({
      status_url: `${origin}/q/${id}/how`,
      response_url: `${origin}/q/${id}/what`,
      cancel_url: `${origin}/q/${id}/stop`,
    });
    if (method === "POST") {
      made += 1;
      const id = `f${made}`;
      return sendJson(response, { request_id: id, status: "IN_QUEUE", queue_position: 0, ...links(id) });
    }
    const id = path.split("/")[2] ?? "";
    if (method === "PUT") return sendJson(response, { status: "CANCELLATION_REQUESTED" }, 202);
    if (path.endsWith("/what")) return sendJson(response, state.result(origin));
    const times = (asked.get(id) ?? 0) + 1;
    asked.set(id, times);
    return times <= state.polls
      ? sendJson(response, { status: times === 1 ? "IN_QUEUE" : "IN_PROGRESS", ...links(id) }, 202)
      : sendJson(response, { status: "COMPLETED", ...links(id) });
  });
  const state: FalServer = Object.assign(server, {
    polls: 1,
    documents: {},
    result: (origin: string): unknown => ({
      video: { url: `${origin}/files/out.mp4`, content_type: "video/mp4" },
    }),
  });
  return state;
}

/** The list of fal's models, filtered by id; empty under another path. */
function sendModels(response: ServerResponse, id: string, openapi: unknown): void {
  const models = openapi ? [{ endpoint_id: id, metadata: { description: "Of a test." }, openapi }] : [];
  sendJson(response, { models, next_cursor: null, has_more: false });
}
