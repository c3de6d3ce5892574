import type { Maker } from "#contract/accounts/people.ts";
import type { AttestationKind } from "#contract/attestations.ts";
import type { Conversation, ConversationSummary } from "#contract/conversations.ts";
import { type Made, readMakers } from "#gateway/access/accounts/people.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import type { ConversationRow } from "./find.ts";
import { missingToRead } from "./gates.ts";

export type ListedRow = Omit<ConversationRow, "contents">;

const dayMs = 86_400_000;

/** Who changed the conversation last, as `readMakers` takes them. */
export function changerOf({ changedByKeyId: keyId, changedByUserId: userId }: ListedRow): Made {
  return { keyId, userId };
}

export function conversationSummary(
  { history }: Context,
  row: ListedRow,
  makerOf: (made: Made) => Maker,
  gated: AttestationKind | null,
): ConversationSummary {
  const hasChanger = row.changedByKeyId !== null || row.changedByUserId !== null;
  return {
    id: row.id,
    object: "conversation",
    name: row.name,
    model: row.model,
    second_model: row.secondModel,
    version: row.version,
    made_by: makerOf(row),
    changed_by: hasChanger ? makerOf(changerOf(row)) : null,
    gated,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    kept_until:
      history.days === null ? null : new Date(row.updatedAt.getTime() + history.days * dayMs).toISOString(),
  };
}

/** A conversation with its contents, where this caller may read them. */
export async function conversationView(
  context: Context,
  actor: Actor,
  row: ConversationRow,
): Promise<Conversation> {
  const [makerOf, missing] = await Promise.all([
    readMakers(context.database.queries, [row, changerOf(row)]),
    missingToRead(context, actor, [row]),
  ]);
  const gated = missing(row);
  return {
    ...conversationSummary(context, row, makerOf, gated),
    contents: gated === null ? row.contents : null,
  };
}
