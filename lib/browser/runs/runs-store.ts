import { storable } from "../../schema-form/draft.ts";
import { browserStore } from "../../schema-form/drafts-store.ts";
import type { Run, RunOutput } from "./run.ts";

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
