import { credentialKind } from "#gateway/access/accounts/keys/format.ts";
import { commandLine } from "#gateway/platform/core/command-line.ts";
import { readInstallation } from "#gateway/platform/core/config.ts";
import { UsageError } from "./command.ts";

const answerMs = 30_000;

/** The gateway that a command calls, and the key that it sends. */
export interface Where {
  /** Ends in `/v1`. */
  url: string;
  key: string | null;
}

export const whereOptions = { key: { type: "string" }, gateway: { type: "string" } } as const;

/**
 * From `--gateway` and `--key`; by default this machine's gateway and GATEHOUSE_API_KEY. Throws UsageError.
 */
export function whereOf({ key: named, gateway }: Record<string, unknown>): Where {
  const key = typeof named === "string" ? named : process.env.GATEHOUSE_API_KEY || null;
  if (key !== null && credentialKind(key) === null)
    throw new UsageError("--key (or GATEHOUSE_API_KEY) must be a complete account key (svc_live_…)");
  const url = typeof gateway === "string" ? gateway : `${readInstallation().publicUrl}/v1`;
  if (!/^https?:/.test(url))
    throw new UsageError("--gateway must be an address like https://gateway.example.com/v1");
  return { url: url.replace(/\/+$/, ""), key };
}

/** As `whereOf`, for a command that needs the key of an operator. */
export function whereOfOperator(values: Record<string, unknown>): Where {
  const where = whereOf(values);
  if (where.key === null)
    throw new UsageError(
      `--key (or GATEHOUSE_API_KEY) is required. This prints a key: ${commandLine} keys create --email <yours> --name setup --operator`,
    );
  return where;
}

/** The gateway's JSON answer. Sends a POST if there is a body. Throws the gateway's error message. */
export async function askGateway(
  { url, key }: Where,
  path: string,
  signal: AbortSignal,
  body?: object,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
  }).catch((error: unknown) => {
    throw signal.aborted ? error : unreachable(url, error);
  });
  const said = (await answer.json().catch(() => null)) as Record<string, unknown> | null;
  if (answer.ok && said) return said;
  const { message } = (said?.error ?? {}) as { message?: string };
  throw new Error(`${url} answered ${answer.status}: ${message ?? "no JSON. Does the address end in /v1?"}`);
}

/**
 * Why a URL could not be reached: `fetch` itself only reports that it failed, and puts the reason in `cause`.
 */
export function unreachable(url: string, error: unknown): Error {
  const { cause, message, name } = error as Error & { cause?: { code?: string; message?: string } };
  const reason =
    name === "TimeoutError"
      ? `no answer within ${answerMs / 1000} s`
      : cause?.message || cause?.code || message;
  return new Error(
    `${url} cannot be reached: ${reason}. Is the gateway running there? --gateway names another address.`,
  );
}
