import { Download, Sparkles } from "lucide-react";
import type { SharedFile } from "#contract/shares.ts";
import { MediaPreview } from "@/components/media/media-preview";
import { SandboxBadge } from "@/components/media/sandbox-badge";
import { ProvenanceFacts } from "@/components/provenance/provenance-facts";
import { Badge } from "@/components/ui/badge";
import { buttonLook } from "@/components/ui/form/control-look";
import { Time } from "@/components/ui/time";
import { formatBytes, formatDuration } from "@/lib/format";

interface SharedFileViewProps {
  file: SharedFile;
  /** Null: it was removed. */
  url: string | null;
}

/** One file of a link: large, with what made it, where it comes from, and a way to save it. */
export function SharedFileView({ file, url }: SharedFileViewProps) {
  return (
    <article className="min-w-0 space-y-3" aria-label={`Output of ${file.model_name}`}>
      {url ? (
        <MediaPreview file={{ ...file, url, preview_url: null }} title={`Output of ${file.model_name}`} />
      ) : (
        <p className="rounded-panel border border-dashed px-6 py-12 text-center text-muted">
          This file was removed.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="font-mono text-title font-semibold wrap-anywhere">{file.model_name}</h2>
        {file.sandbox && <SandboxBadge />}
        {file.ai_label && <Badge icon={<Sparkles size={12} aria-hidden />}>Made with AI</Badge>}
        {url && (
          <a href={url} download className={buttonLook("secondary", "md", "ml-auto")}>
            <Download size={16} aria-hidden />
            Download
          </a>
        )}
      </div>
      {file.prompt !== null && (
        <section>
          <h3 className="text-table font-medium">Prompt</h3>
          <p className="whitespace-pre-wrap wrap-anywhere">{file.prompt}</p>
        </section>
      )}
      <p className="text-table text-muted">
        {factsOf(file)} · made <Time value={file.created_at} mode="absolute" />
        {file.expires_at && (
          <>
            {" "}
            · the file is removed <Time value={file.expires_at} mode="absolute" />
          </>
        )}
      </p>
      <section>
        <h3 className="mb-1 text-table font-medium">Where it comes from</h3>
        {file.ai_label && <p className="mb-2 text-table">{file.ai_label}</p>}
        <ProvenanceFacts provenance={file.provenance} />
      </section>
    </article>
  );
}

function factsOf(file: SharedFile): string {
  return [
    file.content_type,
    file.width && file.height ? `${file.width} × ${file.height}` : null,
    file.duration !== null ? formatDuration(file.duration * 1000) : null,
    formatBytes(file.size_bytes),
  ]
    .filter(Boolean)
    .join(" · ");
}
