import type { GatewayFailure } from "../../gateway/result.ts";
import { newRunKey } from "./run-key.ts";

/** The result of a run, by kind. */
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
  /** Chunks that arrived; about one per token. */
  pieces: number;
}

export interface RunMeta {
  status: number;
  requestId: string | null;
  region: string | null;
  generationId: string | null;
  sandbox: boolean;
  /** Keys that were accepted, but not passed on. */
  ignoredParams: string[];
  replayed: boolean;
  /** What the account pays for it, such as `0.0123 USD`; null where that is not known. */
  cost: string | null;
}

/** One press of Run in this browser. */
export interface Run {
  /** The idempotency key; also the run's name here. */
  key: string;
  operationId: string;
  startedAtMs: number;
  body: Record<string, unknown>;
  state: "running" | "succeeded" | "failed" | "stopped";
  output: RunOutput | null;
  failure: GatewayFailure | null;
  meta: RunMeta | null;
  firstTokenMs: number | null;
  /** How long a chat thought before its answer began; runs that were kept earlier lack it. */
  thoughtMs?: number | null;
  totalMs: number | null;
  /** The answer's JSON, or the data lines of its stream. */
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

/** What came all at once has no speed. */
const leastSeconds = 0.1;

/** Generated tokens per second after the first; null while there are too few to tell. */
export function tokensPerSecond(run: Run): number | null {
  if (run.output?.kind !== "chat" || run.firstTokenMs === null || run.totalMs === null) return null;
  const tokens = run.output.usage?.completion_tokens ?? run.output.pieces;
  const seconds = (run.totalMs - run.firstTokenMs) / 1000;
  return tokens > 1 && seconds >= leastSeconds ? (tokens - 1) / seconds : null;
}
