import type { Readable } from "node:stream";
import type { Logger } from "pino";
import type { FormData } from "undici";
import type { RegionName } from "#contract/catalog.ts";
import type { UpstreamRateLimit } from "#contract/operator/health.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import {
  createOutputFetcher,
  maxOutputBytes,
  type OutputFetcher,
} from "#gateway/platform/network/fetch-output.ts";
import type { TraceHeaders } from "#gateway/platform/telemetry/telemetry.ts";
import type { RegionKey } from "../configuration.ts";
import {
  type Destination,
  type HttpAnswer,
  type HttpCall,
  HttpClient,
  isPrivateHost,
  type Timeouts,
} from "../http/http-client.ts";
import { rateLimitOf } from "../http/rate-limit.ts";
import { invalidAnswer, jsonOf, maxBytes, readStart, tooLarge } from "../http/read-body.ts";
import { type Fault, refusalOf } from "../http/refusal.ts";
import type { ProviderRequest } from "../provider.ts";
import { KeyRing } from "./key-ring.ts";

/**
 * How large media reach an upstream: inside the request, or as a signed URL of the gateway for the upstream
 * to fetch.
 */
export type MediaMode = "data" | "url";

/** How a key is sent: after this word in `authorization`, or in a header of this name. */
export type KeyScheme = "Bearer" | "Key" | "x-api-key";

/** One connection, with its protocol's settings. */
export interface UpstreamSettings {
  name: string;
  timeouts: Timeouts;
  media: MediaMode;
  /** Files up to this size are sent inside the request when `media` is `data`. */
  inlineMaxBytes: number;
  /** Origins that outputs may be fetched from even if they are not public https addresses. */
  ownOrigins: ReadonlySet<string>;
  /** Whether calls may go to private addresses or over plain http. */
  allowPrivate: boolean;
  baseUrl(region: RegionName): string;
  /** The keys of a region, at least one. */
  keys(region: RegionName): readonly RegionKey[];
  scheme: KeyScheme;
  /** Whether calls that run a model continue the caller's trace; undefined: at private addresses. */
  sendsTrace?: boolean | undefined;
  /** Headers of every call. */
  headers: Readonly<Record<string, string>>;
  readFault(text: string, headers: HttpAnswer["headers"]): Fault;
  log: Logger;
  /** Called when an answer reports the upstream's rate limit. */
  whenLimited?(caller: Caller, limit: UpstreamRateLimit): void;
}

export interface UpstreamCall {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  /** A path below the base URL, or a complete URL of the same origin. */
  path: string;
  json?: unknown;
  /** Whether `json` was made from the original body of a client that speaks the upstream's API. */
  native?: boolean;
  form?: FormData;
  headers?: Record<string, string>;
  /** `job` for calls that submit, poll or cancel; the others wait for the result or its stream. */
  wait?: "answer" | "job" | "stream";
  /** The largest body that `open` accepts. Checked only if the answer announces its length. */
  maxBytes?: number;
  /** The error for 404 and 410, unless they mean a wrong mapping. */
  gone?: () => ProviderError;
  /**
   * The error for a refusal that is the job's own failure and not a failed call; null for any other refusal.
   */
  failure?: (status: number, fault: Fault, headers: HttpAnswer["headers"]) => ProviderError | null;
}

/** Sends the calls. A preview uses a transport that only records them. */
export type Transport = Pick<HttpClient, "send" | "sendWhole" | "close" | "finish">;

/**
 * The parts of a request that every call needs. The region decides the host and the key; `key` names one of
 * several keys. Calls about a run also have its model.
 */
export type Caller = Pick<ProviderRequest, "region" | "signal" | "key" | "noteSent" | "trace"> & {
  model?: { id: string };
};

/** One connection as an HTTP service: its hosts, keys, time-outs and error format. */
export class Upstream {
  readonly settings: UpstreamSettings;
  private readonly http: Transport;
  private readonly outputs: OutputFetcher;
  private readonly bases = new Map<RegionName, Destination>();
  /** The regions whose calls continue the trace, each looked up at its first traced call. */
  private readonly traced = new Map<RegionName, Promise<boolean>>();
  private readonly rings = new Map<RegionName, KeyRing | null>();
  private retiring: NodeJS.Timeout | undefined;

