import { conversationLimits } from "#contract/conversation-constants.ts";
import type { ConversationContents } from "#contract/conversations.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { refuseUnstorable } from "#gateway/platform/http/body-bounds.ts";
import { findOperation } from "#gateway/runs/operations/find-operation.ts";
import { confirmation } from "#gateway/workspace/presets/check.ts";
import { filesIn, withValueAt } from "#gateway/workspace/presets/input.ts";

/** Stands where a file was that a conversation must not keep. */
const removedFile = "upload://removed";

/** The models of a conversation by their ids, each of which must chat. Throws as `findOperation`. */
export function chatModels(context: Context, accountId: string, names: readonly string[]): string[] {
  return names.map((model) => findOperation(context, "chat-completions", { model }, accountId).model.id);
}

/**
 * What is stored of the contents that somebody sent. Files in them are not kept: uploads stay references, which end with their
 * uploads; inline files and links to files of this gateway are taken out. Throws `invalid_parameter` and `input_too_large`.
 */
export function storedContents({ config }: Context, contents: ConversationContents): ConversationContents {
  const refuse = (name: string, why: string) =>
    new ApiError("invalid_parameter", why, { param: `contents.${name}` });
  const { settings, messages } = contents;
  for (const name of ["model", "messages"])
    if (name in settings) throw refuse(`settings.${name}`, `${name} has a place of its own. Leave it out.`);
  if (confirmation in settings)
    throw refuse(`settings.${confirmation}`, `${confirmation} is given for each request and never saved.`);
  for (const [at, { parent }] of messages.entries())
    if (parent !== null && parent >= at)
      throw refuse(`messages.${at}.parent`, "parent must be the place of an earlier message of the list.");
  for (const name of ["current", "second_current"] as const)
    if ((contents[name] ?? 0) >= Math.max(1, messages.length))
      throw refuse(name, `${name} must be the place of a message of the list.`);
  refuseUnstorable(contents);
  const kept = withoutFiles(contents, config.publicUrl);
  if (Buffer.byteLength(JSON.stringify(kept)) > conversationLimits.contentBytes)
    throw new ApiError(
      "input_too_large",
      `A saved conversation has at most ${conversationLimits.contentBytes.toLocaleString("en")} bytes. Save a shorter one.`,
      { param: "contents" },
    );
  return kept;
}

function withoutFiles(contents: ConversationContents, publicUrl: string): ConversationContents {
  const gone = filesIn({ ...contents }, publicUrl)
    .filter(({ upload }) => upload === null)
    .map(({ path }) => path);
  return gone.length === 0
    ? contents
    : (withValueAt({ ...contents }, gone, removedFile) as ConversationContents);
}

/** Conversations of an account are made one after the other, so that their number stays within the limit. */
export async function lockConversations(queries: Queries, accountId: string): Promise<void> {
  await queries.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`conversations of ${accountId}`}, 0))`,
  );
}
