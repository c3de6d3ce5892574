import type { Incident } from "#contract/status.ts";
import { incidentBounds, statusDays } from "#contract/status-constants.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, desc, gte, inArray, isNotNull, isNull } from "#gateway/platform/database/drizzle.ts";
import { incidents, incidentUpdates } from "#gateway/platform/database/schema.ts";

type IncidentRow = typeof incidents.$inferSelect;
type UpdateRow = typeof incidentUpdates.$inferSelect;

const dayMs = 86_400_000;

/** What the status page shows: what lasts or is announced, then what was resolved in its days; each by its start, the latest first. */
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

/** The incidents as they are published, in the order of the rows. */
export async function withUpdates(queries: Queries, rows: readonly IncidentRow[]): Promise<Incident[]> {
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
