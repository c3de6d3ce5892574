import { failuresUntilReported } from "#contract/webhook-constants.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { WebhookContext } from "../webhook-context.ts";
import { reportEndpoint } from "./tell.ts";

const batchSize = 100;

/** Reports endpoints that a killed process did not report. */
async function reportLeft(context: WebhookContext): Promise<boolean> {
  const { rows } = await context.database.pool.query<{ id: string }>(
    `select id from webhook_endpoints where deleted_at is null and status = 'enabled' and (
       failing_told_at is null and consecutive_failures >= $1 or last_success_at > failing_told_at)
     limit $2`,
    [failuresUntilReported, batchSize],
  );
  for (const { id } of rows) await reportEndpoint(context, id);
  return rows.length === batchSize;
}

export const endpointNewsSweep: Sweep = { kind: "endpoint_news", run: reportLeft, oldestDue: () => null };
