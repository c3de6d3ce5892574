import { randomBytes } from "node:crypto";
import type { RegionName } from "#contract/catalog.ts";
import { attesterOf, enforceAttestations } from "#gateway/access/accounts/attestations/gates.ts";
import { emitCallback } from "#gateway/events/webhooks/callbacks.ts";
import { deliveriesChannel } from "#gateway/events/webhooks/events.ts";
import { fileUrl, inputKey } from "#gateway/files/storage/signed-urls.ts";
import { StoreFullError } from "#gateway/files/storage/store-room.ts";
import { operationOfRun } from "#gateway/models/configuration/models/revisions.ts";
import { sandboxName } from "#gateway/models/providers/file/check.ts";
import type { ProviderRequest, ProviderStatus } from "#gateway/models/providers/provider.ts";
import type { Routes } from "#gateway/models/providers/providers.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Lease } from "#gateway/platform/core/leased-loop.ts";
import {
  isUpstreamFailure,
  type ProviderError,
  type ProviderRef,
} from "#gateway/platform/core/provider-error.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { predictions } from "#gateway/platform/database/schema.ts";
import { RunTrace } from "#gateway/platform/http/run-trace.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { Attempts } from "#gateway/runs/operations/attempts.ts";
import { dispatch } from "#gateway/runs/operations/dispatch.ts";
import { storeOutputs, usageOf } from "#gateway/runs/operations/outputs.ts";
import { wishOf } from "#gateway/runs/operations/provider-wishes.ts";
import {
  countFailedStart,
  outcomeUnknown,
  quietWaitMs,
  retryUntilSaved,
} from "#gateway/runs/operations/unattended-run.ts";
import { cancelUpstream } from "./cancel.ts";
import { endSucceeded } from "./end-succeeded.ts";
import { ordinaryLease, soleHolderLease, updateLeased } from "./lease.ts";
import { timelineRow } from "./remove-data.ts";
import { materialise, nameOutputs } from "./run-files.ts";

import { callbackNews, hasCallback, type Outcome, settle } from "./settle.ts";
import type { PredictionRow } from "./view.ts";

/** How often an upstream is polled: as it suggests, otherwise less often the longer the run takes. */
const pollMs = { first: 1_000, max: 15_000, agePart: 10 } as const;

/** Distinguishes the signed files of different attempts. */
const attemptBytes = 4;

/**
 * A run whose result arrives in this process: the lease is renewed meanwhile, but the run occupies no slot.
 */
export interface Held {
  row: PredictionRow;
  /** Ends the prediction once the result is there. Returns the milliseconds until a further step, if there is one. */
  finish: () => Promise<number | null>;
}

/**
 * Takes a leased prediction one step further: starts, polls or settles it. Returns the milliseconds until the
 * next step; null when it is settled or no longer ours.
 */
export async function advance(
  context: RunsContext,
  row: PredictionRow,
  lease: Lease,
): Promise<number | null | Held> {
  if (context.config.quiet && (await isAway(context, row))) return quietWaitMs;
  if (!row.unchecked && row.deadlineAt.getTime() <= clock.now()) {
    await cancelUpstream(context, row);
    const isFull = context.storeRoom.fullSince !== null;
    return end(context, row, {
      status: "failed",
      code: isFull ? "service_unavailable" : "upstream_timeout",
      message: isFull
        ? "The run exceeded its time limit while this gateway's disk or object store was full."
        : "The run exceeded its time limit.",
    });
  }
  const request = await requestOf(context, row, lease.signal);
  if (!request)
    return end(context, row, {
      status: "failed",
      code: "model_not_found",
      message: `${row.model} is no longer in the catalog.`,
    });
  if (row.unchecked) return endSucceeded(context, row, request, row.outputs ?? [], row.unchecked);
  return row.providerRef ? poll(context, row, row.providerRef, request) : start(context, row, request, lease);
}

/** Whether the run is at an upstream, or will be sent to one. */
async function isAway(context: RunsContext, row: PredictionRow): Promise<boolean> {
  if (row.providerRef) return row.providerRef.provider !== sandboxName;
  const run = await operationOfRun(context, row);
  return run !== null && context.providers.regions(run.model, run.operation) !== null;
}

async function end(context: RunsContext, row: PredictionRow, outcome: Outcome): Promise<null> {
  await settle(context, row.id, outcome);
  return null;
}

