import type { Endpoint, EndpointWithSecret } from "#contract/webhook.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { webhookEndpoints, webhookSecrets } from "#gateway/platform/database/schema.ts";
import { livePairs } from "../secrets.ts";

export type EndpointRow = typeof webhookEndpoints.$inferSelect;
export type SecretRow = typeof webhookSecrets.$inferSelect;

/** An endpoint in the API's form, with only a hint of its secrets. `secrets`: the valid ones. */
export function endpointView(
  row: EndpointRow,
  secrets: readonly SecretRow[],
  more: Pick<Endpoint, "health" | "waiting_deliveries" | "resumed" | "warning"> = {},
): Endpoint {
  const current = secrets.find((secret) => secret.expiresAt === null);
  const previous = secrets
    .flatMap(({ id, hint, expiresAt }) =>
      expiresAt ? { id, hint, expires_at: expiresAt.toISOString() } : [],
    )
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .map(({ hint, expires_at }) => ({ hint, expires_at }));
  return {
    id: row.id,
    object: "webhook.endpoint",
    url: row.url,
    description: row.description,
    events: row.events,
    status: row.status,
    disabled_reason: row.disabledReason,
    headers: (row.headers?.names ?? []).map((name) => ({ name })),
    rate_per_second: row.ratePerSecond,
    models: row.models,
    keys: row.keyIds,
    secret_hint: current?.hint ?? "",
    previous_secret_expires_at: previous[0]?.expires_at ?? null,
    previous_secrets: previous,
    public_keys: livePairs(row.signatureKeys, clock.now()).map(({ publicKey, expiresAt }) => ({
      key: `whpk_${publicKey}`,
      expires_at: expiresAt,
    })),
    ...more,
    created_at: row.createdAt.toISOString(),
  };
}

/** The only view that contains the secret. */
export function endpointWithSecret(
  row: EndpointRow,
  secrets: readonly SecretRow[],
  secret: string,
): EndpointWithSecret {
  return { ...endpointView(row, secrets), secret };
}
