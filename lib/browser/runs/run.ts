import type { GatewayFailure } from "../../gateway/result.ts";
import { newRunKey } from "./run-key.ts";

/** The output of a run. `kind` decides how it is shown. */
export type RunOutput =
  | ChatOutput
  | { kind: "speech"; src: string; sizeBytes: number }
  | { kind: "transcript"; text: string }
  | { kind: "voices"; action: string; data: unknown }
  | { kind: "images"; images: { url: string; width: number | null; height: number | null }[] }
  | { kind: "vectors"; vectors: number[][] }
  | { kind: "ranking"; results: { index: number; score: number }[] }
  | { kind: "prediction"; id: string }
  | { kind: "other"; body: unknown };

export interface ChatOutput {
  kind: "chat";
  text: string;
  reasoning: string;
  toolCalls: { id: string; name: string; arguments: string }[];
  finishReason: string | null;
  usage: { prompt_tokens?: number; completion_tokens?: number; total_tokens?: number } | null;
  /** Number of chunks that arrived, about one per token. */
  pieces: number;
}

export interface RunMeta {
  status: number;
  requestId: string | null;
  region: string | null;
  generationId: string | null;
  sandbox: boolean;
  /** Keys of the body that the gateway accepted but did not send to the upstream. */
  ignoredParams: string[];
  replayed: boolean;
  /** What the account pays, such as `0.0123 USD`. Null if unknown. */
  cost: string | null;
}

/** One click on Run in this browser. */
export interface Run {
  /** The idempotency key. It also identifies the run in the console. */
  key: string;
  operationId: string;
  startedAtMs: number;
  body: Record<string, unknown>;
  state: "running" | "succeeded" | "failed" | "stopped";
  output: RunOutput | null;
  failure: GatewayFailure | null;
  meta: RunMeta | null;
  firstTokenMs: number | null;
  /** How long a chat model thought before its answer. Missing in runs that older versions stored. */
  thoughtMs?: number | null;
  totalMs: number | null;
  /** The JSON of the answer, or the data lines of its stream. */
  raw: unknown;
}

export function newRun(operationId: string, body: Record<string, unknown>, key: string = newRunKey()): Run {
  return {
    key,
    operationId,
    startedAtMs: Date.now(),
    body,
    state: "running",
    output: null,
    failure: null,
    meta: null,
    firstTokenMs: null,
    totalMs: null,
    raw: null,
  };
}

/** An answer that arrived in one piece has no rate. */
const minSeconds = 0.1;

/** Generated tokens per second after the first token. Null if there are too few to measure. */
export function tokensPerSecond(run: Run): number | null {
  if (run.output?.kind !== "chat" || run.firstTokenMs === null || run.totalMs === null) return null;
  const tokens = run.output.usage?.completion_tokens ?? run.output.pieces;
  const seconds = (run.totalMs - run.firstTokenMs) / 1000;
  return tokens > 1 && seconds >= minSeconds ? (tokens - 1) / seconds : null;
}
