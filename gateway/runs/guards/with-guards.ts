import { paramAt } from "#contract/checks/request-check.ts";
import type { GuardQuestion } from "#contract/guards.ts";
import { newId } from "#contract/ids.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import { replaceAt } from "#gateway/models/providers/media/inputs.ts";
import type { ProviderRequest, ResolvedMedia } from "#gateway/models/providers/provider.ts";
import { madeBy } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { RunTrace } from "#gateway/platform/http/run-trace.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import {
  type Admitted,
  admit,
  fieldsBeside,
  inputTest,
  type OperationInput,
} from "#gateway/runs/operations/admit.ts";
import type { Candidates } from "#gateway/runs/operations/candidates.ts";
import { resolveMedia } from "#gateway/runs/operations/resolve-media.ts";
import { newFileReference, type RequestFiles } from "#gateway/runs/operations/resolve-media-source.ts";
import { mediaLinks } from "#gateway/runs/operations/sync-request.ts";
import type { TellTokens } from "#gateway/runs/operations/token-rates.ts";
import { type AdmittedRun, withBudget } from "#gateway/runs/operations/with-budget.ts";
import type { GuardOutcome, OpenGuard } from "./ask.ts";

/** A request or a piece of stored work, whose runs guards are asked about. */
export interface GuardedWork extends Pick<ProviderRequest, "signal" | "log"> {
  /** The operation as it was requested. A guard's replacement is admitted in the same way. */
  call: OperationInput;
  /** Null for work without a request. */
  requestId: string | null;
  /** The models that may run it, if they are several. */
  candidates?: Candidates;
  trace?: RunTrace;
  /** Guards that have allowed it: a further model of its alias asks them nothing. */
  passed: Set<string>;
}

type Work<Result> = (admitted: Admitted, run: AdmittedRun) => Promise<Result>;

/**
 * Admits a run as `withBudget` does, then asks the guards of its account and of the installation. `work` gets
 * the run as they let it pass: a guard may have replaced its input. Throws `content_blocked`,
 * `guard_unavailable`, and as `withBudget`. Without guards this is a look at a value in memory.
 */
export function withGuards<Result>(
  context: RunsContext,
  admitted: Admitted,
  guarded: GuardedWork,
  work: Work<Result>,
  tell?: TellTokens,
): Promise<Result> {
  const begin = (guards: readonly OpenGuard[]): Promise<Result> => {
    const asked =
      guards.length === 0
        ? guards
        : guards.filter((guard) => !guarded.passed.has(guard.row.id) && isAskedAbout(guard, admitted));
    return asked.length === 0
      ? withBudget(context, admitted, (run) => work(admitted, run), tell)
      : runGuarded(context, admitted, { ...guarded, asked }, work, tell);
  };
  const guards = context.guards.of(admitted.actor.accountId);
  return guards instanceof Promise ? guards.then(begin) : begin(guards);
}

/** Whether a guard would be asked about this run, so that nothing of it may be sent to a provider before. */
export async function isGuarded(context: RunsContext, admitted: Admitted): Promise<boolean> {
  const guards = await context.guards.of(admitted.actor.accountId);
  return guards.some((guard) => isAskedAbout(guard, admitted));
}

/** Whether a guard is asked about this operation, model and key. */
function isAskedAbout({ row }: OpenGuard, { actor, compiled }: Admitted): boolean {
  const { operations, models, keyIds, exceptKeyIds } = row;
  if (operations && !operations.includes(compiled.operation.api_type)) return false;
  if (models && !models.includes(compiled.model.id)) return false;
  if (actor.kind !== "key") return keyIds === null;
  return !exceptKeyIds.includes(actor.id) && (keyIds?.includes(actor.id) ?? true);
}

interface Asking extends GuardedWork {
  asked: readonly OpenGuard[];
}

async function runGuarded<Result>(
  context: RunsContext,
  admitted: Admitted,
  asking: Asking,
  work: Work<Result>,
  tell: TellTokens | undefined,
): Promise<Result> {
  return context.scratch.withDirectory(async (directory) => {
    const first = await withBudget(
      context,
      admitted,
      async (run) => {
        const checked = await check(context, admitted, asking, directory);
        return checked.isReplaced ? checked : { result: await work(checked.admitted, run) };
      },
      tell,
    );
    if ("result" in first) return first.result;
    // The replaced input may need more than the original one, so it is reserved anew.
    return withBudget(context, first.admitted, (run) => work(first.admitted, run), tell);
  });
}

interface Checked {
  admitted: Admitted;
  isReplaced: boolean;
}

