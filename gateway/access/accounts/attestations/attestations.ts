import { permissionsOfRole } from "#contract/accounts/permissions.ts";
import {
  type Attestation,
  type AttestationCreate,
  type AttestationKind,
  type AttestationList,
  attestationKinds,
  attestationRoutes,
  type StandingAttestation,
} from "#contract/attestations.ts";
import { newId } from "#contract/ids.ts";
import type { Deleted, PageQuery } from "#contract/list.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, isNull, or, type SQL } from "#gateway/platform/database/drizzle.ts";
import { keyset, listOf, withTotal } from "#gateway/platform/database/keyset.ts";
import { attestations, members, users } from "#gateway/platform/database/schema.ts";

import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { recordCause } from "#gateway/platform/outbox/outbox.ts";
import { audited, byCaller, recordAudit } from "../audit.ts";
import { answeredKeys } from "../keys/view.ts";
import { activeAttestations, statements } from "./gates.ts";

export function installAttestations(app: App, context: AccessContext): void {
  serve(app, context, attestationRoutes, {
    "GET /account/attestations": ({ caller, query }) => listAttestations(context, caller.actor, query),
    "POST /account/attestations": (request) => attest(context, request.caller, request.body),
    "DELETE /account/attestations/{kind}": (request) =>
      withdrawAttestation(context, request.caller, request.params.kind),
  });
}

/** The current statements, which of them allow the caller's runs, and the account's history, newest first. */
async function listAttestations(
  context: AccessContext,
  actor: Actor,
  query: PageQuery,
): Promise<AttestationList> {
  const { queries } = context.database;
  const page = keyset("attestation", attestations.id, query, [eq(attestations.accountId, actor.accountId)]);
  const rows = await queries
    .select({ attestation: attestations, userName: users.name })
    .from(attestations)
    .innerJoin(users, eq(users.id, attestations.userId))
    .where(page.where)
    .orderBy(page.order)
    .limit(page.limit);
  const active = await activeAttestations(queries, actor);
  return {
    ...(await withTotal(
      queries,
      page,
      listOf(page, rows, (row) => attestationView(row.attestation, row.userName)),
    )),
    standing: await standingAttestations(queries, actor.accountId),
    statements: attestationKinds.map((kind) => ({ ...statements[kind], active: active.has(kind) })),
  };
}

/** The valid attestations of an account, each with the service keys that its member is responsible for. */
async function standingAttestations(queries: Queries, accountId: string): Promise<StandingAttestation[]> {
  const rows = await queries
    .select({ attestation: attestations, role: members.role, id: users.id, name: users.name })
    .from(attestations)
    .innerJoin(members, and(eq(members.accountId, accountId), eq(members.userId, attestations.userId)))
    .innerJoin(users, eq(users.id, attestations.userId))
    .where(and(eq(attestations.accountId, accountId), isNull(attestations.revokedAt)))
    .orderBy(asc(attestations.id));
  const keys = await answeredKeys(queries, accountId);
  return rows.flatMap(({ attestation, role, id, name }) => {
    const kind = attestation.kind as AttestationKind;
    if (statements[kind]?.version !== attestation.statementVersion) return [];
    const permitted = permissionsOfRole(role);
    return {
      kind,
      user: { id, name },
      role,
      since: attestation.createdAt.toISOString(),
      runs_own: permitted.has("attestations:make"),
      service_keys: permitted.has("attestations:answer") ? (keys.get(id) ?? []) : [],
    };
  });
}

/**
 * Records that the signed-in user confirms a statement. Only user sessions may do this (specification,
 * "Authentication" 2); attesting again replaces the earlier record. Throws `invalid_parameter` for an
 * outdated text.
 */
export async function attest(
  context: AccessContext,
  caller: Caller,
  input: AttestationCreate,
): Promise<Attestation> {
  const { accountId, id: userId, name } = caller.actor;
  const statement = statements[input.kind];
  if (input.statement_version !== statement.version)
    throw invalidParameter(
      "statement_version",
      "The statement has changed. Read the current text and confirm that one.",
    );
  return audited(context, caller, "attestation.created", async (queries) => {
    await revoke(queries, caller.actor, eq(attestations.kind, input.kind));
    const [row] = await queries
      .insert(attestations)
      .values({
        id: newId("attestation"),
        accountId,
        userId,
        kind: input.kind,
        statementVersion: statement.version,
        language: input.language === "en" ? null : (input.language ?? null),
        ip: caller.ip,
      })
      .returning();
    if (!row) throw new ApiError("internal_error", "The attestation was not saved.");
    return {
      target: row.id,
      detail: {
        kind: input.kind,
        statement_version: statement.version,
        ...(input.language && { language: input.language }),
      },
      result: attestationView(row, name),
    };
  });
}

/** Ends the caller's active attestations that match. */
function revoke(queries: Queries, { accountId, id }: Actor, which: SQL | undefined) {
  const own = and(eq(attestations.accountId, accountId), eq(attestations.userId, id));
  return queries
    .update(attestations)
    .set({ revokedAt: clock.date() })
    .where(and(own, which, isNull(attestations.revokedAt)))
    .returning({ id: attestations.id, kind: attestations.kind });
}

/**
 * Withdraws the caller's attestation of a kind, or with an id. Runs that need it are rejected from the next
 * request on. Throws `attestation_not_found`.
 */
async function withdrawAttestation(
  context: AccessContext,
  caller: Caller,
  kindOrId: string,
): Promise<Deleted> {
  const { accountId } = caller.actor;
  return context.database.transaction(async (queries) => {
    const named = or(eq(attestations.kind, kindOrId), eq(attestations.id, kindOrId));
    const [row] = await revoke(queries, caller.actor, named);
    if (!row)
      throw new ApiError(
        "attestation_not_found",
        "There is no active attestation of this kind or id to withdraw.",
      );
    await recordAudit(queries, {
      ...byCaller(caller),
      action: "attestation.withdrawn",
      targetId: row.id,
      detail: { kind: row.kind },
    });
    await recordCause(queries, {
      cause: "attestation.withdrawn",
      accountId,
      subjectId: row.id,
      data: { name: caller.actor.name, kind: row.kind },
    });
    return { id: row.id, object: "attestation", deleted: true };
  });
}

function attestationView(row: typeof attestations.$inferSelect, userName: string): Attestation {
  const kind = row.kind as AttestationKind;
  const statement = statements[kind];
  const language = row.language ?? "en";
  const text = statement.translations[language]?.statement ?? statement.statement;
  return {
    id: row.id,
    object: "attestation",
    kind,
    statement_version: row.statementVersion,
    statement: statement.version === row.statementVersion ? text : "An earlier wording of this statement.",
    language,
    user_id: row.userId,
    user_name: userName,
    ip: row.ip,
    created_at: row.createdAt.toISOString(),
    revoked_at: row.revokedAt?.toISOString() ?? null,
  };
}
