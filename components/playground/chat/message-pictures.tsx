"use client";

import { X } from "lucide-react";
import { useWords } from "#words";
import { IconButton } from "@/components/ui/button";
import { bracketed } from "@/messages/marks";
import { MediaThumb, useMediaDescription } from "../form/media/media-thumb.tsx";

interface MessagePicturesProps {
  /** Uploads and URLs. */
  urls: readonly string[];
  onRemove?: (index: number) => void;
}

/** Pictures of a message. Pictures on other sites are not loaded. */
export function MessagePictures({ urls, onRemove }: MessagePicturesProps) {
  const t = useWords("playground");
  if (urls.length === 0) return null;
  return (
    <ul aria-label={t("pictures")} className="flex min-w-0 flex-wrap gap-2">
      {urls.map((url, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same picture may stand twice
        <li key={`${index} ${url.slice(-40)}`} className="flex min-w-0 items-center gap-1">
          <Picture url={url} />
          {onRemove && (
            <IconButton
              size="sm"
              label={t("removePicture", { number: index + 1 })}
              icon={<X size={14} aria-hidden />}
              onClick={() => onRemove(index)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function Picture({ url }: { url: string }) {
  const t = useWords("playground");
  const { family, preview, label, src, problem, detail } = useMediaDescription(url, "image");
  const thumb = <MediaThumb family={family} preview={preview} label={label} />;
  if (problem)
    return (
      <span className="flex min-w-0 items-center gap-2 text-meta text-muted">
        {thumb} {t("thisPictureIsNoLonger")}
      </span>
    );
  if (preview === null)
    return (
      <span className="flex min-w-0 items-center gap-2 text-meta text-muted wrap-anywhere">
        {thumb} {detail ? bracketed(t.language, label, detail) : label}
      </span>
    );
  return src && !src.startsWith("data:") ? (
    <a href={src} target="_blank" rel="noopener noreferrer" aria-label={t("openLabel", { label })}>
      {thumb}
    </a>
  ) : (
    thumb
  );
}
