import type { Logger } from "pino";
import { Agent, type Dispatcher } from "undici";
import {
  type GuardStage,
  guardAnswerBytes,
  guardReasonLength,
  guardTimeoutMs,
} from "#contract/guard-constants.ts";
import type { GuardQuestion } from "#contract/guards.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import type { Sentence } from "#contract/sentences.ts";
import type { AskedGuard } from "#contract/usage.ts";
import { type AuditEntry, recordAudit } from "#gateway/access/accounts/audit.ts";
import { AuditSums } from "#gateway/access/accounts/audit-sums.ts";
import { type SigningKey, signatureHeaders, signingKey } from "#gateway/events/webhooks/sign.ts";
import { privateConnector } from "#gateway/models/providers/http/http-client.ts";
import { ApiError, shortened } from "#gateway/platform/core/api-error.ts";
import { type Batch, createBatch } from "#gateway/platform/core/batch.ts";
import { Breaker } from "#gateway/platform/core/breaker.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { setBounded } from "#gateway/platform/core/remembered.ts";
import { englishOf, sentence } from "#gateway/platform/core/sentences.ts";
import { type AccountCache, openAccountCache } from "#gateway/platform/database/account-cache.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { and, eq, isNotNull, isNull, or, sql } from "#gateway/platform/database/drizzle.ts";
import { guards } from "#gateway/platform/database/schema.ts";
import { addFigures, countQuestion, FigureSums } from "#gateway/platform/figures/sums.ts";
import { refuseManyValues, refuseUnstorable } from "#gateway/platform/http/body-bounds.ts";
import {
  BlockedAddressError,
  createGuardedAgent,
  errorCodeOf,
  NameNotResolvedError,
} from "#gateway/platform/network/address-guard.ts";
import { exchange } from "#gateway/platform/network/exchange.ts";
import { assertMayLeave, QuietError } from "#gateway/platform/network/quiet.ts";
import { recordCause } from "#gateway/platform/outbox/outbox.ts";
import { guardSealer } from "./secrets.ts";

export type GuardRow = typeof guards.$inferSelect;

/** A guard with its secrets in clear. */
export interface OpenGuard {
  row: GuardRow;
  /** Null: they cannot be opened. */
  signing: readonly { key: SigningKey; untilMs: number }[] | null;
}

/** What came of one question; `failed`: the guard gave no valid answer. */
export type GuardOutcome =
  | { result: "allowed" }
  | NotPassed
  /** `by`: another input or output, as the guard wrote it. */
  | { result: "replaced"; by: Record<string, unknown> };
export interface NotPassed {
  result: "blocked" | "failed";
  reason: string;
  /** The reason as a code; undefined if it is the guard's own text. */
  code?: Sentence;
  /** The guard fails only for this question, such as one that is too large for it. */
  isOwnFault?: boolean;
}

/** A guard that fails, for a reason with a code. */
export function failedGuard(code: Sentence): NotPassed & { result: "failed" } {
  return { result: "failed", reason: englishOf(code), code };
}

const guardChannel = "guards_changed";
const userAgent = "Gatehouse-Guards/1";
/** Breakers in memory; that of another guard begins closed. */
const maxBreakers = 10_000;

/** The guards that are asked about an account's runs, and the connections to them. */
export class Guards {
  readonly #cache: AccountCache<readonly OpenGuard[]>;
  readonly #database: Database;
  readonly #isOff: boolean;
  readonly #publicAgent: Dispatcher;
  readonly #privateAgent = new Agent({ connect: privateConnector(guardTimeoutMs), allowH2: false });
  readonly #breakers = new Map<string, Breaker>();
  readonly #blocks: AuditSums;
  readonly #counts: Batch<Counted>;

