import type { AuditAction } from "#contract/audit.ts";
import { newId } from "#contract/ids.ts";
import type { Deleted } from "#contract/list.ts";
import type { Incident, IncidentChange, IncidentCreate, IncidentUpdateCreate } from "#contract/status.ts";
import { incidentBounds } from "#contract/status-constants.ts";
import { recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { everyone } from "#gateway/models/catalog/offered-entry.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, count, eq, isNull, ne, sql } from "#gateway/platform/database/drizzle.ts";
import { incidents, incidentUpdates } from "#gateway/platform/database/schema.ts";
import { withUpdates } from "./read.ts";

type IncidentRow = typeof incidents.$inferSelect;

const dayMs = 86_400_000;
/** Two that open at once count each other. */
const openLock = 7_274_116;

/** Writes an incident with its first update. Throws `invalid_parameter` and `too_many_incidents`. */
export function createIncident(context: Context, caller: Caller, input: IncidentCreate): Promise<Incident> {
  const { impact, models = [], regions = [], status = "investigating", text } = input;
  assertModels(context, models);
  const now = clock.date();
  const startedAt = input.started_at === undefined ? now : startOf(input.started_at);
  return context.database.transaction(async (queries) => {
    const id = newId("incident");
    if (status !== "resolved") await assertRoom(queries, id);
    const [row] = await queries
      .insert(incidents)
      .values({
        id,
        title: input.title.trim(),
        impact,
        models,
        regions,
        startedAt,
        resolvedAt: status === "resolved" ? now : null,
        createdAt: now,
      })
      .returning();
    await writeUpdate(queries, id, { status, text });
    return saved(queries, caller, "incident.created", row, { status });
  });
}

/** Says how an incident goes on. Throws `incident_not_found`, `too_many_incident_updates`, and `too_many_incidents` where it opens again. */
export function updateIncident(
  { database }: Context,
  caller: Caller,
  id: string,
  input: IncidentUpdateCreate,
): Promise<Incident> {
  const { status } = input;
  return database.transaction(async (queries) => {
    const [known] = await queries.select().from(incidents).where(eq(incidents.id, id)).for("update");
    if (!known) throw notFound();
    const [written] = await queries
      .select({ count: count() })
      .from(incidentUpdates)
      .where(eq(incidentUpdates.incidentId, id));
    if ((written?.count ?? 0) >= incidentBounds.updates)
      throw new ApiError(
        "too_many_incident_updates",
        `An incident has ${incidentBounds.updates} updates at most. Write a new one.`,
      );
    if (status !== "resolved" && known.resolvedAt !== null) await assertRoom(queries, id);
    await writeUpdate(queries, id, input);
    const resolvedAt = status === "resolved" ? (known.resolvedAt ?? clock.date()) : null;
    const [row] = await queries.update(incidents).set({ resolvedAt }).where(eq(incidents.id, id)).returning();
    return saved(queries, caller, "incident_update.created", row, { status });
  });
}

/** Corrects what was said of an incident. Throws `incident_not_found` and `invalid_parameter`. */
export function correctIncident(
  context: Context,
  caller: Caller,
  id: string,
  { title, impact, models, regions, started_at }: IncidentChange,
): Promise<Incident> {
  if (models) assertModels(context, models);
  const startedAt = started_at === undefined ? undefined : startOf(started_at);
  return context.database.transaction(async (queries) => {
    const [row] = await queries
      .update(incidents)
      .set({
        ...(title !== undefined && { title: title.trim() }),
        ...(impact && { impact }),
        ...(models && { models }),
        ...(regions && { regions }),
        ...(startedAt && { startedAt }),
      })
      .where(eq(incidents.id, id))
      .returning();
    return saved(queries, caller, "incident.updated", row);
  });
}

/** Throws `incident_not_found`. */
export async function deleteIncident({ database }: Context, caller: Caller, id: string): Promise<Deleted> {
  await database.transaction(async (queries) => {
    const [row] = await queries.delete(incidents).where(eq(incidents.id, id)).returning();
    await saved(queries, caller, "incident.deleted", row);
  });
  return { id, object: "incident", deleted: true };
}

/** Throws `invalid_parameter` for a model that there is not. */
function assertModels({ catalog }: Context, models: readonly string[]): void {
  const at = models.findIndex((model) => !catalog.has(model, everyone));
  if (at >= 0)
    throw new ApiError("invalid_parameter", `There is no model "${models[at]}".`, { param: `models[${at}]` });
}

function startOf(text: string): Date {
  const at = new Date(text);
  if (Math.abs(at.getTime() - clock.now()) > incidentBounds.startDays * dayMs)
    throw new ApiError(
      "invalid_parameter",
      `started_at is more than ${incidentBounds.startDays} days away from now.`,
      { param: "started_at" },
    );
  return at;
}

async function assertRoom(queries: Queries, id: string): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(${openLock})`);
  const [open] = await queries
    .select({ count: count() })
    .from(incidents)
    .where(and(isNull(incidents.resolvedAt), ne(incidents.id, id)));
  if ((open?.count ?? 0) >= incidentBounds.open)
    throw new ApiError(
      "too_many_incidents",
      `${incidentBounds.open} incidents at most are open at once. Resolve or delete one first.`,
    );
}

async function writeUpdate(
  queries: Queries,
  incidentId: string,
  { status, text }: IncidentUpdateCreate,
): Promise<void> {
  const id = newId("incidentUpdate");
  await queries
    .insert(incidentUpdates)
    .values({ id, incidentId, status, text: text.trim(), at: clock.date() });
}

async function saved(
  queries: Queries,
  { actor, ip, requestId }: Caller,
  action: Extract<AuditAction, `incident${string}`>,
  row: IncidentRow | undefined,
  more: Record<string, unknown> = {},
): Promise<Incident> {
  if (!row) throw notFound();
  const { title, impact, models, regions } = row;
  await recordAudit(queries, {
    accountId: actor.accountId,
    actor,
    action,
    targetId: row.id,
    detail: { title, impact, models, regions, started_at: row.startedAt.toISOString(), ...more },
    ip,
    requestId,
  });
  const [incident] = await withUpdates(queries, [row]);
  if (!incident) throw notFound();
  return incident;
}

function notFound(): ApiError {
  return new ApiError("incident_not_found", "There is no such incident.");
}
