import type { CatalogModel, RegionName } from "#contract/catalog.ts";
import { type Incident, incidentRoutes, type Status, statusRoutes } from "#contract/status.ts";
import { type ServiceState, statusDays } from "#contract/status-constants.ts";
import type { Viewer } from "#gateway/models/catalog/entry.ts";
import type { MonitoringContext } from "#gateway/monitoring/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { Remembered } from "#gateway/platform/core/remembered.ts";
import { isDatabaseUnavailable } from "#gateway/platform/database/failed-query.ts";
import {
  type Outcome,
  type OutcomeRow,
  readOutcomes,
  startOf,
  stepMs,
} from "#gateway/platform/figures/read.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import {
  correctIncident,
  createIncident,
  deleteIncident,
  listIncidents,
  readRecentIncidents,
  updateIncident,
} from "./incidents.ts";

const publicMaxAgeSeconds = 15;

/** The status of models and regions, and the incidents that operators write. */
export function installStatus(app: App, context: MonitoringContext): void {
  const board = new StatusBoard(context);
  serve(app, context, statusRoutes, {
    "GET /status": ({ caller }) => board.read(caller.actor.accountId),
    "GET /public/status": (request, reply) => {
      if (!context.config.publicStatus)
        throw new ApiError("route_not_found", `There is no GET ${request.url.split("?")[0]}.`);
      reply.header("cache-control", `public, max-age=${publicMaxAgeSeconds}`);
      return board.read(null);
    },
  });
  serve(app, context, incidentRoutes, {
    "GET /operator/incidents": (request) => listIncidents(context, request.query),
    "POST /operator/incidents": (request) => createIncident(context, request.caller, request.body),
    "PATCH /operator/incidents/{id}": (request) =>
      correctIncident(context, request.caller, request.params.id, request.body),
    "DELETE /operator/incidents/{id}": (request) =>
      deleteIncident(context, request.caller, request.params.id),
    "POST /operator/incidents/{id}/updates": (request) =>
      updateIncident(context, request.caller, request.params.id, request.body),
  });
}

/** How long figures and, for visitors who are not signed in, incidents are cached. */
const figuresMaxAgeMs = 30_000;
const incidentsMaxAgeMs = 5_000;

interface Figures {
  /** The start of each day, oldest first. */
  days: number[];
  runs: ReadonlyMap<string, OutcomeRow[]>;
  /** By region. */
  tries: ReadonlyMap<string, OutcomeRow[]>;
}

/**
 * The current and past status of models and regions, as far as the viewer is allowed to see it. Serves the
 * last data read while the database is unavailable.
 */
class StatusBoard {
  readonly #context: MonitoringContext;
  readonly #figures: Remembered<Figures>;
  readonly #incidents: Remembered<Incident[]>;

  constructor(context: MonitoringContext) {
    this.#context = context;
    this.#figures = new Remembered(() => readFigures(context), figuresMaxAgeMs, isDatabaseUnavailable);
    this.#incidents = new Remembered(
      () => readRecentIncidents(context.database.queries),
      incidentsMaxAgeMs,
      isDatabaseUnavailable,
    );
  }

  /** What an account sees; null: what every account sees. */
  async read(viewer: Extract<Viewer, string | null>): Promise<Status> {
    const { catalog } = this.#context;
    const [{ days, runs, tries }, incidents] = await Promise.all([
      this.#figures.read(),
      viewer === null ? this.#incidents.read() : this.#incidents.readNow(),
    ]);
    const listed = catalog.list({}, viewer).data;
    const known = new Set(listed.map(({ id }) => id));
    const places = placesOf(listed);
    const byModel = Map.groupBy(places, ({ model }) => model);
    const byRegion = Map.groupBy(places, ({ region }) => region);
    return {
      object: "status",
      at: clock.date().toISOString(),
      state: stateOf(places),
      models: listed.flatMap(({ id, display_name: name }) => {
        const here = byModel.get(id);
        if (!here) return [];
        const past = sharesOf(runs.get(id) ?? [], days);
        return [
          { model: id, ...(name !== undefined && { display_name: name }), state: stateOf(here), ...past },
        ];
      }),
      regions: catalog.regions(viewer).data.flatMap(({ id: region, name }) => {
        const here = byRegion.get(region);
        if (!here) return [];
        // Counts only tries of models that the viewer sees, because the share must reveal nothing about other
        // models.
        const seen = (tries.get(region) ?? []).filter(({ model }) => known.has(model));
        return [{ region, name, state: stateOf(here), ...sharesOf(seen, days) }];
      }),
      incidents: incidents.flatMap((incident) => seenOf(incident, known)),
    };
  }
}

