import type { FastifyRequest } from "fastify";
import type { AuditAction } from "#contract/account.ts";
import { newId } from "#contract/ids.ts";
import type { Actor } from "#gateway/core/actor.ts";
import type { Queries } from "#gateway/database/database.ts";
import { agedRowSweep } from "#gateway/database/row-sweep.ts";
import { auditLogs } from "#gateway/database/schema.ts";

export interface AuditEntry {
  accountId: string;
  /** Null for actions of the gateway itself. */
  actor: Pick<Actor, "kind" | "id" | "name"> | null;
  /** `<resource>.<past participle>`, e.g. `webhook_endpoint.created`. */
  action: AuditAction;
  targetId?: string | null;
  /** Never a secret. */
  detail?: Record<string, unknown>;
  ip?: string | null;
  requestId?: string | null;
}

/** Writes an audit row in the caller's transaction, so that no change is saved without its audit row. */
export async function recordAudit(queries: Queries, entry: AuditEntry): Promise<void> {
  await queries.insert(auditLogs).values({
    id: newId("audit"),
    accountId: entry.accountId,
    action: entry.action,
    actorType: entry.actor?.kind ?? "system",
    actorId: entry.actor?.id ?? null,
    actorName: entry.actor?.name ?? "Gatehouse",
    targetId: entry.targetId ?? null,
    detail: entry.detail ?? null,
    ip: entry.ip ?? null,
    requestId: entry.requestId ?? null,
  });
}

/** The caller and its address, as every audited verb takes them. */
export interface Caller {
  actor: Actor;
  ip: string | null;
  requestId: string | null;
}

export function callerOf(request: FastifyRequest & { actor: Actor | null }, actor: Actor): Caller {
  return { actor, ip: request.clientAddress, requestId: request.id };
}

export const auditLogSweep = agedRowSweep({
  kind: "audit_log",
  table: "audit_logs",
  idKind: "audit",
  at: "at",
  days: ({ history }) => history.auditDays,
});
