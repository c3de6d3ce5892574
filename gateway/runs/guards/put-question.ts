import type { ApiType } from "#contract/catalog-constants.ts";
import type { GuardStage } from "#contract/guard-constants.ts";
import type { GuardQuestion } from "#contract/guards.ts";
import { newId } from "#contract/ids.ts";
import type { AskedGuard } from "#contract/usage.ts";
import type { AuditedActor } from "#gateway/access/accounts/audit.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import type { ProviderRequest } from "#gateway/models/providers/provider.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { RunTrace } from "#gateway/platform/http/run-trace.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { type GuardOutcome, type NotPassed, type OpenGuard, ownerOf } from "./ask.ts";

/** A run that guards are asked about. */
export interface AskedRun extends Pick<ProviderRequest, "model" | "signal" | "log"> {
  runId: string;
  requestId: string | null;
  accountId: string;
  keyId: string | null;
  userId: string | null;
  /** Null: the gateway's own work, such as a prediction's. */
  actor: AuditedActor | null;
  apiType: ApiType;
  alias: string | null;
  region: string;
  metadata: GuardQuestion["metadata"];
  trace?: RunTrace;
}

/** Whether a guard is asked about this stage of a run, by its operation, model and key. */
export function isAskedAbout(
  { row }: OpenGuard,
  stage: GuardStage,
  { apiType, model, keyId }: { apiType: ApiType; model: { id: string }; keyId: string | null },
): boolean {
  const { stages, operations, models, keyIds, exceptKeyIds } = row;
  if (!stages.includes(stage)) return false;
  if (operations && !operations.includes(apiType)) return false;
  if (models && !models.includes(model.id)) return false;
  if (keyId === null) return keyIds === null;
  return !exceptKeyIds.includes(keyId) && (keyIds?.includes(keyId) ?? true);
}

/** Whether a guard may see contents: not of a gated model if nobody answers for the guard. */
export async function maySee(
  context: RunsContext,
  { row }: OpenGuard,
  { model }: Pick<AskedRun, "model">,
): Promise<boolean> {
  const { adult_attestation_required: adult, portrait_rights_attestation_required: portrait } =
    model.safety_requirements;
  if (!adult && !portrait) return true;
  const { accountId, answeredBy } = row;
  if (answeredBy === null || accountId === null) return answeredBy !== null;
  const clearance = await Clearance.of(context, { accountId, userId: null, answeredBy }, [model.id]);
  return clearance.missing(model.id) === null;
}

/** What a guard sees of a run. */
export type Shown = Pick<GuardQuestion, "input" | "output" | "native" | "files">;

export const nothingShown: Shown = { input: null, output: null, native: null, files: [] };

/**
 * Asks one guard about a stage of a run, and notes its answer in the run's trace, its span and the audit log. `read`
 * reads an answer that lets the run pass; its error is a failure of the guard. Throws `content_blocked`, or
 * `guard_unavailable` if the guard failed and must not be left out.
 */
export async function putQuestion<Read extends { result: "allowed" | "replaced" }>(
  context: RunsContext,
  guard: OpenGuard,
  stage: GuardStage,
  run: AskedRun,
  shown: Shown,
  read: (outcome: Exclude<GuardOutcome, NotPassed>) => Promise<Read | NotPassed>,
  note: (asked: AskedGuard) => void = () => undefined,
): Promise<Read | { result: "allowed" }> {
  const of = ownerOf(guard);
  const since = performance.now();
  const question = questionOf(run, stage, shown);
  const ask = () => context.guards.ask(guard, question, run.signal, read);
  const facts = { "gatehouse.guard.of": of, "gatehouse.guard.stage": stage };
  const passed = await (context.telemetry?.span("ask guard", facts, ask) ?? ask());
  const duration_ms = Math.round((performance.now() - since) * 10) / 10;
  const asked: AskedGuard = { of, stage, result: passed.result, duration_ms };
  run.trace?.guarded(asked);
  note(asked);
  if (!("reason" in passed)) return passed;
  const { reason } = passed;
  const { runId, requestId, accountId, actor, model, log } = run;
  const name = of === "account" ? "this account" : "this installation";
  if (passed.result === "blocked") {
    context.guards.blocked(guard, { accountId, actor, stage, model: model.id, reason, requestId, runId });
    const what = stage === "input" ? "this run" : "the output of this run, which has run and is counted";
    throw new ApiError("content_blocked", `The guard of ${name} blocked ${what}: ${reason}`);
  }
  log.warn({ guard: guard.row.id, stage, reason }, "a guard failed");
  if (guard.row.onError === "allow") return { result: "allowed" };
  const then = stage === "input" ? "Nothing ran." : "It has run and is counted, and its output is not kept.";
  throw new ApiError(
    "guard_unavailable",
    `The guard of ${name} must allow each ${stage === "input" ? "run" : "output"}, and it failed: ${reason} ${then}`,
  );
}

function questionOf(run: AskedRun, stage: GuardStage, shown: Shown): GuardQuestion {
  const { requestId, runId, apiType, model, alias, region, metadata } = run;
  return {
    object: "guard_question",
    id: newId("guard"),
    stage,
    test: false,
    created_at: clock.date().toISOString(),
    request_id: requestId,
    run_id: runId,
    operation: apiType,
    model: model.id,
    alias,
    region,
    caller: { account_id: run.accountId, key_id: run.keyId, user_id: run.userId },
    metadata,
    ...shown,
  };
}
