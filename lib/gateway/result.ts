import type { ErrorDetail, SecondFactorAsked } from "#contract/error.ts";

/** The result of a call to the gateway: an expected failure is a value with a code, never an exception. */
export type GatewayResult<Data> =
  | { ok: true; data: Data /** The change of the configuration that the call made. */; changeId?: string }
  | { ok: false; error: GatewayFailure };

/**
 * The result of a server action. Next runs a browser's actions one after the other and waits for each value.
 * The answer is a promise inside that value, so a slow action does not delay the next.
 */
export type ActionResult<Data> = Promise<{ answer: Promise<GatewayResult<Data>> }>;

export interface GatewayFailure {
  /** 0 if the gateway could not be reached at all. */
  status: number;
  /** A code of the contract, or the console's own `gateway_unreachable`, `signed_out` or `offline`. */
  code: string;
  message: string;
  param: string | null;
  details: ErrorDetail[];
  requestId: string | null;
  retryAfterSeconds: number | null;
  /** Set after a sign-in with a correct password that needs a second step. Never leaves the server. */
  secondFactor?: SecondFactorAsked;
}

interface WireError {
  error?: {
    message?: unknown;
    code?: unknown;
    param?: unknown;
    request_id?: unknown;
    details?: unknown;
    second_factor?: unknown;
  };
}

/** Reads the gateway's error response. The result always has a code and a message. */
export function failureOf(status: number, body: unknown, headers: Headers): GatewayFailure {
  const error = (body as WireError | null)?.error ?? {};
  const retryAfter = Number(headers.get("retry-after"));
  return {
    status,
    code: typeof error.code === "string" ? error.code : `http_${status}`,
    message: typeof error.message === "string" ? error.message : `The gateway answered ${status}.`,
    param: typeof error.param === "string" ? error.param : null,
    details: Array.isArray(error.details) ? (error.details as ErrorDetail[]) : [],
    requestId: typeof error.request_id === "string" ? error.request_id : headers.get("x-request-id"),
    retryAfterSeconds: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null,
    ...(error.second_factor !== undefined && { secondFactor: error.second_factor as SecondFactorAsked }),
  };
}

/** A failure of a call that never reached the gateway. */
export function localFailure(code: string, message: string): GatewayFailure {
  return { status: 0, code, message, param: null, details: [], requestId: null, retryAfterSeconds: null };
}

/** `?a=1&b=2` from the values that are set; empty if none is. */
export function queryString(
  query: Record<string, string | number | boolean | null | undefined> = {},
): string {
  const entries = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== "",
  );
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return text ? `?${text}` : "";
}

/** The result of a configuration change, with the id for undoing it. Null: the change cannot be undone. */
export interface Changed<Data> {
  data: Data;
  changeId: string | null;
}

export async function withChangeId<Data>(
  call: Promise<GatewayResult<Data>>,
): Promise<GatewayResult<Changed<Data>>> {
  const answer = await call;
  if (!answer.ok) return answer;
  return { ok: true, data: { data: answer.data, changeId: answer.changeId ?? null } };
}
