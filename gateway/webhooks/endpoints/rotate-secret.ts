import { and, eq, isNotNull, sql } from "drizzle-orm";
import { newId } from "#contract/ids.ts";
import type { EndpointWithSecret, RotateSecret } from "#contract/webhook.ts";
import { type Caller, recordAudit } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { webhookSecrets } from "#gateway/database/schema.ts";
import { createSecretBox, newSigningSecret, secretHint } from "../secrets.ts";
import { liveSecrets, lockEndpoint } from "./find.ts";
import { endpointWithSecret } from "./view.ts";

const defaultOverlapSeconds = 86_400;

/**
 * Gives an endpoint a new secret; the one before goes on signing beside it for the overlap, any older one ends now.
 * Throws `endpoint_not_found`.
 */
export async function rotateSecret(
  context: Context,
  caller: Caller,
  id: string,
  input: RotateSecret,
): Promise<EndpointWithSecret> {
  const { accountId } = caller.actor;
  const overlapSeconds = input.overlap_seconds ?? defaultOverlapSeconds;
  const secret = newSigningSecret();
  return context.database.transaction(async (queries) => {
    const row = await lockEndpoint(queries, accountId, id);
    const ofEndpoint = eq(webhookSecrets.endpointId, id);
    await queries.delete(webhookSecrets).where(and(ofEndpoint, isNotNull(webhookSecrets.expiresAt)));
    if (overlapSeconds === 0) await queries.delete(webhookSecrets).where(ofEndpoint);
    else
      await queries
        .update(webhookSecrets)
        .set({ expiresAt: sql`now() + make_interval(secs => ${overlapSeconds})` })
        .where(ofEndpoint);
    await queries.insert(webhookSecrets).values({
      id: newId("endpoint"),
      endpointId: id,
      ...createSecretBox(context.config.secret).seal(secret, id),
      hint: secretHint(secret),
    });
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "webhook_endpoint.secret_rotated",
      targetId: id,
      detail: { overlap_seconds: overlapSeconds },
      ip: caller.ip,
      requestId: caller.requestId,
    });
    const secrets = await liveSecrets(queries, [id]);
    return endpointWithSecret(row, secrets.get(id) ?? [], secret);
  });
}
