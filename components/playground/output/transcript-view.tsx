import { CopyButton } from "@/components/ui/copy-button";

export function TranscriptView({ text }: { text: string }) {
  return (
    <article className="flex min-w-0 gap-2 rounded-panel border p-4">
      <p className="min-w-0 flex-1 whitespace-pre-wrap wrap-anywhere">
        {text || <span className="text-muted">No speech was detected.</span>}
      </p>
      <CopyButton value={text} label="Copy transcript" />
    </article>
  );
}