async function requestOf(
  context: RunsContext,
  row: PredictionRow,
  signal: AbortSignal,
): Promise<ProviderRequest | null> {
  const compiled = await operationOfRun(context, row);
  if (!compiled) return null;
  return {
    id: row.id,
    accountId: row.accountId,
    model: compiled.model,
    operation: compiled.operation,
    engine: compiled.engine,
    outputField: compiled.outputField,
    region: row.svcRegion as RegionName,
    input: row.input ?? {},
    media: await materialise(context, row.id, row.media),
    mediaUrl: async ({ path }) => {
      const stored = row.media.find((input) => input.path === path);
      if (!stored) throw new Error(`The run has no stored input ${path}`);
      return fileUrl(context, inputKey(stored.key), { expiresAt: row.deadlineAt });
    },
    signal,
    log: context.log.child({ prediction: row.id }),
  };
}

async function start(
  context: RunsContext,
  row: PredictionRow,
  request: ProviderRequest,
  { isSoleHolder: tell }: Lease,
): Promise<number | null | Held> {
  const routes = await routesOf(context, row);
  const [first] = routes.route(request.model, request.operation, request.region);
  const mustNot =
    row.dispatchedAt && !first?.restartable
      ? outcomeUnknown(
          "The gateway stopped while it was sending this run to the provider, so whether it ran is unknown.",
        )
      : await closedGate(context, row, request);
  if (mustNot) return end(context, row, { status: "failed", code: mustNot.code, message: mustNot.message });
  const startedAt = clock.date();
  const record = (values: Parameters<typeof updateLeased>[2]) =>
    retryUntilSaved(request, row.deadlineAt, () => updateLeased(context, row.id, values));
  const isSoleHolder = !first?.restartable;
  tell(isSoleHolder);
  const before = row.timeline.filter(({ event }) => event !== "started");
  // Written before the call, so that a cancel or failure during the call shows that the upstream was called.
  const starting = {
    dispatchedAt: startedAt,
    startedAt,
    timeline: [...before, timelineRow("started", { region: row.svcRegion }, startedAt)],
  };
  if (!(await record({ ...starting, ...(isSoleHolder && soleHolderLease) }))) return null;
  const served = await startAtProvider(context, row, request, routes, (provider) => record({ provider }));
  const { provider, region, result } = served;
  const { key } = served.request;
  const acceptedAt = clock.date();
  const ref = key === undefined ? result.ref : { ...result.ref, key };
  const hasMoved = region !== row.svcRegion;
  const { result: later } = result;
  const ours = await record({
    ...(later ? soleHolderLease : ordinaryLease),
    status: "processing",
    startedAt,
    ...(hasMoved && { svcRegion: region }),
    providerRef: ref,
    provider: provider.id,
    sandbox: provider.sandbox,
    timeline: [
      ...before,
      timelineRow("started", { region, ...(hasMoved && { instead_of: row.svcRegion }) }, startedAt),
      timelineRow("provider_accepted", { provider: provider.id }, acceptedAt),
    ],
  });
  if (!ours) {
    await provider.cancel(ref, { ...request, region });
    return null;
  }
  context.changes.announce(row.id);
  if (hasCallback(row)) await sendStarted(context, row.id);
  tell(later !== undefined);
  if (!later) return result.pollAfterMs ?? pollMs.first;
  const started = { ...row, svcRegion: region, providerRef: ref, startedAt };
  return {
    row: started,
    finish: async () => {
      const status = await later;
      return retryUntilSaved(request, row.deadlineAt, () =>
        conclude(context, started, status, request, row.deadlineAt.getTime()),
      );
    },
  };
}

/** Starts the job at one of the providers, and counts those that refused it; `refused` gets the last of them if all did. */
async function startAtProvider(
  context: RunsContext,
  row: PredictionRow,
  request: ProviderRequest,
  routes: Routes,
  refused: (provider: string | null) => Promise<unknown>,
) {
  const trace = new RunTrace();
  const countStart = () =>
    retryUntilSaved(request, row.deadlineAt, () => countFailedStart(context, row.accountId, trace));
  const served = await dispatch(context, {
    request,
    otherRegions: row.otherRegions ?? [],
    routes,
    isAccepted: true,
    attempts: new Attempts(context, trace),
    run: (call) => call.provider.start(call.request),
  }).catch(async (error: unknown) => {
    await refused(trace.provider);
    await countStart();
    throw error;
  });
  await countStart();
  return served;
}

