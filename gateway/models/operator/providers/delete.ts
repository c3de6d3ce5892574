import type { ProviderDeleted } from "#contract/operator/providers.ts";
import type { Context } from "#gateway/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { providerConnections } from "#gateway/platform/database/schema.ts";
import { changeConfiguration } from "../change.ts";
import { auditView } from "./audit-view.ts";
import { findConnection } from "./find.ts";
import type { ConnectionRow } from "./read-connections.ts";
import { runningAt, runningByProvider } from "./view.ts";

/**
 * Deletes a provider: it gets no new work, and disappears when its running predictions have ended. Its routes
 * stay but serve nothing, and the sandbox does not answer for them. Throws the errors of `findConnection`.
 */
export async function deleteProvider(
  context: Context,
  caller: Caller,
  idOrName: string,
): Promise<ProviderDeleted> {
  return changeConfiguration(context, caller, async (queries) => {
    const row = await findConnection(queries, context.configuration, idOrName);
    const running = await letGo(queries, row);
    return {
      action: "provider.deleted",
      targetId: row.id,
      before: auditView(row),
      after: null,
      result: { id: row.id, object: "provider", deleted: running === 0, running_predictions: running },
    };
  });
}

/**
 * Stops new work for a provider; it is gone at once if nothing runs there. Returns the number of its running
 * predictions.
 */
export async function letGo(queries: Queries, row: ConnectionRow): Promise<number> {
  const running = runningAt(row, await runningByProvider(queries));
  const now = clock.date();
  await queries
    .update(providerConnections)
    .set({ leavingAt: row.leavingAt ?? now, goneAt: running === 0 ? now : null })
    .where(eq(providerConnections.id, row.id));
  return running;
}
