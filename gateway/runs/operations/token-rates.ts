import { textTypes } from "#contract/operator/constants.ts";
import { partTypes } from "#gateway/models/catalog/entries/messages.ts";
import { tokensIn } from "#gateway/models/providers/estimated-usage.ts";
import { recordOf, recordsOf } from "#gateway/models/providers/http/read-body.ts";
import type { TokenLimit } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { minuteMs, tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit, Limiter, Taken } from "#gateway/platform/limits/limiter.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import type { Admitted, HeldTokens } from "./admit.ts";

/*
 * Tokens per minute. A run of text reserves what it may need: its prompt as counted, and the output that it asks
 * for, or the usual one of its model. At its end the limit is settled by what was used. A reservation is a part
 * of the minute's tokens, which come back with time, so that of a killed process does not last.
 */

/** The output of a model that has not answered in this process yet. */
const assumedAnswer = 500;
/** How much the newest answer changes the usual one. */
const newestPart = 1 / 16;

/** The usual output of each model, as this process has seen it. */
const usualAnswers = new Map<string, number>();

/** Counts an answer for the usual output of its model. */
export function rememberAnswer({ compiled, body }: Admitted, tokens: number): void {
  const { id } = compiled.model;
  const each = tokens / answersOf(body);
  const usual = usualAnswers.get(id) ?? each;
  usualAnswers.set(id, usual + (each - usual) * newestPart);
}

function answersOf({ n }: Record<string, unknown>): number {
  return typeof n === "number" && n > 0 ? n : 1;
}

/** A refusal by the limits of one model only, so that another model of an alias may take the request. */
export class ModelTokensError extends ApiError {}

/** Receives the limit that leaves least, and its state. */
export type TellTokens = (taken: Taken, perMinute: number) => void;

/** A reservation in one limit. */
interface Part {
  subject: string;
  limit: Limit;
}

function held(limiter: Limiter, parts: readonly Part[], reserved: number): HeldTokens {
  let used = 0;
  return {
    use(tokens = reserved) {
      used = tokens;
    },
    settle() {
      const left = reserved - used;
      for (const { subject, limit } of parts)
        if (left > 0) void limiter.giveBack(subject, limit, left);
        else if (left < 0) limiter.charge(subject, limit, -left);
    },
  };
}

/**
 * Reserves the tokens of a run in all limits of its caller; null if none applies. Throws
 * `request_over_token_limit` for a run that no minute can hold, and `rate_limit_exceeded` for one that does not
 * fit now.
 */
export async function reserveTokens(
  { limiter }: RunsContext,
  admitted: Admitted,
  tell?: TellTokens,
): Promise<HeldTokens | null> {
  const { actor, compiled } = admitted;
  if (!textTypes.includes(compiled.operation.api_type)) return null;
  const limits = actor.tokenLimits.filter(({ model }) => model === null || model === compiled.model.id);
  if (limits.length === 0) return null;
  const tokens = neededTokens(admitted, limits);
  const asked = await Promise.all(
    limits.map(async (of) => {
      const name = of.model === null ? "tokens" : `tokens of ${of.model}`;
      const limit = { name, count: of.perMinute, periodMs: minuteMs };
      return { of, subject: of.subject, limit, taken: await limiter.take(of.subject, limit, tokens) };
    }),
  );
  const { of, taken } = asked.reduce((one, other) => (isTighter(other.taken, one.taken) ? other : one));
  tell?.(taken, of.perMinute);
  const allowed = asked.filter((part) => part.taken.allowed);
  const reserved = held(limiter, allowed, tokens);
  if (taken.allowed) return reserved;
  reserved.settle();
  const needs = `This request may need ${shown(tokens)} tokens, and ${shown(taken.remaining)} are left.`;
  const refusing = asked.filter((part) => !part.taken.allowed);
  throw ofModels(
    refusing.map((part) => part.of),
    tooManyRequests(`${needs} ${limitText(of)}`, taken),
  );
}

/** Marks a refusal by limits that are all of one model. */
function ofModels(refusing: readonly TokenLimit[], error: ApiError): ApiError {
  if (refusing.some(({ model }) => model === null)) return error;
  const { code, message, param, retryAfterSeconds } = error;
  return new ModelTokensError(code, message, {
    param,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

/** Whether a limit refuses and another does not, or refuses for longer, or leaves less. */
function isTighter(one: Taken, other: Taken): boolean {
  if (one.allowed !== other.allowed) return other.allowed;
  return one.retryAfterMs === other.retryAfterMs
    ? one.remaining < other.remaining
    : one.retryAfterMs > other.retryAfterMs;
}

/** The tokens that a run reserves in these limits. Throws `request_over_token_limit`. */
function neededTokens({ compiled, body }: Admitted, limits: readonly TokenLimit[]): number {
  const smallest = limits.reduce((one, other) => (other.perMinute < one.perMinute ? other : one));
  const { perMinute } = smallest;
  const over = (tokens: number, needs: string, param?: string) =>
    ofModels(
      limits.filter((limit) => limit.perMinute < tokens),
      overLimit(smallest, needs, param),
    );
  const { messages, tools, response_format: format, input, query, documents } = body;
  if (messages === undefined) {
    const read = tokensIn([input ?? [query, documents]]);
    if (read > perMinute) throw over(read, `${shown(read)} tokens`);
    return read;
  }
  const read = tokensIn([withoutMedia(messages), ...[tools, format].filter((part) => part !== undefined)]);
  const answers = answersOf(body);
  const field = mostFields.find((name) => typeof body[name] === "number");
  const asked = field === undefined ? null : Number(body[field]) * answers;
  const least = read + (asked ?? answers);
  if (least > perMinute)
    throw over(least, `${shown(read)} tokens of prompt and ${shown(least - read)} of output`, field);
  const { maxOutputTokens: longest = Number.POSITIVE_INFINITY } = compiled.operation.limits;
  const usual = usualAnswers.get(compiled.model.id) ?? assumedAnswer;
  return asked === null
    ? Math.min(perMinute, read + Math.ceil(Math.min(usual, Number(longest)) * answers))
    : least;
}

/** Where a chat says how long its answer may be, the stronger field first. */
const mostFields = ["max_completion_tokens", "max_tokens"] as const;

const mediaTypes: ReadonlySet<unknown> = new Set(
  Object.values(partTypes).filter((type) => type !== partTypes.text),
);

/** Media in a prompt are not counted before the upstream has counted them. */
function withoutMedia(messages: unknown): unknown {
  return recordsOf(messages).map(({ content, ...message }) => ({
    ...message,
    content: Array.isArray(content)
      ? content.filter((part) => !mediaTypes.has(recordOf(part).type))
      : content,
  }));
}

const shown = (tokens: number) => tokens.toLocaleString("en");

const holders = { key: "This key", member: "This member", account: "This account" } as const;

function limitText({ of, model, perMinute }: TokenLimit): string {
  return `${holders[of]} may use ${shown(perMinute)} a minute${model === null ? "" : ` with ${model}`}.`;
}

function overLimit(limit: TokenLimit, needs: string, param: string | null = null): ApiError {
  return new ApiError(
    "request_over_token_limit",
    `This request may need ${needs}, more than a whole minute allows. ${limitText(limit)} Send less, or ask for a shorter answer.`,
    { param },
  );
}
