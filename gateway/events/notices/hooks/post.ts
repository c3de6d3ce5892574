import type { Agent } from "undici";
import type { Config } from "#gateway/platform/core/config.ts";
import { readRetryAfter } from "#gateway/platform/core/retry-schedule.ts";
import { createGuardedAgent } from "#gateway/platform/network/address-guard.ts";
import { exchange } from "#gateway/platform/network/exchange.ts";
import { errorCodeOf } from "#gateway/platform/network/resolve.ts";
import { plain } from "../plain.ts";

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
