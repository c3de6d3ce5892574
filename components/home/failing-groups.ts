import type { Delivery } from "#contract/webhook.ts";

/** Deliveries of one endpoint in the same state, newest first. */
export interface FailingGroup {
  newest: Delivery;
  count: number;
  href: string;
}

/**
 * Undelivered deliveries that nobody has retried, grouped by endpoint, newest first. One may be given twice,
 * if it ended between two lists.
 */
export function failingGroups(deliveries: readonly Delivery[]): FailingGroup[] {
  const unique = [...new Map(deliveries.map((delivery) => [delivery.id, delivery])).values()];
  const failing = unique
    .filter(
      ({ status, retried_as }) => retried_as === null && (status === "failed" || status === "dead-letter"),
    )
    .sort((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at));
  const groups = Map.groupBy(failing, ({ endpoint_id, status }) => `${endpoint_id} ${status}`);
  return [...groups.values()].flatMap((group) => {
    const [newest] = group;
    return newest ? [{ newest, count: group.length, href: hrefOf(newest, group.length) }] : [];
  });
}

function hrefOf({ id, endpoint_id, status }: Delivery, count: number): string {
  return count === 1
    ? `/webhooks/deliveries/${id}`
    : `/webhooks/deliveries?since=24h&status=${status}&endpoint_id=${endpoint_id}`;
}
