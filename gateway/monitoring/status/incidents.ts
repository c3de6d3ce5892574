import { newId } from "#contract/ids.ts";
import { type Deleted, deleted, type List, type PageQuery } from "#contract/list.ts";
import type { Incident, IncidentChange, IncidentCreate, IncidentUpdateCreate } from "#contract/status.ts";
import { incidentBounds, statusDays } from "#contract/status-constants.ts";
import { audited, type Change } from "#gateway/access/accounts/audit.ts";
import { everyone } from "#gateway/models/catalog/entry.ts";
import type { MonitoringContext } from "#gateway/monitoring/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import {
  and,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  ne,
  sql,
} from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { incidents, incidentUpdates } from "#gateway/platform/database/schema.ts";

type IncidentContext = Pick<MonitoringContext, "database" | "catalog">;
type IncidentRow = typeof incidents.$inferSelect;
type UpdateRow = typeof incidentUpdates.$inferSelect;

const dayMs = 86_400_000;
/**
 * The number of a database lock, chosen arbitrarily. It makes incidents open one at a time, so that each is
 * counted before the next.
 */
const openLock = 7_274_116;

/** A page of all incidents, the most recently written first. Throws as `keyset`. */
export function listIncidents({ database }: IncidentContext, query: PageQuery): Promise<List<Incident>> {
  const { queries } = database;
  const page = keyset("incident", incidents.id, query, []);
  return readPage(queries, page, queries.select().from(incidents).$dynamic(), (rows) =>
    withUpdates(queries, rows),
  );
}

/**
 * The incidents on the status page: current and announced ones, then those resolved within `statusDays`; each
 * group starts with the latest.
 */
export async function readRecentIncidents(queries: Queries): Promise<Incident[]> {
  const since = new Date(clock.now() - statusDays * dayMs);
  const read = (isOpen: boolean) =>
    queries
      .select()
      .from(incidents)
      .where(
        isOpen
          ? isNull(incidents.resolvedAt)
          : and(isNotNull(incidents.resolvedAt), gte(incidents.resolvedAt, since)),
      )
      .orderBy(desc(incidents.startedAt), desc(incidents.id))
      .limit(isOpen ? incidentBounds.open : incidentBounds.past);
  const [open, past] = [await read(true), await read(false)];
  return withUpdates(queries, [...open, ...past]);
}

/** Creates an incident with its first update. Throws `invalid_parameter` and `too_many_incidents`. */
export function createIncident(
  context: IncidentContext,
  caller: Caller,
  input: IncidentCreate,
): Promise<Incident> {
  const { impact, models = [], regions = [], status = "investigating", text } = input;
  assertModels(context, models);
  const now = clock.date();
  const startedAt = input.started_at === undefined ? now : startOf(input.started_at);
  return audited(context, caller, "incident.created", async (queries) => {
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
    return changed(queries, row, { status });
  });
}

/**
 * Adds an update to an incident. Throws `incident_not_found`, `too_many_incident_updates`, and
 * `too_many_incidents` if it reopens one.
 */
export function updateIncident(
  { database }: IncidentContext,
  caller: Caller,
  id: string,
  input: IncidentUpdateCreate,
): Promise<Incident> {
  const { status } = input;
  return audited({ database }, caller, "incident_update.created", async (queries) => {
    const [known] = await queries.select().from(incidents).where(eq(incidents.id, id)).for("update");
    if (!known) throw notFound();
    const written = await queries.$count(incidentUpdates, eq(incidentUpdates.incidentId, id));
    if (written >= incidentBounds.updates)
      throw new ApiError(
        "too_many_incident_updates",
        `An incident can have at most ${incidentBounds.updates} updates. Create a new incident.`,
      );
    if (status !== "resolved" && known.resolvedAt !== null) await assertRoom(queries, id);
    await writeUpdate(queries, id, input);
    const resolvedAt = status === "resolved" ? (known.resolvedAt ?? clock.date()) : null;
    const [row] = await queries.update(incidents).set({ resolvedAt }).where(eq(incidents.id, id)).returning();
    return changed(queries, row, { status });
  });
}

/** Corrects an incident's text or details. Throws `incident_not_found` and `invalid_parameter`. */
export function correctIncident(
  context: IncidentContext,
  caller: Caller,
  id: string,
  { title, impact, models, regions, started_at }: IncidentChange,
): Promise<Incident> {
  if (models) assertModels(context, models);
  const startedAt = started_at === undefined ? undefined : startOf(started_at);
  return audited(context, caller, "incident.updated", async (queries) => {
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
    return changed(queries, row);
  });
}

/** Throws `incident_not_found`. */
export function deleteIncident({ database }: IncidentContext, caller: Caller, id: string): Promise<Deleted> {
  return audited({ database }, caller, "incident.deleted", async (queries) => {
    const [row] = await queries.delete(incidents).where(eq(incidents.id, id)).returning();
    return { ...(await changed(queries, row)), result: deleted("incident", id) };
  });
}

/** Throws `invalid_parameter` for an unknown model. */
function assertModels({ catalog }: IncidentContext, models: readonly string[]): void {
  const at = models.findIndex((model) => !catalog.has(model, everyone));
  if (at >= 0)
    throw invalidParameter(`models[${at}]`, `There is no model "${models[at]}". GET /v1/models lists them.`);
}

function startOf(text: string): Date {
  const at = new Date(text);
  if (Math.abs(at.getTime() - clock.now()) > incidentBounds.startDays * dayMs)
    throw invalidParameter(
      "started_at",
      `started_at is more than ${incidentBounds.startDays} days away from now.`,
    );
  return at;
}

async function assertRoom(queries: Queries, id: string): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(${openLock})`);
  const open = await queries.$count(incidents, and(isNull(incidents.resolvedAt), ne(incidents.id, id)));
  if (open >= incidentBounds.open)
    throw new ApiError(
      "too_many_incidents",
      `At most ${incidentBounds.open} incidents can be open at once. Resolve or delete one first.`,
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

/** Throws `incident_not_found`. */
async function changed(
  queries: Queries,
  row: IncidentRow | undefined,
  more: Record<string, unknown> = {},
): Promise<Change<Incident>> {
  const [result] = row ? await withUpdates(queries, [row]) : [];
  if (!row || !result) throw notFound();
  const { id, title, impact, models, regions, startedAt } = row;
  const started_at = startedAt.toISOString();
  return { target: id, detail: { title, impact, models, regions, started_at, ...more }, result };
}

function notFound(): ApiError {
  return new ApiError("incident_not_found", "There is no such incident.");
}

/** The incidents as published, in the order of the rows. */
async function withUpdates(queries: Queries, rows: readonly IncidentRow[]): Promise<Incident[]> {
  if (rows.length === 0) return [];
  const updates = await queries
    .select()
    .from(incidentUpdates)
    .where(
      inArray(
        incidentUpdates.incidentId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(desc(incidentUpdates.id));
  const byIncident = Map.groupBy(updates, ({ incidentId }) => incidentId);
  return rows.map((row) => incidentView(row, byIncident.get(row.id) ?? []));
}

function incidentView(row: IncidentRow, updates: readonly UpdateRow[]): Incident {
  return {
    id: row.id,
    object: "incident",
    title: row.title,
    impact: row.impact,
    status: updates[0]?.status ?? "investigating",
    models: row.models,
    regions: row.regions,
    started_at: row.startedAt.toISOString(),
    resolved_at: row.resolvedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    updates: updates.map(({ id, status, text, at }) => ({
      id,
      object: "incident_update",
      status,
      text,
      at: at.toISOString(),
    })),
  };
}
