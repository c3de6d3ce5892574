import { longestConnectionDays } from "#contract/connection-constants.ts";
import type { Consent, ConsentCreate } from "#contract/connections.ts";
import { enforceAttestations } from "#gateway/access/accounts/attestations/gates.ts";
import { assertModelsExist, createKey } from "#gateway/access/accounts/keys/create.ts";
import { credentialHash, newLinkSecret } from "#gateway/access/accounts/keys/format.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { deletion, isFullBatch } from "#gateway/platform/database/row-sweep.ts";
import { authorizationClients, connections } from "#gateway/platform/database/schema.ts";
import type { ClientDocuments } from "./clients.ts";
import { answerAddress, checkRequest } from "./read-request.ts";

const codeMs = 60_000;

const dayMs = 86_400_000;

/** How long a registered client is kept after its last connection, so that it can connect again. */
const keptClientMs = 30 * dayMs;

/**
 * Creates the personal key of a connection, as the person decided, and the code for which the client gets its
 * tokens. Throws as `checkRequest` and `createKey`, and `adult_attestation_required` or
 * `portrait_rights_attestation_required` for a model whose attestation the person lacks.
 */
export async function consent(
  context: AccessContext,
  documents: ClientDocuments,
  caller: Caller,
  input: ConsentCreate,
): Promise<Consent> {
  const { actor } = caller;
  const { client, redirectUri, scopes, codeChallenge } = await checkRequest(
    context,
    documents,
    actor,
    input.request,
  );
  const beyond = input.scopes.filter((scope) => !scopes.includes(scope));
  if (beyond.length > 0) throw invalidParameter("scopes", `The client did not request ${beyond.join(", ")}.`);
  assertEnd(input.expires_at);
  assertModelsExist(context.catalog, input, actor.accountId);
  await assertGatesPassed(context, caller, input.models);
  const code = newLinkSecret();
  const key = await context.database.transaction(async (queries) => {
    const made = await createKey(
      queries,
      actor.accountId,
      {
        name: client.name,
        kind: "personal",
        scopes: input.scopes,
        models: input.models,
        monthly_budget: input.monthly_budget,
        ...(input.budgets && { budgets: input.budgets }),
        ...(input.task_budget && { task_budget: input.task_budget }),
        expires_at: input.expires_at,
      },
      { ...caller, config: context.config },
      {
        boundTo: "mcp",
        action: "connection.created",
        detail: {
          client_id: client.id,
          models: input.models,
          monthly_budget: input.monthly_budget,
          expires_at: input.expires_at,
        },
      },
    );
    await queries.insert(connections).values({
      keyId: made.id,
      clientId: client.id,
      clientName: client.name,
      clientVerified: client.host !== null,
      redirectUri,
      codeHash: credentialHash(code),
      codeChallenge,
      codeExpiresAt: new Date(clock.now() + codeMs),
    });
    if (client.host === null)
      await queries
        .update(authorizationClients)
        .set({
          connectedAt: clock.date(),
          expiresAt: new Date(Date.parse(input.expires_at) + keptClientMs),
        })
        .where(eq(authorizationClients.id, client.id));
    return made;
  });
  return {
    object: "consent",
    connection_id: key.id,
    redirect_url: answerAddress(context, redirectUri, input.request, { code }),
  };
}

/** Every connection must expire. Throws `invalid_parameter`. */
export function assertEnd(expiresAt: string): void {
  const ms = Date.parse(expiresAt) - clock.now();
  if (ms > 0 && ms <= longestConnectionDays * dayMs) return;
  throw invalidParameter(
    "expires_at",
    `expires_at must be in the future, and at most ${longestConnectionDays} days ahead.`,
  );
}

/** A model listed for an agent must be usable without a person's confirmation of each run. */
async function assertGatesPassed(
  context: AccessContext,
  { actor }: Caller,
  models: readonly string[] | null,
): Promise<void> {
  for (const id of models ?? []) {
    const model = context.catalog.model(id, actor.accountId);
    if (!model) continue;
    if (model.safety_requirements.per_request_person_rights_confirmation_required)
      throw new ApiError(
        "person_rights_confirmation_required",
        `A person must confirm each run of ${id}, so a client cannot use it. Leave it out.`,
        { param: "models" },
      );
    await enforceAttestations(context, actor, model.safety_requirements);
  }
}

const due = "interval '10 minutes'";

/** Removes consents for which no client fetched the code: no token was issued, so their key is deleted. */
export const unusedConnectionSweep: Sweep = {
  kind: "unused_connections",
  run: async ({ database }) =>
    isFullBatch(
      await database.pool.query(
        deletion(
          "api_keys",
          `id in (select key_id from connections where code_used_at is null and code_expires_at < now() - ${due})`,
        ),
      ),
    ),
  oldestDue: () => `select min(code_expires_at) + ${due} from connections where code_used_at is null`,
};
