import { newId } from "#contract/ids.ts";
import { type EndpointWithSecret, maxLiveSecrets, type RotateSecret } from "#contract/webhook.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull, sql } from "#gateway/platform/database/drizzle.ts";
import { webhookEndpoints, webhookSecrets } from "#gateway/platform/database/schema.ts";
import { createSecretBox, newSigningSecret, rotatedPairs, secretHint } from "../secrets.ts";
import type { WebhookContext } from "../webhook-context.ts";
import { endpointWithSecret, liveSecrets, lockEndpoint, type SecretRow } from "./read.ts";

const defaultOverlapSeconds = 86_400;

/**
 * Gives an endpoint a new secret, and a new key pair if it has one. The replaced one also signs during the overlap, and earlier ones until
 * their own overlap ends. Without an overlap, for example after a leak, all of them end now. Throws
 * `endpoint_not_found`, `too_many_secrets`.
 */
export async function rotateSecret(
  context: WebhookContext,
  caller: Caller,
  id: string,
  input: RotateSecret,
): Promise<EndpointWithSecret> {
  const { accountId } = caller.actor;
  return audited(context, caller, "webhook_endpoint.secret_rotated", async (queries) => {
    const row = await lockEndpoint(queries, accountId, id);
    const { secret, overlapSeconds } = await replaceSecret(context.config, queries, id, input);
    const now = { nowMs: clock.now(), overlapSeconds };
    const signatureKeys = rotatedPairs(context.config, id, row.signatureKeys, now);
    if (signatureKeys)
      await queries.update(webhookEndpoints).set({ signatureKeys }).where(eq(webhookEndpoints.id, id));
    const secrets = await liveSecrets(queries, [id]);
    return {
      target: id,
      detail: { overlap_seconds: overlapSeconds },
      result: endpointWithSecret({ ...row, signatureKeys }, secrets.get(id) ?? [], secret),
    };
  });
}

/** Gives the endpoint a new secret, in the caller's transaction and under its lock. Throws `too_many_secrets`. */
export async function replaceSecret(
  config: Config,
  queries: Queries,
  endpointId: string,
  { overlap_seconds: overlapSeconds = defaultOverlapSeconds }: RotateSecret,
): Promise<{ secret: string; overlapSeconds: number }> {
  const ofEndpoint = eq(webhookSecrets.endpointId, endpointId);
  if (overlapSeconds === 0) await queries.delete(webhookSecrets).where(ofEndpoint);
  else {
    refuseMoreThanMax((await liveSecrets(queries, [endpointId])).get(endpointId) ?? []);
    await queries
      .update(webhookSecrets)
      .set({ expiresAt: sql`now() + make_interval(secs => ${overlapSeconds})` })
      .where(and(ofEndpoint, isNull(webhookSecrets.expiresAt)));
  }
  return { secret: await addSecret(config, queries, endpointId), overlapSeconds };
}

/** Seals a fresh secret for the endpoint, and returns it. */
export async function addSecret(config: Config, queries: Queries, endpointId: string): Promise<string> {
  const secret = newSigningSecret();
  await queries.insert(webhookSecrets).values({
    id: newId("endpoint"),
    endpointId,
    ...createSecretBox(config).seal(secret, endpointId),
    hint: secretHint(secret),
  });
  return secret;
}

/** Each valid secret adds a signature to the header of every delivery. */
function refuseMoreThanMax(live: readonly SecretRow[]): void {
  if (live.length < maxLiveSecrets) return;
  const [soonest] = live
    .flatMap(({ expiresAt }) => expiresAt ?? [])
    .sort((a, b) => a.getTime() - b.getTime());
  throw new ApiError(
    "too_many_secrets",
    `This endpoint has ${maxLiveSecrets} live secrets. Rotate again after ${soonest?.toISOString()}, when one of ` +
      "them expires, or with overlap_seconds 0, which ends all earlier ones at once.",
  );
}