/** Asks the guards one after the other; each sees what the one before let pass. */
async function check(
  context: RunsContext,
  first: Admitted,
  asking: Asking,
  directory: string,
): Promise<Checked> {
  let checked: Checked & HeldMedia = {
    ...(await withHeldMedia(context, first, asking.signal, directory)),
    isReplaced: false,
  };
  const hasMedia = checked.held.length > 0;
  for (const guard of asking.asked) {
    const outcome = await ask(context, guard, checked, asking);
    if (outcome.result === "replaced") {
      const fresh = { ...outcome.admitted, ...ofBatch(first) };
      checked = { ...(await withHeldMedia(context, fresh, asking.signal, directory)), isReplaced: true };
    }
    // The next model of an alias fetches the media of the original input again, so they are shown again.
    if (hasMedia || checked.held.length > 0) continue;
    if (outcome.result === "replaced") asking.candidates?.replaceInput(outcome.call);
    // A guard that saw nothing of a gated model may see what its alias runs next.
    if (outcome.hasSeen) asking.passed.add(guard.row.id);
  }
  return checked;
}

function ofBatch({ batchId, alias }: Admitted): Pick<Admitted, "batchId" | "alias"> {
  return { ...(batchId !== undefined && { batchId }), ...(alias !== undefined && { alias }) };
}

interface HeldMedia {
  admitted: Admitted;
  /** Its files, and how its input names them. */
  held: readonly { reference: string; media: ResolvedMedia }[];
}

/**
 * The same run with all media received: its input names files in `directory`, so that the run uses the bytes
 * that the guard has seen, whatever an address answers later.
 */
async function withHeldMedia(
  context: RunsContext,
  admitted: Admitted,
  signal: AbortSignal,
  directory: string,
): Promise<HeldMedia> {
  const { actor, compiled, body, files } = admitted;
  if (compiled.mediaOf(body).length === 0) return { admitted, held: [] };
  const resolved = await resolveMedia(context, {
    ...{ accountId: actor.accountId, compiled, body, files, signal, directory },
    limits: compiled.operation.limits,
  });
  const held = resolved.map((media) => ({ reference: newFileReference(), media }));
  const named = (value: Record<string, unknown>) => {
    const copy = structuredClone(value);
    for (const { reference, media } of held) replaceAt(copy, media.path, () => reference);
    return copy;
  };
  const own: RequestFiles = new Map(
    held.map(({ reference, media: { file, sizeBytes, sha256 = "", path } }) => [
      reference,
      { file, sizeBytes, sha256, param: paramAt(path) },
    ]),
  );
  // A provider that gets the original body would fetch its media itself.
  const { native: _, ...rest } = admitted;
  return { admitted: { ...rest, body: named(body), input: named(admitted.input), files: own }, held };
}

type Passed = { result: "allowed" } | { result: "replaced"; admitted: Admitted; call: OperationInput };
/** `hasSeen`: whether the guard got the input. */
type Asked = Passed & { hasSeen: boolean };
type NotPassed = { result: "blocked" | "failed"; reason: string };

/** Asks one guard. Throws `content_blocked`, or `guard_unavailable` if it failed and must not be left out. */
async function ask(
  context: RunsContext,
  guard: OpenGuard,
  checked: HeldMedia,
  asking: Asking,
): Promise<Asked> {
  const { signal, log, trace } = asking;
  const links = mediaLinks(context, checked.admitted.actor.accountId);
  const since = performance.now();
  try {
    const shown = await shownTo(context, guard, checked, links.mediaUrl);
    const question = questionOf(checked.admitted, asking, shown);
    const askIt = () => context.guards.ask(guard, question, signal);
    const outcome = await (context.telemetry?.step("ask guard", askIt) ?? askIt());
    const passed = await passedBy(context, outcome, checked, asking, shown).catch(
      (error: unknown): NotPassed => {
        if (!(error instanceof ApiError)) throw error;
        return { result: "failed", reason: `Its input is not accepted: ${error.message}` };
      },
    );
    const durationMs = Math.round((performance.now() - since) * 10) / 10;
    trace?.guarded({ of: ownerOf(guard), stage: "input", result: passed.result, duration_ms: durationMs });
    const hasSeen = shown.input !== null;
    if (passed.result === "allowed" || passed.result === "replaced") return { ...passed, hasSeen };
    if (passed.result === "blocked")
      throw new ApiError(
        "content_blocked",
        `The guard of ${nameOf(guard)} blocked this run: ${passed.reason}`,
      );
    log.warn({ guard: guard.row.id, reason: passed.reason }, "a guard failed");
    if (guard.row.onError === "allow") return { result: "allowed", hasSeen };
    throw new ApiError(
      "guard_unavailable",
      `The guard of ${nameOf(guard)} must allow each run, and it failed: ${passed.reason} Nothing ran.`,
    );
  } finally {
    await links
      .withdraw()
      .catch((error: unknown) => log.warn({ err: error }, "files shown to a guard could not be removed yet"));
  }
}

function nameOf(guard: OpenGuard): string {
  return ownerOf(guard) === "account" ? "this account" : "this installation";
}

