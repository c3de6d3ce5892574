import { IdChip } from "@/components/ui/id-chip";
import { type Run, tokensPerSecond } from "@/lib/browser/runs/run";
import { formatDuration } from "@/lib/format";

/** What is worth knowing of a run beside its output: how fast, where, under which id, and what was left out. */
export function RunFacts({ run }: { run: Run }) {
  const { meta, output, firstTokenMs } = run;
  const speed = tokensPerSecond(run);
  const timing = [
    firstTokenMs !== null && `first token ${formatDuration(firstTokenMs)}`,
    speed !== null && `${speed.toFixed(speed < 10 ? 1 : 0)} tokens/s`,
  ].filter(Boolean);
  const id = output?.kind === "prediction" ? output.id : meta?.requestId;
  return (
    <footer className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-meta text-muted">
      {timing.length > 0 && <span className="tabular">{timing.join(" · ")}</span>}
      {meta?.region && <span>{meta.region}</span>}
      {id && <IdChip id={id} href={output?.kind === "prediction" ? `/predictions/${id}` : undefined} />}
      {meta && meta.ignoredParams.length > 0 && (
        <p className="basis-full text-warn">Not passed to the model: {meta.ignoredParams.join(", ")}.</p>
      )}
      {meta?.replayed && (
        <p className="basis-full">This request had already been sent, so it was not run twice.</p>
      )}
    </footer>
  );
}
