import { AudioLines, Clapperboard, File, Image, Lock } from "lucide-react";
import type { Output } from "#contract/outputs.ts";
import { mediaFamily } from "@/components/media/media-family";
import { useMediaAddress } from "@/components/media/use-media-address";
import { Time } from "@/components/ui/time";

const icons = { image: Image, audio: AudioLines, video: Clapperboard, other: File };
/** Larger images are not loaded for a grid. */
const largestBytes = 8_000_000;

/** One file of the grid; a press opens it. */
export function KeptCard({ output, onOpen }: { output: Output; onOpen: () => void }) {
  const { model, kept, created_at: createdAt } = output;
  const title = kept?.prompt ?? model;
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex w-full min-w-0 flex-col overflow-hidden rounded-panel border bg-panel text-left hover:border-accent"
    >
      <Picture output={output} />
      <span className="flex min-w-0 flex-col gap-1 px-3 py-2">
        <span className="line-clamp-2 wrap-anywhere font-medium">{title}</span>
        <span className="truncate text-meta text-muted">
          {kept?.prompt && `${model} · `}
          <Time value={createdAt} />
        </span>
        {kept && kept.labels.length > 0 && (
          <span className="truncate text-meta text-muted">{kept.labels.join(", ")}</span>
        )}
      </span>
    </button>
  );
}

function Picture({ output }: { output: Output }) {
  const { url, gated, content_type: contentType, size_bytes: sizeBytes } = output;
  const family = mediaFamily(contentType);
  const file = useMediaAddress(url ?? "");
  const Icon = gated ? Lock : icons[family];
  return (
    <span className="grid aspect-video w-full place-items-center overflow-hidden bg-sunken text-faint">
      {url && family === "image" && sizeBytes <= largestBytes && !file.failed ? (
        // biome-ignore lint/performance/noImgElement: signed URLs must not pass through an image proxy
        <img
          src={file.address}
          alt=""
          loading="lazy"
          decoding="async"
          {...file.element}
          className="size-full object-cover"
        />
      ) : (
        <span className="flex flex-col items-center gap-1 text-meta text-muted">
          <Icon size={28} aria-hidden />
          {gated ? "Attestation needed" : contentType}
        </span>
      )}
    </span>
  );
}
