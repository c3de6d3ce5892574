import type { IncomingHttpHeaders } from "node:http";
import type { Context } from "#gateway/context.ts";
import { verifySignature } from "#gateway/files/storage/signed-urls.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { uploads } from "#gateway/platform/database/schema.ts";
import { normalizedType } from "./content-type.ts";
import { contentPath } from "./view.ts";

interface Put {
  query: { expires?: string; signature?: string };
  headers: IncomingHttpHeaders;
}

interface Announced {
  contentType: string;
  sizeBytes: number;
}

/**
 * Checks the signature of a PUT, which includes its type and length. Throws `signature_invalid`, which names the header that
 * differs from the announced upload, or `signature_expired`.
 */
export async function verifyPut(context: Context, id: string, { query, headers }: Put): Promise<void> {
  const verify = (announced: Announced) =>
    verifySignature(context, { method: "PUT", path: contentPath(id), query, ...announced });
  const sent = {
    contentType: normalizedType(headers["content-type"] ?? ""),
    sizeBytes: Number(headers["content-length"]),
  };
  try {
    verify(sent);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "signature_invalid") throw error;
    const [row] = await context.database.queries.select().from(uploads).where(eq(uploads.id, id));
    if (!row) throw error;
    // Only who holds a good signature learns what was announced.
    verify(row);
    throw wrongHeader(sent, row, headers["content-length"] === undefined);
  }
}

function wrongHeader(
  sent: Announced,
  { contentType, sizeBytes }: Announced,
  isUnmeasured: boolean,
): ApiError {
  const [param, message] =
    sent.contentType !== contentType
      ? ["Content-Type", `Content-Type must be ${contentType}, as announced.`]
      : [
          "Content-Length",
          isUnmeasured
            ? `Content-Length is missing: send ${sizeBytes} bytes, as announced, and not in chunks.`
            : `Content-Length must be ${sizeBytes}, as announced; it is ${sent.sizeBytes}.`,
        ];
  return new ApiError("signature_invalid", message, { param });
}
