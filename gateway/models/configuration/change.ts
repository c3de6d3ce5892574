import type { AuditAction } from "#contract/audit.ts";
import { byCaller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { Turns } from "#gateway/platform/core/together.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { configuration, configurationChanges } from "#gateway/platform/database/schema.ts";
import { configurationChannel } from "./follow.ts";

/**
 * The effect of a change on its target. `before` or `after` is null if the target did not exist at that time.
 * Neither contains a key.
 */
export interface Changed<Result> {
  action: AuditAction;
  targetId: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  /** The ids of all objects that the change affected, each with its own history; by default the target's. */
  touches?: string[];
  /** The id of the change that this one undoes. */
  undoes?: string;
  /** Runs in the same transaction, for writes that need the id of the change. */
  finish?(changeId: string): Promise<void>;
  /** Runs after the commit, to tell processes about things outside the configuration. Must not fail. */
  committed?(): void;
  result: Result;
}

/** Changes of this process wait here for each other: waiting for the lock, each would hold a connection. */
const turns = new Turns();

/** The longest time that an answer waits for this process to use the change. */
const maxApplyMs = 5_000;

/**
 * The only way to change the configuration: one change at a time, with its audit row, in a transaction that
 * also raises the revision. The answer names the change in its header. This process uses the change when the
 * answer is sent; others follow within two seconds. Read the content of the answer inside `work`: after the commit nothing may fail, because callers
 * repeat a change that is answered with an error.
 */
export async function changeConfiguration<Result>(
  context: ModelsContext,
  caller: Caller,
  work: (queries: Queries) => Promise<Changed<Result>>,
): Promise<Result> {
  const change = async (queries: Queries) => {
    await queries.update(configuration).set({ revision: sql`revision + 1` });
    const { action, targetId, before, after, touches, undoes, finish, ...changed } = await work(queries);
    const detail = { before, after, ...(undoes !== undefined && { undoes }) };
    const changeId = await recordAudit(queries, { ...byCaller(caller), action, targetId, detail });
    await queries
      .insert(configurationChanges)
      .values({ id: changeId, targetId, touches: touches ?? [targetId], undoes });
    await finish?.(changeId);
    return { changeId, ...changed };
  };
  const { changeId, committed, result } = await turns.take(configurationChannel, () =>
    context.database.transaction(change),
  );
  caller.nameChange?.(changeId);
  context.database.notify(configurationChannel);
  committed?.();
  await applyChange(context);
  return result;
}

/** The answer to a change that was planned with an older configuration. */
export function changedMeanwhile(): ApiError {
  return new ApiError(
    "configuration_changed",
    "Somebody has changed the configuration in the meantime. Nothing was imported: send the file again.",
    { param: "revision" },
  );
}

/** The answer to an undo when `thing` is no longer as the change left it. */
export function changedSince(thing: string): ApiError {
  return new ApiError(
    "change_not_undoable",
    `${thing} was changed after this change, which therefore cannot be undone. Set it by hand.`,
  );
}

/** A change that cannot be applied now is still saved: this process tries again every second. */
async function applyChange({ configuration, log }: ModelsContext): Promise<void> {
  const { promise: late, resolve: stopWaiting } = Promise.withResolvers<void>();
  const timer = setTimeout(stopWaiting, maxApplyMs);
  const applied = configuration.refresh().catch((error: unknown) => {
    log.warn(
      { err: error },
      "a change of the configuration is saved, but could not be applied yet; will retry",
    );
  });
  await Promise.race([applied, late]);
  clearTimeout(timer);
}
