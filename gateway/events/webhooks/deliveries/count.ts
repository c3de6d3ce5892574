import type { Counted } from "#contract/counted.ts";
import {
  type DeliveryStatus,
  deliveryStatuses,
  retryableDeliveryStatuses,
} from "#contract/webhook-constants.ts";
import type { Context } from "#gateway/context.ts";
import { countByStatus } from "#gateway/platform/database/count-by-status.ts";
import { isNull } from "#gateway/platform/database/drizzle.ts";
import { webhookDeliveries } from "#gateway/platform/database/schema.ts";

/** The deliveries created since then, by status. One that was retried manually is left out: its retry is counted. */
export async function countDeliveries(
  { database }: Context,
  accountId: string,
  sinceMs: number,
): Promise<Record<DeliveryStatus, Counted>> {
  const counted = { accountId, kind: "delivery", sinceMs } as const;
  const statuses = deliveryStatuses.filter((status) => !retryableDeliveryStatuses.includes(status));
  // Only these may have been retried; the others are counted from the index alone.
  const [others, retryable] = await Promise.all([
    countByStatus(database, webhookDeliveries, { ...counted, statuses }),
    countByStatus(database, webhookDeliveries, {
      ...counted,
      statuses: retryableDeliveryStatuses,
      matching: isNull(webhookDeliveries.retriedAs),
    }),
  ]);
  return { ...others, ...retryable };
}
