import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { and, eq, gt } from "#gateway/platform/database/drizzle.ts";
import { authorizationClients } from "#gateway/platform/database/schema.ts";
import { type Client, invalidClient } from "./client.ts";
import type { ClientDocuments } from "./client-documents.ts";

const idPattern = /^client_[0-9A-Za-z]{43}$/;

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
