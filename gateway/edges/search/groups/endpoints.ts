import type { Endpoint } from "#contract/webhook.ts";
import { listEndpoints } from "#gateway/events/webhooks/endpoints/read.ts";
import { fromList, type Group } from "../group.ts";

export const endpointGroup: Group = {
  kind: "endpoint",
  permission: "endpoints:read",
  find: async (context, { accountId }, sought) =>
    fromList(await listEndpoints(context, accountId, sought), (endpoint) => ({
      id: endpoint.id,
      kind: "endpoint",
      name: endpoint.description ?? endpoint.url,
      about: endpoint.description === null ? null : endpoint.url,
      ...lastOf(endpoint),
    })),
};

/** The time and the outcome of the last delivery. */
function lastOf({ status, health }: Endpoint) {
  const failed = health?.last_failure_at ?? null;
  const delivered = health?.last_success_at ?? null;
  const at =
    [failed, delivered]
      .filter((time) => time !== null)
      .sort()
      .at(-1) ?? null;
  if (status !== "enabled") return { state: status, at };
  if (at === null) return { state: null, at };
  return { state: at === failed ? "failing" : "delivered", at };
}
