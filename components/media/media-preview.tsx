import { FileDown } from "lucide-react";
import type { OutputFile } from "#contract/prediction.ts";
import { AudioPlayer } from "./audio-player";
import { ImageGrid } from "./image-grid";
import { mediaFamily } from "./media-family";
import { VideoPlayer } from "./video-player";

/** One stored file in the player that suits it; a link to save it where none does. */
export function MediaPreview({ file, title }: { file: OutputFile; title: string }) {
  switch (mediaFamily(file.content_type)) {
    case "image":
      return <ImageGrid images={[{ url: file.url, width: file.width, height: file.height, alt: title }]} />;
    case "video":
      return (
        <VideoPlayer
          src={file.url}
          title={title}
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
          <FileDown aria-hidden className="size-4" />
          Save {title} ({file.content_type})
        </a>
      );
  }
}
