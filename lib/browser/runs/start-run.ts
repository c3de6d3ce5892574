import type { CatalogOperation } from "#contract/catalog.ts";
import { operationPaths } from "#contract/catalog-constants.ts";
import { localFailure } from "../../gateway/result.ts";
import { sendToGateway } from "../gateway.ts";
import type { Run } from "./run.ts";

/** A stream tells its tokens and its cost only if it is asked to. */
function withUsage({ api_type: kind }: CatalogOperation, body: Run["body"]): Run["body"] {
  if (kind !== "chat-completions" || body.stream !== true || body.stream_options !== undefined) return body;
  return { ...body, stream_options: { include_usage: true } };
}

interface StartOptions {
  operation: CatalogOperation;
  run: Run;
  /** Stops waiting. A chat keeps the text that has arrived. */
  signal: AbortSignal;
  /** Called with the run after each step. */
  onUpdate: (run: Run) => void;
}

/**
 * Sends the run's body to its operation and reads the whole answer. Expected failures are returned, never
 * thrown.
 */
export async function startRun({ operation, run, signal, onUpdate }: StartOptions): Promise<Run> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  let current = run;
  const update = (change: Partial<Run>) => {
    current = { ...current, ...change };
    onUpdate(current);
    return current;
  };
  // This module is loaded while the request runs, not with the page.
  const reading = import("./read-answer.ts");
  reading.catch(() => {});
  try {
    const sent = await sendToGateway(operationPaths[operation.api_type], {
      method: "POST",
      body: withUsage(operation, run.body),
      headers: { "idempotency-key": run.key },
      signal,
    });
    if (!sent.ok) return update({ state: "failed", failure: sent.error, totalMs: elapsed() });
    const { readAnswer } = await reading;
    return await readAnswer(sent.data, operation, update, elapsed);
  } catch (error) {
    if (signal.aborted) return update({ state: "stopped", totalMs: elapsed() });
    const failure = localFailure(
      "connection_lost",
      "The connection was lost before the response was complete. Run again.",
    );
    console.warn("run ended early", error);
    return update({ state: "failed", failure, totalMs: elapsed() });
  }
}