  constructor(settings: UpstreamSettings, http: Transport = new HttpClient(settings)) {
    this.settings = settings;
    this.http = http;
    this.outputs = createOutputFetcher({ log: settings.log, ownOrigins: settings.ownOrigins });
  }

  get name(): string {
    return this.settings.name;
  }

  /** A successful answer with an unread body. Throws ProviderError with a code of the contract. */
  async open(caller: Caller, call: UpstreamCall): Promise<HttpAnswer> {
    const trace = caller.trace ? await this.traceOf(caller, caller.trace) : undefined;
    const answer = await this.http.send(this.requestOf(caller, call, trace));
    this.noteLimit(caller, answer);
    if (isSuccess(answer)) {
      const { maxBytes: limit = maxOutputBytes } = call;
      if (!(Number(answer.headers["content-length"]) > limit)) return answer;
      answer.body.destroy();
      throw tooLarge(limit);
    }
    throw this.refusal(caller, call, answer, await readStart(answer));
  }

  /** The JSON object of a successful answer. */
  async json(caller: Caller, call: UpstreamCall, limit = maxBytes.json): Promise<Record<string, unknown>> {
    const trace = caller.trace ? await this.traceOf(caller, caller.trace) : undefined;
    const answer = await this.http.sendWhole(this.requestOf(caller, call, trace), limit);
    const { bytes, truncated } = answer;
    this.noteLimit(caller, answer);
    if (!isSuccess(answer))
      throw this.refusal(caller, call, answer, bytes.toString("utf8", 0, maxBytes.error));
    if (truncated) throw tooLarge(limit);
    return jsonOf(bytes);
  }

  private noteLimit(caller: Caller, { headers }: Pick<HttpAnswer, "headers">): void {
    const limit = rateLimitOf(headers);
    if (!limit) return;
    this.settings.whenLimited?.(caller, limit);
    if (caller.key !== undefined) this.ringOf(caller.region)?.limited(caller.key, limit);
  }

  /** Chooses the next key of a region that has several; null otherwise. */
  ringOf(region: RegionName): KeyRing | null {
    const known = this.rings.get(region);
    if (known !== undefined) return known;
    const keys = this.settings.keys(region);
    const ring = keys.length > 1 ? new KeyRing(keys) : null;
    this.rings.set(region, ring);
    return ring;
  }

  /** The named key; the first one if that no longer exists or none is named. */
  private secretOf({ region, key }: Pick<Caller, "region" | "key">): string | null {
    const keys = this.settings.keys(region);
    const named = key === undefined ? undefined : keys.find(({ name }) => name === key);
    if (key !== undefined && !named)
      this.settings.log.warn(
        { provider: this.name, region, key },
        "a run was begun with a key that is gone: the first one of the region is used",
      );
    return (named ?? keys[0])?.secret ?? null;
  }

  /** The headers that continue the caller's trace, if the upstream gets them. */
  private async traceOf({ region }: Caller, trace: () => TraceHeaders): Promise<TraceHeaders> {
    const { sendsTrace, allowPrivate, baseUrl } = this.settings;
    if (sendsTrace !== undefined) return sendsTrace ? trace() : {};
    // The connection to a private address would be refused.
    if (!allowPrivate) return {};
    const known = this.traced.get(region);
    const isTraced = known ?? isPrivateHost(new URL(baseUrl(region)).hostname);
    this.traced.set(region, isTraced);
    try {
      return (await isTraced) ? trace() : {};
    } catch {
      this.traced.delete(region);
      return {};
    }
  }

  private requestOf(caller: Caller, call: UpstreamCall, trace: TraceHeaders | undefined): HttpCall {
    const { timeouts, scheme, headers } = this.settings;
    const key = this.secretOf(caller);
    if (call.json !== undefined) caller.noteSent?.(call.json, call.native === true);
    return {
      method: call.method ?? "POST",
      to: this.destinationOf(caller.region, call.path),
      headers: {
        accept: "*/*",
        "user-agent": "gatehouse",
        ...trace,
        ...headers,
        ...keyHeader(scheme, key),
        ...(call.json !== undefined && { "content-type": "application/json" }),
        ...call.headers,
      },
      ...(call.json !== undefined && { body: JSON.stringify(call.json) }),
      ...(call.form && { body: call.form }),
      signal: caller.signal,
      answerMs: call.wait === "job" ? timeouts.jobMs : timeouts.answerMs,
      totalMs: call.wait === "stream" ? timeouts.streamMs : timeouts.wholeMs,
    };
  }

