import type { Logger } from "pino";
import type { RegionName } from "#contract/catalog.ts";
import type { Sentence } from "#contract/sentences.ts";
import type { Connection } from "#gateway/models/providers/configuration.ts";
import { HttpClient, type WholeAnswer } from "#gateway/models/providers/http/http-client.ts";
import { maxBytes, parsed } from "#gateway/models/providers/http/read-body.ts";
import { baseUrlOf, settingsOf } from "#gateway/models/providers/protocols.ts";
import { keyHeader, withoutSecret } from "#gateway/models/providers/upstreams/upstream.ts";
import { troubleOfAnswer, troubleOfConnection } from "./troubles.ts";

/** How long to wait for the answer to a request that costs nothing. */
const askMs = 15_000;

export interface Question {
  connection: Connection;
  region: RegionName;
  /** The complete URL; the key is sent to it. */
  url: URL;
  /** The name of one of several keys; by default the first. */
  keyName?: string;
  log: Logger;
  waitMs?: number;
}

/** The URL of a path below a region's base URL, or of a complete URL. Null if the region has no address. */
export function urlOf(connection: Connection, region: RegionName, path = ""): URL | null {
  const base = baseUrlOf(connection.entry, region);
  if (base === null) return null;
  return URL.parse(path.startsWith("/") || path === "" ? base.replace(/\/+$/, "") + path : path);
}

/** `trouble`: the problem; null if the provider answered JSON with a status below 300. */
export interface Asked {
  latencyMs: number;
  status: number | null;
  body: unknown;
  trouble: readonly Sentence[] | null;
}

/** Sends a GET to a provider. Never throws, follows no redirect and never shows the key. */
export async function askProvider({
  connection,
  region,
  url,
  keyName,
  log,
  waitMs = askMs,
}: Question): Promise<Asked> {
  const settings = settingsOf(connection, log);
  const client = new HttpClient(settings);
  const keys = settings.keys(region);
  const key = (keys.find(({ name }) => name === keyName) ?? keys[0])?.secret ?? null;
  const startedAt = performance.now();
  const latency = () => Math.round(performance.now() - startedAt);
  try {
    const answer = await client.sendWhole(
      {
        method: "GET",
        to: { origin: url.origin, path: url.pathname + url.search },
        headers: {
          accept: "application/json",
          "user-agent": "gatehouse",
          ...settings.headers,
          ...keyHeader(settings.scheme, key),
        },
        signal: AbortSignal.timeout(waitMs),
        answerMs: waitMs,
        totalMs: waitMs,
      },
      maxBytes.json,
    );
    const latencyMs = latency();
    const text = withoutSecret(textOf(answer), key);
    const body = parsed(text);
    const trouble = troubleOfAnswer({ answer, body, text, url, hasKey: key !== null });
    return { latencyMs, status: answer.status, body, trouble };
  } catch (error) {
    const trouble = [troubleOfConnection(error, url, waitMs)];
    return { latencyMs: latency(), status: null, body: null, trouble };
  } finally {
    await client.close();
  }
}

function textOf({ bytes }: WholeAnswer): string {
  return bytes.toString("utf8");
}
