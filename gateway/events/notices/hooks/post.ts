import type { Agent } from "undici";
import { newId } from "#contract/ids.ts";
import type { TestResult } from "#contract/notices.ts";
import type { EventsContext } from "#gateway/events/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { readRetryAfter } from "#gateway/platform/core/retry-schedule.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { noticeHooks } from "#gateway/platform/database/schema.ts";
import type { MessageItem } from "#gateway/platform/database/tables/notices.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { createGuardedAgent, errorCodeOf } from "#gateway/platform/network/address-guard.ts";
import { exchange } from "#gateway/platform/network/exchange.ts";
import { assertMayLeave } from "#gateway/platform/network/quiet.ts";
import { plain } from "../describe-notice.ts";
import { pageUrls } from "../mail/compose.ts";
import { findHook, type HookOwner, hookSealer, ownerOf, textsOf } from "./hooks.ts";
import { hookBody } from "./templates.ts";

const maxAnswerBytes = 4_096;
/** The longest wait; if a receiver requests a longer one, it is tried again after this time. */
const maxRetryAfterMs = 3_600_000;

/**
 * Posts to hooks under the same rules as webhooks: only public addresses, no redirects, the allowed ports.
 */
export interface HookPoster {
  /** Throws `HookError`. */
  post(url: string, id: string, body: string): Promise<void>;
  close(): Promise<void>;
}

/** Why a hook did not accept a message. `isFinal`: retrying is useless. Never contains the URL. */
export class HookError extends Error {
  readonly isFinal: boolean;
  /** The wait that the receiver requests, in ms. */
  readonly retryAfterMs: number;

  constructor(message: string, isFinal: boolean, retryAfterMs = 0) {
    super(message);
    this.isFinal = isFinal;
    this.retryAfterMs = retryAfterMs;
  }
}

export function openHookPoster({ webhooks }: Pick<Config, "webhooks">): HookPoster {
  const { ports, allowCidrs, caFile, timeoutMs } = webhooks;
  const agent: Agent = createGuardedAgent({ ports, allowCidrs, caFile, connectTimeoutMs: timeoutMs });
  return {
    async post(url, id, body) {
      assertMayLeave();
      const { origin, pathname, search } = new URL(url);
      const headers = {
        "content-type": "application/json",
        "user-agent": "Gatehouse",
        // Lets a receiver recognise a duplicate.
        "idempotency-key": id,
      };
      const sent = exchange(
        agent,
        { origin, path: `${pathname}${search}`, method: "POST", headers, body },
        { maxBytes: maxAnswerBytes, totalMs: timeoutMs },
      );
      const answer = await sent.answer.catch((error: unknown) => {
        throw new HookError(`No answer (${errorCodeOf(error) ?? "connection failed"})`, false);
      });
      if (answer.status >= 200 && answer.status < 300) return;
      const said = plain(Buffer.concat(sent.chunks).toString("utf8"));
      const isPassing = answer.status >= 500 || answer.status === 429 || answer.status === 408;
      throw new HookError(
        `Answered ${answer.status}${said && `: ${said}`}`,
        !isPassing,
        Math.min(readRetryAfter(answer.headers["retry-after"]) ?? 0, maxRetryAfterMs),
      );
    },
    close: () => agent.close(),
  };
}

const tests: Limit = { name: "notice tests", count: 10, periodMs: 60_000 };

/** Posts an example to a hook at once. Throws `notice_hook_not_found` and `rate_limit_exceeded`. */
export async function testHook(
  context: EventsContext,
  owner: HookOwner,
  hookId: string,
): Promise<TestResult> {
  const { database, config, limiter } = context;
  const hook = await findHook(context, owner, hookId);
  const taken = await limiter.take(owner ?? "operators", tests);
  if (!taken.allowed) throw tooManyRequests("Too many tests. Wait a minute and try again.", taken);
  const id = newId("noticeMessage");
  const example = { noticeId: null, subjectId: null, groupKey: "", count: 1, ...exampleFor(owner) };
  const body = hookBody(
    hook.template,
    {
      id,
      ...(await ownerOf(context, hook)),
      createdAt: clock.date(),
      items: [example],
      more: 0,
      causes: [example.cause],
    },
    pageUrls(config),
    await textsOf(context, hook),
  );
  const poster = openHookPoster(config);
  const error = await poster
    .post(hookSealer(config).open(hook, hook.id), id, body)
    .then(() => null)
    .catch((caught: unknown) => {
      if (caught instanceof HookError) return caught.message;
      throw caught;
    })
    .finally(() => poster.close());
  await database.queries
    .update(noticeHooks)
    .set(
      error === null
        ? { lastSentAt: clock.date(), lastError: null, lastErrorAt: null }
        : { lastError: error, lastErrorAt: clock.date() },
    )
    .where(eq(noticeHooks.id, hook.id));
  return { object: "notice_test", sent: error === null, error };
}

function exampleFor(owner: HookOwner): Pick<MessageItem, "cause" | "data"> {
  return owner === null
    ? {
        cause: "provider.unhealthy",
        data: {
          model: "This is a test: no model",
          provider: "no provider",
          region: "no region",
          message: "–",
        },
      }
    : { cause: "member.joined", data: { name: "This is a test: nobody", role: "member" } };
}
