import type { FastifyRequest } from "fastify";
import { newId } from "#contract/ids.ts";
import type { Queries } from "#gateway/database/database.ts";
import { auditLogs } from "#gateway/database/schema.ts";
import type { Actor } from "#gateway/http/actor.ts";

export interface AuditEntry {
  accountId: string;
  /** Null for what the gateway does by itself. */
  actor: Pick<Actor, "kind" | "id" | "name"> | null;
  /** `<resource>.<past participle>`, e.g. `webhook_endpoint.created`. */
  action: string;
  targetId?: string | null;
  /** Never a secret. */
  detail?: Record<string, unknown>;
  ip?: string | null;
  requestId?: string | null;
}

/** Writes an audit row with the caller's transaction, so that no change stands without its row. */
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

/** Who asks and from where, as every audited verb takes it. */
export interface Caller {
  actor: Actor;
  ip: string | null;
  requestId: string | null;
}

export function callerOf(request: FastifyRequest & { actor: Actor | null }, actor: Actor): Caller {
  return { actor, ip: request.ip, requestId: request.id };
}
