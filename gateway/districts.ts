import { access } from "./access/district.ts";
import { billing } from "./billing/district.ts";
import type { EdgesContext } from "./edges/context.ts";
import { edges } from "./edges/district.ts";
import { events } from "./events/district.ts";
import { announceReached, emitReached } from "./events/webhooks/news.ts";
import { files } from "./files/district.ts";
import { createCatalog } from "./models/catalog/load.ts";
import { listProviders } from "./models/configuration/providers/view.ts";
import type { ModelsContext } from "./models/context.ts";
import { models } from "./models/district.ts";
import type { MonitoringContext } from "./monitoring/context.ts";
import { monitoring } from "./monitoring/district.ts";
import type { PlatformContext } from "./platform/context.ts";
import type { Sweep } from "./platform/core/sweeps.ts";
import { type Ground, platform } from "./platform/district.ts";
import type { District, Started, WorkerOptions } from "./platform/door.ts";
import type { App } from "./platform/http/app.ts";
import type { RunsContext } from "./runs/context.ts";
import { runs } from "./runs/district.ts";
import { createSandbox } from "./sandbox/provider.ts";
import { workspace } from "./workspace/district.ts";

/** The services of all districts, for the steps of every request and for tests. */
export type Context = EdgesContext & MonitoringContext & RunsContext & ModelsContext;

/** The open districts. Each of these functions has the context of its own district, and no more. */
export interface Districts {
  context: Context;
  contexts: Map<unknown, PlatformContext>;
  routes: ((v1: App) => void)[];
  rootRoutes: ((app: App) => void | Promise<void>)[];
  workers: ((options: WorkerOptions) => Started | Promise<Started>)[];
  /** Closes in the reverse order of opening, and the database last. */
  close(): Promise<void>;
}

/**
 * Opens the districts from the ground up, and says what each gets from those below it. If one cannot be
 * opened, those before it are closed; the database stays open.
 */
export async function openDistricts(ground: Ground): Promise<Districts> {
  const { config, database } = ground;
  const kept: { close(): unknown }[] = [];
  const closeKept = async (): Promise<void> => {
    for (let service = kept.pop(); service; service = kept.pop()) await service.close();
  };
  const sweeps: Sweep<unknown>[] = [];
  const opened: Omit<Districts, "context" | "close"> = {
    contexts: new Map(),
    routes: [],
    rootRoutes: [],
    workers: [],
  };
  const open = async <Below, Own extends PlatformContext>(
    district: District<Below, Own>,
    below: Below,
  ): Promise<Own> => {
    const own = await district.open(below, (service) => {
      kept.push(service);
      return service;
    });
    opened.contexts.set(district, own);
    for (const add of district.routes ?? []) opened.routes.push((v1) => add(v1, own));
    for (const add of district.rootRoutes ?? []) opened.rootRoutes.push((app) => add(app, own));
    for (const start of district.workers ?? []) opened.workers.push((options) => start(own, options));
    for (const { kind, run, oldestDue } of district.sweeps ?? [])
      sweeps.push({ kind, run: () => run(own), oldestDue: () => oldestDue(own) });
    return own;
  };
  try {
    // Keys name models, so the catalog is there before the district that fills it.
    const catalog = createCatalog();
    const ofPlatform = await open(platform, ground);
    const ofBilling = await open(billing, {
      ...ofPlatform,
      teller: {
        write: (queries, reached) => emitReached(queries, reached, config.retentionMs),
        announce: (reached) => announceReached(database, reached),
      },
    });
    const ofAccess = await open(access, { ...ofBilling, catalog });
    const ofFiles = await open(files, ofAccess);
    const ofModels = await open(models, { ...ofFiles, catalog, sandbox: createSandbox(ofFiles) });
    const ofEvents = await open(events, { ...ofFiles, catalog });
    const { aliases, providers, health } = ofModels;
    const configuration = { refresh: ofModels.configuration.refresh };
    const ofRuns = await open(runs, { ...ofEvents, aliases, providers, health, configuration });
    const { signer, changes } = ofRuns;
    const ofMonitoring = await open(monitoring, { ...ofEvents, signer, sweeps });
    await open(workspace, ofEvents);
    const ofEdges = await open(edges, {
      ...ofEvents,
      aliases,
      changes,
      listProviders: () => listProviders(ofModels),
    });
    return {
      ...opened,
      context: { ...ofEdges, ...ofMonitoring, ...ofRuns, ...ofModels },
      async close() {
        await closeKept();
        await database.close();
      },
    };
  } catch (error) {
    await closeKept();
    throw error;
  }
}
