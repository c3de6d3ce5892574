import { FileDown } from "lucide-react";
import dynamic from "next/dynamic";
import type { OutputFile } from "#contract/prediction.ts";
import { useWords } from "#words";
import { ImageGrid } from "./image-grid.tsx";
import { mediaFamily } from "./media-family.ts";

const AudioPlayer = dynamic(() => import("./audio-player.tsx").then((module) => module.AudioPlayer), {
  loading: () => null,
});

const VideoPlayer = dynamic(() => import("./video-player.tsx").then((module) => module.VideoPlayer), {
  loading: () => null,
});

/** A stored file that this reader may open. */
export type ShownFile = Omit<OutputFile, "url" | "gated"> & { url: string };

/** A stored file in its player, or a download link if there is no player for it. */
export function MediaPreview({ file, title }: { file: ShownFile; title: string }) {
  const t = useWords("media");
  switch (mediaFamily(file.content_type)) {
    case "image":
      return (
        <ImageGrid
          images={[
            { url: file.url, width: file.width, height: file.height, alt: title, preview: file.preview_url },
          ]}
        />
      );
    case "video":
      return (
        <VideoPlayer
          src={file.url}
          title={title}
          poster={file.preview_url}
          width={file.width}
          height={file.height}
          duration={file.duration}
        />
      );
    case "audio":
      return <AudioPlayer src={file.url} title={title} />;
    case "other":
      return (
        <a href={file.url} download className="inline-flex items-center gap-2 text-accent underline">
          <FileDown size={16} aria-hidden />
          {t("saveTitle", { title, type: file.content_type })}
        </a>
      );
  }
}
