import type { Incident, Status } from "#contract/status.ts";
import { statusDays } from "#contract/status-constants.ts";
import type { Context } from "#gateway/context.ts";
import type { Viewer } from "#gateway/models/catalog/offered-entry.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { Remembered } from "#gateway/platform/core/remembered.ts";
import { isDatabaseUnavailable } from "#gateway/platform/database/unavailable.ts";
import { type OutcomeRow, readOutcomes } from "#gateway/platform/figures/outcomes.ts";
import { startOf, stepMs } from "#gateway/platform/figures/read.ts";
import { readRecentIncidents } from "./incidents/read.ts";
import { sharesOf } from "./shares.ts";
import { placesOf, stateOf } from "./states.ts";

/** Figures and, for who is not signed in, incidents are read again after so long, however many ask. */
const figuresMaxAgeMs = 30_000;
const incidentsMaxAgeMs = 5_000;

interface Figures {
  /** The starts of the days, oldest first. */
  days: number[];
  runs: ReadonlyMap<string, OutcomeRow[]>;
  /** By region. */
  tries: ReadonlyMap<string, OutcomeRow[]>;
}

/** How models and regions do and did, as one who looks may know it. While the database is away, as it was read last. */
export class StatusBoard {
  readonly #context: Context;
  readonly #figures: Remembered<Figures>;
  readonly #incidents: Remembered<Incident[]>;

  constructor(context: Context) {
    this.#context = context;
    this.#figures = new Remembered(() => readFigures(context), figuresMaxAgeMs, isDatabaseUnavailable);
    this.#incidents = new Remembered(
      () => readRecentIncidents(context.database.queries),
      incidentsMaxAgeMs,
      isDatabaseUnavailable,
    );
  }

  /** What an account sees; null: what all accounts see. */
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
        // Of the models that the viewer sees: others' are not theirs to know of.
        const seen = (tries.get(region) ?? []).filter(({ model }) => known.has(model));
        return [{ region, name, state: stateOf(here), ...sharesOf(seen, days) }];
      }),
      incidents: incidents.flatMap((incident) => seenOf(incident, known)),
    };
  }
}

/** An incident without the models that the viewer does not see; nothing where it concerns these alone. */
function seenOf(incident: Incident, known: ReadonlySet<string>): Incident[] {
  const models = incident.models.filter((model) => known.has(model));
  return incident.models.length > 0 && models.length === 0 ? [] : [{ ...incident, models }];
}

async function readFigures({ database }: Context): Promise<Figures> {
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