  private constructor(
    config: Config,
    database: Database,
    log: Logger,
    cache: AccountCache<readonly OpenGuard[]>,
  ) {
    this.#cache = cache;
    this.#database = database;
    this.#blocks = new AuditSums("models", (entry) =>
      recordAudit(database.queries, entry).catch((error: unknown) =>
        log.warn({ err: error }, "a block by a guard could not be noted in the audit log"),
      ),
    );
    this.#counts = createBatch("answers of guards", log, async (counted: Counted[]) => {
      const sums = new FigureSums();
      for (const { accountId, atMs, ...asked } of counted) countQuestion(sums, accountId, asked, atMs);
      await addFigures(database.queries, sums);
    });
    this.#isOff = !config.extensions;
    this.#publicAgent = createGuardedAgent({ ...config.webhooks, connectTimeoutMs: guardTimeoutMs });
  }

  static async open(config: Config, database: Database, log: Logger): Promise<Guards> {
    const sealer = guardSealer(config);
    const cache = await openAccountCache(database, guardChannel, async (accountId) => {
      const rows = await database.queries
        .select()
        .from(guards)
        .where(or(isNull(guards.accountId), accountId === null ? undefined : eq(guards.accountId, accountId)))
        // The operators' guard is asked last, so that it sees what runs.
        .orderBy(sql`${guards.accountId} nulls last`);
      return rows.filter(({ enabled }) => enabled).map((row) => openGuard(sealer, row));
    });
    return new Guards(config, database, log, cache);
  }

  /** Those of the account, then that of the installation. A promise only if they must be read first. */
  of(accountId: string): readonly OpenGuard[] | Promise<readonly OpenGuard[]> {
    if (this.#isOff) return [];
    return this.#cache.fresh(accountId) ?? this.#cache.read(accountId);
  }

  /** Call after a change: every process reads the guards of the account, or of all accounts, again. */
  changed(accountId: string | null): void {
    this.#cache.forget(accountId);
    this.#database.notify(guardChannel, accountId ?? "");
  }

  /**
   * Asks a guard once, and reads its answer with `read`, whose error is a failure of the guard. After several failures
   * in a row it is left alone for a while, and counts as failed. A failure is recorded; only the caller's `signal`
   * makes this throw.
   */
  async ask<Read extends { result: "allowed" | "replaced" }>(
    guard: OpenGuard,
    question: GuardQuestion,
    signal: AbortSignal,
    read: (outcome: Exclude<GuardOutcome, NotPassed>) => Promise<Read | NotPassed>,
  ): Promise<Read | NotPassed> {
    const { row } = guard;
    const { account_id: accountId } = question.caller;
    const note = <Outcome extends Read | NotPassed>(outcome: Outcome): Outcome => {
      const { result } = outcome;
      this.#counts.add({ accountId, of: ownerOf(guard), stage: question.stage, result, atMs: clock.now() });
      return outcome;
    };
    // One caller, whose questions make the guard of all accounts fail, is left without it, and nobody else.
    const breaker = this.#breakerOf(row, row.accountId ?? accountId);
    const passage = breaker.enter();
    if (!passage) return note(failedGuard(sentence("guard_paused")));
    try {
      const answered = await this.askNow(guard, question, signal);
      const outcome =
        answered.result === "allowed" || answered.result === "replaced"
          ? await read(answered).catch((error: unknown): NotPassed => {
              if (!(error instanceof ApiError)) throw error;
              return failedGuard(
                sentence("guard_replacement_not_accepted", { stage: question.stage, problem: error.message }),
              );
            })
          : answered;
      await this.#report(row, breaker, { ...outcome });
      return note(outcome);
    } finally {
      passage.leave();
    }
  }

  /** Tells the breakers how a question ended, and records that the guard fails, or works again. */
  async #report(
    row: GuardRow,
    breaker: Breaker,
    outcome: { result: GuardOutcome["result"] } & Partial<Omit<NotPassed, "result">>,
  ): Promise<void> {
    if (outcome.isOwnFault) return;
    const hasFailed = outcome.result === "failed";
    const overall = this.#breakerOf(row, row.accountId);
    for (const one of new Set([breaker, overall])) one.report(hasFailed ? "failure" : "success");
    if (hasFailed ? overall.status !== "healthy" : row.failingSince !== null)
      await this.#record(row, hasFailed ? { reason: "", ...outcome } : null);
  }

  /** Notes a block for the audit log of the run's account. */
  blocked(guard: OpenGuard, block: Block): void {
    const { accountId, actor, stage, model, reason, requestId, runId } = block;
    const entry = { accountId, actor, action: "guard.blocked", targetId: guard.row.id } as const;
    const detail = { of: ownerOf(guard), stage, model, reason, ...(runId !== null && { run_id: runId }) };
    this.#blocks.add(entry, model, { detail, requestId });
  }

  /** Asks a guard whatever its breaker says, and records nothing. */
  async askNow(
    { row, signing }: OpenGuard,
    question: GuardQuestion,
    signal: AbortSignal,
  ): Promise<GuardOutcome> {
    const now = clock.now();
    const keys = signing?.filter(({ untilMs }) => untilMs > now).map(({ key }) => key);
    if (!keys) return failedGuard(sentence("guard_secret_unreadable"));
    const body = JSON.stringify(question);
    const headers = {
      "content-type": "application/json",
      accept: "application/json",
      // Answers are never decompressed, so a decompression bomb is harmless.
      "accept-encoding": "identity",
      "user-agent": userAgent,
      ...signatureHeaders({ eventId: question.id, timestamp: Math.floor(now / 1000), body, keys }),
    };
    try {
      assertMayLeave();
      return await readVerdict(await this.#post(row, headers, body, signal), question.stage);
    } catch (error) {
      if (signal.aborted) throw error;
      const isOwnFault = error instanceof GuardError && error.isOwnFault;
      return { ...failedGuard(reasonOf(error)), ...(isOwnFault && { isOwnFault }) };
    }
  }

  async close(): Promise<void> {
    this.#cache.close();
    await Promise.all([this.#blocks.close(), this.#counts.close()]);
    await Promise.all([this.#publicAgent.destroy(), this.#privateAgent.destroy()]);
  }

  /** One POST within the time limit. A kept connection that the guard has closed meanwhile is replaced once. */
  async #post(
    { url, allowPrivate }: GuardRow,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<string> {
    const { origin, pathname, search } = new URL(url);
    const until = performance.now() + guardTimeoutMs;
    const agent = allowPrivate ? this.#privateAgent : this.#publicAgent;
    const request = { origin, path: `${pathname}${search}`, method: "POST", headers, body } as const;
    const send = () =>
      exchange(
        agent,
        { ...request, headersTimeout: 0, bodyTimeout: 0 },
        {
          maxBytes: guardAnswerBytes,
          refuseLarger: true,
          totalMs: Math.max(1, until - performance.now()),
          signal,
        },
      );
    let sent = send();
    const answer = await sent.answer.catch((error: unknown) => {
      if (sent.head || !closedConnection.has(errorCodeOf(error) ?? "")) throw error;
      sent = send();
      return sent.answer;
    });
    if (answer.status >= 300 && answer.status < 400)
      throw new GuardError(sentence("guard_redirects", { status: String(answer.status) }));
    if (answer.status === 413) throw new GuardError(sentence("guard_question_too_large"), true);
    if (answer.status !== 200)
      throw new GuardError(sentence("guard_status", { status: String(answer.status) }));
    if (answer.truncated)
      throw new GuardError(sentence("guard_answer_too_large", { bytes: String(guardAnswerBytes) }));
    return Buffer.concat(sent.chunks).toString("utf8");
  }

  #breakerOf({ id, updatedAt }: GuardRow, accountId: string | null): Breaker {
    // A guard that was changed is asked at once.
    const name = `${id} ${updatedAt.getTime()} ${accountId ?? ""}`;
    const breaker = this.#breakers.get(name) ?? new Breaker(clock.now);
    setBounded(this.#breakers, name, breaker, maxBreakers);
    return breaker;
  }

  /**
   * Records that a guard fails, or works again (null), with a notice: once, whichever process sees it first. Best
   * effort: the run does not depend on it.
   */
  async #record(
    { id, accountId, failingSince, url, onError }: GuardRow,
    error: Pick<NotPassed, "reason" | "code"> | null,
  ): Promise<void> {
    if ((failingSince === null) === (error === null)) return;
    const [fields, isNews] =
      error === null
        ? [{ failingSince: null }, isNotNull(guards.failingSince)]
        : [
            { failingSince: sql`now()`, lastError: error.reason, lastErrorCode: error.code ?? null },
            isNull(guards.failingSince),
          ];
    const kind = error === null ? "recovered" : "failing";
    const data = { host: new URL(url).host, on_error: onError, reason: error?.reason ?? "" };
    await this.#database
      .transaction(async (queries) => {
        const { rowCount } = await queries
          .update(guards)
          .set(fields)
          .where(and(eq(guards.id, id), isNews));
        const cause =
          accountId === null ? (`installation_guard.${kind}` as const) : (`guard.${kind}` as const);
        if (rowCount !== 0) await recordCause(queries, { cause, accountId, subjectId: id, data });
      })
      .then(() => this.changed(accountId))
      .catch(() => undefined);
  }
}

/** A question that was answered, for the figures. */
interface Counted extends Pick<AskedGuard, "of" | "stage" | "result"> {
  accountId: string;
  atMs: number;
}

/** A run that a guard blocked. */
export interface Block extends Pick<AuditEntry, "accountId" | "actor"> {
  stage: GuardStage;
  model: string;
  reason: string;
  requestId: string | null;
  runId: string | null;
}

export function ownerOf({ row }: OpenGuard): "account" | "installation" {
  return row.accountId === null ? "installation" : "account";
}

export function openGuard(sealer: ReturnType<typeof guardSealer>, row: GuardRow): OpenGuard {
  try {
    const signing = row.secrets.map((one) => ({
      key: signingKey(sealer.open(one, row.id)),
      untilMs: one.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(one.expiresAt),
    }));
    return { row, signing };
  } catch {
    return { row, signing: null };
  }
}

const closedConnection = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** The guard answered, but with something else than a verdict. The message is for its owner. */
class GuardError extends Error {
  readonly code: Sentence;
  /** As in `NotPassed`. */
  readonly isOwnFault: boolean;

  constructor(code: Sentence, isOwnFault = false) {
    super(englishOf(code));
    this.code = code;
    this.isOwnFault = isOwnFault;
  }
}

async function readVerdict(text: string, stage: GuardStage): Promise<GuardOutcome> {
  const { action, reason, [stage]: by } = await objectIn(text);
  if (action === "allow") return { result: "allowed" };
  if (action === "block")
    return typeof reason === "string" && reason.trim() !== ""
      ? { result: "blocked", reason: shortened(reason.trim(), guardReasonLength) }
      : { ...failedGuard(sentence("guard_gave_no_reason")), result: "blocked" };
  if (action !== "replace") throw new GuardError(sentence("guard_action_unknown"));
  if (!isRecord(by)) throw new GuardError(sentence("guard_replacement_no_object", { stage }));
  return { result: "replaced", by };
}

/** The answer as an object, within the bounds of a request's body. */
async function objectIn(text: string): Promise<Record<string, unknown>> {
  let answer: unknown;
  try {
    refuseManyValues(text);
    answer = JSON.parse(text);
    await refuseUnstorable(answer);
  } catch (error) {
    throw error instanceof ApiError
      ? new GuardError(sentence("guard_answer_not_accepted", { problem: error.message }))
      : new GuardError(sentence("guard_answer_not_json"));
  }
  if (isRecord(answer)) return answer;
  throw new GuardError(sentence("guard_answer_no_object"));
}

function reasonOf(error: unknown): Sentence {
  if (error instanceof GuardError) return error.code;
  // A blocked address and an unknown name get the same message, so that it reveals nothing about the network.
  if (error instanceof BlockedAddressError || error instanceof NameNotResolvedError)
    return sentence("guard_address_not_public");
  if (error instanceof QuietError) return sentence("guard_installation_quiet");
  const code = errorCodeOf(error);
  if (code === "ETIMEDOUT") return sentence("guard_timed_out", { seconds: String(guardTimeoutMs / 1000) });
  return code === null
    ? sentence("guard_unreachable")
    : sentence("guard_unreachable_because", { error: code });
}