  /** Whether a URL from the upstream may be called with the upstream's key. */
  owns(region: RegionName, text: string): boolean {
    const url = URL.parse(text);
    return url !== null && url.origin === this.baseOf(region).origin;
  }

  /** Opens an output at a URL from an answer, through the address guard. Throws ProviderError. */
  openOutput(url: string, signal: AbortSignal, limit?: number): Promise<Readable> {
    return this.outputs.open(url, signal, limit);
  }

  async close(): Promise<void> {
    clearTimeout(this.retiring);
    await this.http.close();
    await this.outputs.close();
  }

  /**
   * Call when the upstream is replaced or removed. Waits until every run that still uses it has certainly
   * started its last call, then closes the connections.
   */
  async retire(): Promise<void> {
    const { runMs, answerMs } = this.settings.timeouts;
    await new Promise<void>((resolve) => {
      this.retiring = setTimeout(resolve, runMs + answerMs).unref();
    });
    await this.http.finish();
    await this.outputs.close();
  }

  private destinationOf(region: RegionName, path: string): Destination {
    if (path.startsWith("/")) {
      const { origin, path: prefix } = this.baseOf(region);
      return plainPath.test(path) ? { origin, path: prefix + path } : destinationAt(origin + prefix + path);
    }
    if (!this.owns(region, path)) throw new Error("A key must be sent only to its own provider's server");
    return destinationAt(path);
  }

  /** The base URL of a region; cached in parsed form, because every call needs it. */
  private baseOf(region: RegionName): Destination {
    const known = this.bases.get(region);
    if (known) return known;
    const base = destinationAt(this.settings.baseUrl(region).replace(/\/+$/, ""));
    const fresh = { ...base, path: base.path.replace(/\/$/, "") };
    this.bases.set(region, fresh);
    return fresh;
  }

  private refusal(
    caller: Caller,
    call: UpstreamCall,
    { status, headers }: Pick<HttpAnswer, "status" | "headers">,
    start: string,
  ): ProviderError {
    if (call.gone && [404, 410].includes(status)) return call.gone();
    const text = withoutSecret(start, this.secretOf(caller));
    const fault = this.settings.readFault(text, headers);
    const failure = call.failure?.(status, fault, headers);
    if (failure) return failure;
    const { error, alert } = refusalOf(status, fault, headers);
    if (alert)
      this.settings.log.error(
        { alert: `upstream_${alert}`, provider: this.name, region: caller.region, key: caller.key, status },
        alert === "configuration"
          ? "an upstream does not know a model or path: check its routes"
          : "an upstream refuses the gateway's key, or its bill is unpaid",
      );
    return error;
  }
}

/** The header with a key; none for an upstream without keys. */
export function keyHeader(scheme: KeyScheme, key: string | null): Record<string, string> {
  if (key === null) return {};
  return scheme === "x-api-key" ? { "x-api-key": key } : { authorization: `${scheme} ${key}` };
}

/** Matches paths that need no escaping, which are nearly all. */
const plainPath = /^[\w/.:%~-]*$/;

function destinationAt(text: string): Destination {
  const { origin, pathname, search } = new URL(text);
  return { origin, path: pathname + search };
}

function isSuccess({ status }: Pick<HttpAnswer, "status">): boolean {
  return status >= 200 && status < 300;
}

/** The text without the key, and without the parts of the key that upstreams often repeat. */
export function withoutSecret(text: string, secret: string | null): string {
  const whole = secret ? text.replaceAll(secret, "[key]") : text;
  return whole.replace(/\b(?:sk|r8|key)[-_][\w*.-]{6,}/gi, "[key]");
}

/** The error when the upstream has deleted a job or file: retrying does not help. */
export function goneJob(): ProviderError {
  return new ProviderError("upstream_error", "The provider no longer knows this run.", {
    started: "yes",
    final: true,
  });
}

/** The error for an answer without the upstream's job id: the job runs, but cannot be polled. */
export function lostJob(): ProviderError {
  return invalidAnswer("The provider accepted the job but returned no id for it.");
}
