import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Permission } from "#contract/accounts/permissions.ts";
import type { BaseContext } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { whenClosed } from "#gateway/platform/http/when-closed.ts";

interface SentFile {
  actor: Actor;
  /** The permission that the caller must keep while the file is sent; operators need none. */
  permission?: Permission;
  format: "csv" | "focus";
  file: AsyncIterable<Buffer>;
}

/** Streams a table while it is read. */
export function sendUsageFile(
  { credentials }: BaseContext,
  reply: FastifyReply,
  { actor, permission, format, file }: SentFile,
): FastifyReply {
  const stream = Readable.from(file, { objectMode: false });
  if (permission)
    whenClosed(
      reply.raw,
      credentials.watch(actor, permission, () => stream.destroy()),
    );
  reply.headers({
    "cache-control": "no-store",
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="usage${format === "focus" ? "-focus" : ""}.csv"`,
  });
  return reply.send(stream);
}
