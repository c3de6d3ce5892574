import { and, eq, gt } from "drizzle-orm";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { clock } from "#gateway/core/clock.ts";
import { authorizationClients } from "#gateway/database/schema.ts";
import type { ClientDocuments } from "./client-documents.ts";

const longestName = 100;
const idPattern = /^client_[0-9A-Za-z]{43}$/;

/** Who asks to be connected. */
export interface Client {
  id: string;
  name: string;
  /** Where its metadata document is; null: it registered itself, under a name that nobody has checked. */
  host: string | null;
  redirectUris: readonly string[];
}

/** The client with this id: its own document, read now, or what it registered. Throws `invalid_client`. */
export async function findClient(
  context: Context,
  documents: ClientDocuments,
  id: string | undefined,
): Promise<Client> {
  if (!id) throw invalidClient("The address names no client_id.");
  if (id.startsWith("https://")) return documents.read(id);
  const [row] = idPattern.test(id)
    ? await context.database.queries
        .select()
        .from(authorizationClients)
        .where(and(eq(authorizationClients.id, id), gt(authorizationClients.expiresAt, clock.date())))
    : [];
  if (!row)
    throw invalidClient(
      "This client is not known here, or its registration was not used in time. Start again in the client.",
    );
  return { id: row.id, name: row.name, host: null, redirectUris: row.redirectUris };
}

/** A name that strangers chose, without what would make it look like something else. */
export function shownName(text: unknown, otherwise: string): string {
  const plain = typeof text === "string" ? text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "").trim() : "";
  return [...(plain || otherwise)].slice(0, longestName).join("");
}

export function invalidClient(message: string, cause?: unknown): ApiError {
  return new ApiError("invalid_client", message, { param: "client_id", cause });
}
