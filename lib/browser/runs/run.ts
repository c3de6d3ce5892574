import type { GatewayFailure } from "../../gateway/result.ts";
import { browserStore, storable } from "../../schema-form/draft.ts";
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

const maxKept = 20;

/**
 * Inputs with inline files would fill the browser's storage, so they are kept only until the page is left.
 */
const maxBodyCharacters = 100_000;

const maxTextCharacters = 20_000;

const keyOf = (accountId: string, operationId: string) => `gatehouse:runs:${accountId}:${operationId}`;

/** The last runs of an operation in this browser, newest first. */
export function runsStore(accountId: string, operationId: string) {
  const store = browserStore();
  const key = keyOf(accountId, operationId);
  const kept = {
    load(): Run[] {
      try {
        const runs: unknown = JSON.parse(store?.getItem(key) ?? "[]");
        return Array.isArray(runs) ? (runs as Run[]).filter((run) => typeof run?.key === "string") : [];
      } catch {
        return [];
      }
    },
    save(runs: readonly Run[]): void {
      const stored = runs
        .filter((run) => run.state !== "running")
        .slice(0, maxKept)
        .map(storedForm);
      try {
        store?.setItem(key, JSON.stringify(stored));
      } catch {
        // Full storage loses nothing but this browser's history.
      }
    },
    /** Adds to the stored list, which another tab may have changed. */
    add(run: Run): Run[] {
      const runs = withRun(kept.load(), run);
      kept.save(runs);
      return runs;
    },
    clear(): void {
      store?.removeItem(key);
    },
  };
  return kept;
}

/** Newest first, without duplicate keys. */
export function withRun(runs: readonly Run[], run: Run): Run[] {
  const others = runs.filter(({ key }) => key !== run.key);
  return [run, ...others].sort((first, second) => second.startedAtMs - first.startedAtMs).slice(0, maxKept);
}

function storedForm(run: Run): Run {
  const body = storable(run.body);
  const tooLarge = JSON.stringify(body).length > maxBodyCharacters;
  return { ...run, body: tooLarge ? {} : body, raw: null, output: keptOutput(run.output) };
}

/**
 * Sound is not stored, and long texts are shortened. Links to images are stored and work until the files are
 * removed.
 */
function keptOutput(output: RunOutput | null): RunOutput | null {
  if (!output || output.kind === "speech" || output.kind === "other") return null;
  if (output.kind === "chat")
    return { ...output, text: output.text.slice(0, maxTextCharacters), reasoning: "" };
  if (output.kind === "images" && output.images.some(({ url }) => url.startsWith("data:"))) return null;
  return output;
}
