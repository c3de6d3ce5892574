import { paramAt } from "#contract/checks/request-check.ts";
import type { GuardQuestion } from "#contract/guards.ts";
import type { AskedGuard } from "#contract/usage.ts";
import { replaceAt } from "#gateway/models/providers/media/inputs.ts";
import type { ProviderRequest, ResolvedMedia } from "#gateway/models/providers/provider.ts";
import { madeBy } from "#gateway/platform/core/actor.ts";
import { sentence } from "#gateway/platform/core/sentences.ts";
import type { RunTrace } from "#gateway/platform/http/run-trace.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { type Admitted, admit, fieldsBeside, isInput } from "#gateway/runs/operations/admit.ts";
import type { Candidates } from "#gateway/runs/operations/candidates.ts";
import { resolveMedia } from "#gateway/runs/operations/resolve-media.ts";
import { newFileReference, type RequestFiles } from "#gateway/runs/operations/resolve-media-source.ts";
import { mediaLinks } from "#gateway/runs/operations/sync-request.ts";
import type { TellTokens } from "#gateway/runs/operations/token-rates.ts";
import { type AdmittedRun, withBudget } from "#gateway/runs/operations/with-budget.ts";
import { failedGuard, type GuardOutcome, type NotPassed, type OpenGuard } from "./ask.ts";
import { outputCheck } from "./output.ts";
import {
  type AskedRun,
  isAskedAbout,
  maySee,
  nothingShown,
  putQuestion,
  type Shown,
} from "./put-question.ts";

/** A request or a piece of stored work, whose runs guards are asked about. */
export interface GuardedWork extends Pick<ProviderRequest, "signal" | "log"> {
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
 * the run as they let it pass, because a guard may have replaced its input, and asks about its output. Throws `content_blocked`,
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
    if (guards.length === 0) return withBudget(context, admitted, (run) => work(admitted, run), tell);
    const asked = guards.filter(
      (guard) => !guarded.passed.has(guard.row.id) && isAskedAbout(guard, "input", asRun(admitted)),
    );
    const checkedWork: Work<Result> = (passed, run) => {
      const check = outputCheck(context, guards, askedRun(passed, run.id, guarded));
      // A provider's own answer would have more than guards see.
      return check ? work(withoutNative(passed), { ...run, check }) : work(passed, run);
    };
    return asked.length === 0
      ? withBudget(context, admitted, (run) => checkedWork(admitted, run), tell)
      : runGuarded(context, admitted, { ...guarded, asked }, checkedWork, tell);
  };
  const guards = context.guards.of(admitted.actor.accountId);
  return guards instanceof Promise ? guards.then(begin) : begin(guards);
}

/** The run without the body as sent: no provider gets what only that has. */
function withoutNative({ native, ...admitted }: Admitted): Admitted {
  return native ? { ...admitted, ignored: [...admitted.ignored, ...native.ignored] } : admitted;
}

/** Whether a guard would be asked about this run, so that nothing of it may be sent to a provider before. */
export async function isGuarded(context: RunsContext, admitted: Admitted): Promise<boolean> {
  const guards = await context.guards.of(admitted.actor.accountId);
  return guards.some((guard) => isAskedAbout(guard, "input", asRun(admitted)));
}

function asRun({ actor, compiled }: Admitted) {
  return { apiType: compiled.operation.api_type, model: compiled.model, keyId: madeBy(actor).keyId };
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
  return context.scratch.withLazyDirectory(async (openDirectory) => {
    const first = await withBudget(
      context,
      admitted,
      async (run) => {
        const checked = await check(context, admitted, asking, openDirectory, run.id);
        const { guards } = checked;
        return checked.isReplaced ? checked : { result: await work(checked.admitted, { ...run, guards }) };
      },
      tell,
    );
    if ("result" in first) return first.result;
    // The replaced input may need more than the original one, so it is reserved anew.
    const { guards } = first;
    return withBudget(context, first.admitted, (run) => work(first.admitted, { ...run, guards }), tell);
  });
}

interface Checked {
  admitted: Admitted;
  isReplaced: boolean;
  runId: string;
  /** What the guards said. */
  guards: AskedGuard[];
}