function ownerOf({ row }: OpenGuard): "account" | "installation" {
  return row.accountId === null ? "installation" : "account";
}

type Shown = Pick<GuardQuestion, "input" | "native" | "files"> & {
  /** The references behind the signed addresses. */
  references: ReadonlyMap<string, string>;
};

/** What a guard sees of a run's input: nothing if the model is gated and nobody answers for the guard. */
async function shownTo(
  context: RunsContext,
  guard: OpenGuard,
  { admitted, held }: HeldMedia,
  urlOf: (media: ResolvedMedia) => Promise<string>,
): Promise<Shown> {
  if (!(await maySee(context, guard, admitted)))
    return { input: null, native: null, files: [], references: new Map() };
  const input = structuredClone(admitted.input);
  const references = new Map<string, string>();
  const files: GuardQuestion["files"] = [];
  for (const { reference, media } of held) {
    const url = await urlOf(media);
    references.set(url, reference);
    replaceAt(input, media.path, () => url);
    const { path, kind, contentType, sizeBytes, sha256 } = media;
    files.push({ path, url, kind, content_type: contentType, size_bytes: sizeBytes, sha256: sha256 ?? null });
  }
  const { native } = admitted;
  return {
    ...{ input, files, references },
    native: native ? { protocol: native.protocol, body: native.body() } : null,
  };
}

async function maySee(
  context: RunsContext,
  { row }: OpenGuard,
  { compiled: { model } }: Admitted,
): Promise<boolean> {
  const { adult_attestation_required: adult, portrait_rights_attestation_required: portrait } =
    model.safety_requirements;
  if (!adult && !portrait) return true;
  const { accountId, answeredBy } = row;
  if (answeredBy === null || accountId === null) return answeredBy !== null;
  const clearance = await Clearance.of(context, { accountId, userId: null, answeredBy }, [model.id]);
  return clearance.missing(model.id) === null;
}

function questionOf(
  { actor, compiled, alias, region, metadata }: Admitted,
  { requestId }: Asking,
  { input, native, files }: Shown,
): GuardQuestion {
  const { keyId, userId } = madeBy(actor);
  return {
    object: "guard_question",
    id: newId("guard"),
    stage: "input",
    test: false,
    created_at: clock.date().toISOString(),
    request_id: requestId,
    run_id: null,
    operation: compiled.operation.api_type,
    model: compiled.model.id,
    alias: alias ?? null,
    region,
    caller: { account_id: actor.accountId, key_id: keyId, user_id: userId },
    metadata,
    input,
    output: null,
    native,
    files,
  };
}

/** The run that an outcome lets pass. A replacement is admitted as the request was; throws its errors. */
async function passedBy(
  context: RunsContext,
  outcome: GuardOutcome,
  { admitted }: HeldMedia,
  { call }: Asking,
  { input: shown, references }: Shown,
): Promise<Passed | NotPassed> {
  if (outcome.result !== "replaced") return outcome;
  if (shown === null)
    return {
      result: "failed",
      reason: "It replaces an input that it may not see, because its model is gated.",
    };
  const { actor, compiled, body, files } = admitted;
  const { model } = outcome.input;
  if (model !== undefined && model !== compiled.model.id)
    return { result: "failed", reason: "It names another model, and a guard may only replace the input." };
  const original = call.body as Record<string, unknown>;
  const isInput = inputTest(compiled, { ...original, ...body, ...outcome.input });
  // A guard replaces the input. The other fields, such as region, metadata and the form of the answer, stay the
  // caller's.
  const beside = fieldsBeside.filter((name) => original[name] !== undefined);
  const others = { ...body, ...Object.fromEntries(beside.map((name) => [name, original[name]])) };
  const fresh: Record<string, unknown> = {
    ...Object.fromEntries(Object.entries(outcome.input).filter(([name]) => isInput(name))),
    ...Object.fromEntries(Object.entries(others).filter(([name]) => !isInput(name))),
    ...(body.stream !== undefined && { stream: body.stream }),
    ...(body.stream_options !== undefined && { stream_options: body.stream_options }),
    model: compiled.model.id,
  };
  const kept = new Map<string, NonNullable<ReturnType<RequestFiles["get"]>>>();
  for (const { path, value } of compiled.mediaOf(fresh)) {
    const reference = references.get(value);
    const file = reference === undefined ? undefined : files.get(reference);
    if (reference === undefined || file === undefined) continue;
    replaceAt(fresh, path, () => reference);
    kept.set(reference, file);
  }
  const { native: _, files: __, ...same } = call;
  const again = { ...same, body: fresh, ...(kept.size > 0 && { files: kept }) };
  const result = await admit(context, actor, { ...again, apiType: compiled.operation.api_type });
  return { result: "replaced", admitted: result, call: again };
}