/** The current routes, as the request wished them. */
async function routesOf(context: RunsContext, { accountId, input, wishes }: PredictionRow): Promise<Routes> {
  const routes = context.providers.routes();
  return wishes ? routes.wishing(await wishOf(context, wishes, { accountId, input: input ?? {} })) : routes;
}

/** Sends the callback an event that the run has started. This event may be lost; the final event is not. */
async function sendStarted(context: RunsContext, id: string): Promise<void> {
  const { database, log } = context;
  try {
    await database.transaction(async (queries) => {
      const [row] = await queries.select().from(predictions).where(eq(predictions.id, id));
      if (row?.status === "processing")
        await emitCallback(context, queries, callbackNews(context, row, "start"));
    });
    database.notify(deliveriesChannel);
  } catch (error) {
    log.warn({ err: error, prediction: id }, "the receiver of a request did not get its start event");
  }
}

/** Why an accepted run may no longer be sent to the provider: a required attestation was withdrawn. */
async function closedGate(
  context: RunsContext,
  row: PredictionRow,
  { model }: ProviderRequest,
): Promise<ApiError | null> {
  const requirements = model.safety_requirements;
  if (!requirements.adult_attestation_required && !requirements.portrait_rights_attestation_required)
    return null;
  try {
    await enforceAttestations(context, await attesterOf(context, row), requirements);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

async function poll(
  context: RunsContext,
  row: PredictionRow,
  ref: ProviderRef,
  request: ProviderRequest,
): Promise<number | null | Held> {
  context.telemetry?.polled(row.id);
  const status = await context.providers.byRef(ref).status(ref, request);
  try {
    return await conclude(context, row, status, request);
  } catch (error) {
    if (!(error instanceof StoreFullError)) throw error;
    const until = row.deadlineAt.getTime();
    return { row, finish: () => conclude(context, row, status, request, until) };
  }
}

/** Stores the outputs of a successful run; while the store is full, retries until `until` (ms). */
async function conclude(
  context: RunsContext,
  row: PredictionRow,
  status: ProviderStatus,
  request: ProviderRequest,
  until?: number,
): Promise<number | null> {
  switch (status.state) {
    case "queued":
    case "running":
      return keepWaiting(context, row, status);
    case "succeeded": {
      const provider = row.providerRef?.provider ?? "";
      const run = {
        request,
        provider: { id: provider, sandbox: provider === sandboxName },
        attempt: randomBytes(attemptBytes).toString("hex"),
      };
      const store = () =>
        storeOutputs(
          context,
          run,
          status.outputs,
          { signal: request.signal, ...(until !== undefined && { until }) },
          (named) => nameOutputs(context, row.id, named),
        );
      const { telemetry } = context;
      const outputs = await (telemetry ? telemetry.step("store outputs", store) : store());
      if (!outputs) return null;
      noteEnd(context, row, null);
      const usage = status.usage ?? usageOf(request.operation, outputs);
      return endSucceeded(context, row, request, outputs, { usage, failures: 0 });
    }
    case "failed":
      noteEnd(context, row, status.error);
      return end(context, row, { status: "failed", code: status.error.code, message: status.error.message });
    case "canceled":
      return end(context, row, { status: "canceled", by: "provider" });
  }
}

/** Reports a job's end to its upstream's breaker. A rejected input does not count as a failure. */
function noteEnd({ health }: RunsContext, row: PredictionRow, error: ProviderError | null): void {
  const provider = row.providerRef?.provider;
  if (!provider || provider === sandboxName) return;
  const where = { provider, model: row.model, region: row.svcRegion as RegionName };
  if (error === null) health.succeeded(where);
  else if (isUpstreamFailure(error.code)) health.failed(where, error.code, error);
}

async function keepWaiting(
  context: RunsContext,
  row: PredictionRow,
  status: Extract<ProviderStatus, { state: "queued" | "running" }>,
): Promise<number> {
  if (status.progress !== undefined && status.progress !== row.progress) {
    await updateLeased(context, row.id, { progress: Math.min(99, Math.max(0, Math.round(status.progress))) });
    context.changes.announce(row.id);
  }
  const ageMs = clock.now() - (row.startedAt ?? row.createdAt).getTime();
  return status.pollAfterMs ?? Math.min(pollMs.max, Math.max(pollMs.first, ageMs / pollMs.agePart));
}