/** The incident without models that the viewer does not see; empty if it affects only those. */
function seenOf(incident: Incident, known: ReadonlySet<string>): Incident[] {
  const models = incident.models.filter((model) => known.has(model));
  return incident.models.length > 0 && models.length === 0 ? [] : [{ ...incident, models }];
}

async function readFigures({ database }: MonitoringContext): Promise<Figures> {
  const today = startOf("day", clock.now());
  const days = Array.from(
    { length: statusDays },
    (_, index) => today - (statusDays - 1 - index) * stepMs.day,
  );
  const from = days[0] ?? today;
  const [runs, tries] = await Promise.all([
    readOutcomes(database, "model", ["answer", "run"], from),
    readOutcomes(database, "try", ["try"], from),
  ]);
  return {
    days,
    runs: Map.groupBy(runs, ({ model }) => model),
    tries: Map.groupBy(tries, ({ region }) => region),
  };
}

/** The state of a model in one region. Regions without a provider of the model are left out. */
interface Place {
  model: string;
  region: RegionName;
  status: string;
}

/** Where the models run, with the state of the circuit breakers. */
function placesOf(models: readonly CatalogModel[]): Place[] {
  return models.flatMap(({ id, operations }) => {
    const here = new Map<RegionName, string>();
    for (const { deployments } of operations)
      for (const { gateway_region: region, status, svc_served_by: server } of deployments)
        if (server !== "none") here.set(region, status);
    return [...here].map(([region, status]) => ({ model: id, region, status }));
  });
}

/** The combined state of the places where models run. */
function stateOf(places: readonly Place[]): ServiceState {
  if (places.every(({ status }) => status === "healthy")) return "operational";
  return places.every(({ status }) => status === "unhealthy") ? "down" : "degraded";
}

/**
 * With fewer runs, shares are rounded down to tenths, because a more exact share would reveal the number of
 * runs.
 */
const fewRuns = 20;
const [tenths, thousandths] = [10, 1000];

/**
 * The share of runs that succeeded, not counting those that failed by the caller's fault; null without runs.
 * Rounded down, so that 1 means no faults.
 */
export function shareOf({ good, faults }: Outcome): number | null {
  const runs = good + faults;
  if (runs === 0) return null;
  const steps = runs < fewRuns ? tenths : thousandths;
  return Math.floor((good * steps) / runs) / steps;
}

/** The share for each day, and for all days together. */
export function sharesOf(
  rows: readonly OutcomeRow[],
  days: readonly number[],
): { share: number | null; days: { day: string; share: number | null }[] } {
  const byDay = new Map(days.map((day) => [day, { good: 0, faults: 0 }]));
  const total = { good: 0, faults: 0 };
  for (const { at, good, faults } of rows) {
    const day = byDay.get(at);
    if (!day) continue;
    for (const sum of [day, total]) {
      sum.good += good;
      sum.faults += faults;
    }
  }
  return {
    share: shareOf(total),
    days: [...byDay].map(([at, sum]) => ({
      day: new Date(at).toISOString().slice(0, 10),
      share: shareOf(sum),
    })),
  };
}