/** Asks the guards one after the other; each sees what the one before let pass. */
async function check(
  context: RunsContext,
  first: Admitted,
  asking: Asking,
  openDirectory: () => Promise<string>,
  runId: string,
): Promise<Checked> {
  const guards: AskedGuard[] = [];
  let checked: Checked & HeldMedia = {
    ...(await withHeldMedia(context, first, asking.signal, openDirectory)),
    ...{ isReplaced: false, runId, guards },
  };
  const hasMedia = checked.held.length > 0;
  for (const guard of asking.asked) {
    const outcome = await ask(context, guard, checked, asking);
    if (outcome.result === "replaced") {
      const fresh = { ...outcome.admitted, ...ofBatch(first) };
      const held = await withHeldMedia(context, fresh, asking.signal, openDirectory);
      checked = { ...held, isReplaced: true, runId, guards };
    }
    // The next model of an alias fetches the media of the original input again, so they are shown again.
    if (hasMedia || checked.held.length > 0) continue;
    if (outcome.result === "replaced") asking.candidates?.replaceInput(outcome.admitted.call);
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
 * The same run with all media received: its input names files in a private directory, so that the run uses the bytes
 * that the guard has seen, whatever an address answers later.
 */
async function withHeldMedia(
  context: RunsContext,
  admitted: Admitted,
  signal: AbortSignal,
  openDirectory: () => Promise<string>,
): Promise<HeldMedia> {
  const { actor, compiled, body, files } = admitted;
  if (compiled.mediaOf(body).length === 0) return { admitted, held: [] };
  const resolved = await resolveMedia(context, {
    ...{ accountId: actor.accountId, compiled, body, files, signal },
    directory: await openDirectory(),
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
  const rest = withoutNative(admitted);
  return { admitted: { ...rest, body: named(body), input: named(admitted.input), files: own }, held };
}

type Passed = { result: "allowed" } | { result: "replaced"; admitted: Admitted };
/** `hasSeen`: whether the guard got the input. */
type Asked = Passed & { hasSeen: boolean };

/** Asks one guard. Throws `content_blocked`, or `guard_unavailable` if it failed and must not be left out. */
async function ask(
  context: RunsContext,
  guard: OpenGuard,
  checked: HeldMedia & Pick<Checked, "runId" | "guards">,
  asking: Asking,
): Promise<Asked> {
  const { admitted, runId, guards } = checked;
  const links = mediaLinks(context, admitted.actor.accountId, asking.log, "files shown to a guard");
  const run = askedRun(admitted, runId, asking);
  try {
    const shown = await shownTo(context, guard, checked, run, links.mediaUrl);
    const passed = await putQuestion<Passed>(
      ...([context, guard, "input", run, shown] as const),
      (outcome) => passedBy(context, outcome, checked, shown),
      (asked) => guards.push(asked),
    );
    return { ...passed, hasSeen: shown.input !== null };
  } finally {
    await links.withdraw();
  }
}

function askedRun(
  { actor, compiled, alias, region, metadata }: Admitted,
  runId: string,
  { requestId, signal, log, trace }: GuardedWork,
): AskedRun {
  return {
    ...{
      runId,
      requestId,
      signal,
      log,
      actor,
      region,
      metadata,
      accountId: actor.accountId,
      ...madeBy(actor),
    },
    ...{ apiType: compiled.operation.api_type, model: compiled.model, alias: alias ?? null },
    ...(trace && { trace }),
  };
}

type ShownInput = Shown & {
  /** The references behind the signed addresses. */
  references: ReadonlyMap<string, string>;
};

/** What a guard sees of a run's input. */
async function shownTo(
  context: RunsContext,
  guard: OpenGuard,
  { admitted, held }: HeldMedia,
  run: AskedRun,
  urlOf: (media: ResolvedMedia) => Promise<string>,
): Promise<ShownInput> {
  const references = new Map<string, string>();
  if (!(await maySee(context, guard, run))) return { ...nothingShown, references };
  const input = held.length > 0 ? structuredClone(admitted.input) : admitted.input;
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
    ...{ input, output: null, files, references },
    native: native ? { protocol: native.protocol, body: native.body() } : null,
  };
}

/** The run that an outcome lets pass. A replacement is admitted as the request was; throws its errors. */
async function passedBy(
  context: RunsContext,
  outcome: Exclude<GuardOutcome, NotPassed>,
  { admitted }: HeldMedia,
  { input: shown, references }: ShownInput,
): Promise<Passed | NotPassed> {
  if (outcome.result === "allowed") return outcome;
  const { by: input } = outcome;
  if (shown === null) return failedGuard(sentence("guard_replaces_gated_input"));
  const { actor, call, compiled, body, files } = admitted;
  const { model } = input;
  if (model !== undefined && model !== compiled.model.id)
    return failedGuard(sentence("guard_names_other_model"));
  const original = call.body as Record<string, unknown>;
  // A guard replaces the input. The other fields, such as region, metadata and the form of the answer, stay the
  // caller's.
  const beside = fieldsBeside.filter((name) => original[name] !== undefined);
  const others = { ...body, ...Object.fromEntries(beside.map((name) => [name, original[name]])) };
  const fresh: Record<string, unknown> = {
    ...Object.fromEntries(Object.entries(input).filter(([name]) => isInput(compiled, name))),
    ...Object.fromEntries(Object.entries(others).filter(([name]) => !isInput(compiled, name))),
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
  return { result: "replaced", admitted: { ...result, call: again } };
}
