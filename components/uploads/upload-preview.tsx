"use client";

import { useQuery } from "@tanstack/react-query";
import type { Upload } from "#contract/upload.ts";
import { useWords } from "#words";
import { AudioPlayer } from "@/components/media/audio-player";
import { LazyMediaFailure, useMediaAddress } from "@/components/media/lazy-media-failure";
import { mediaFamily } from "@/components/media/media-family";
import { VideoPlayer } from "@/components/media/video-player";
import { Dialog } from "@/components/ui/dialog";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Skeleton } from "@/components/ui/page/skeleton";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";

/** Shows the stored file through a newly signed link. */
export function UploadPreview({ upload, onClose }: { upload: Upload; onClose: () => void }) {
  const t = useWords("uploads");
  const name = upload.filename ?? upload.id;
  const { data, error, refetch } = useQuery({
    queryKey: ["upload-preview", upload.id],
    queryFn: () => fetchRoute("GET /uploads/{id}", { params: { id: upload.id } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const failure = failureBehind(error);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={name} size="lg">
      {failure ? (
        <ErrorPanel error={failure} onRetry={() => void refetch()} />
      ) : data?.download_url ? (
        <Player
          family={mediaFamily(data.content_type)}
          url={data.download_url}
          poster={data.preview_url}
          name={name}
        />
      ) : data ? (
        <p className="text-muted">{t("noPreviewAvailable", { status: data.status })}</p>
      ) : (
        <Skeleton className="h-64 w-full" />
      )}
    </Dialog>
  );
}

function Player({
  family,
  url,
  poster,
  name,
}: {
  family: ReturnType<typeof mediaFamily>;
  url: string;
  poster: string | null;
  name: string;
}) {
  const t = useWords("uploads");
  switch (family) {
    case "image":
      return <PreviewImage url={url} name={name} />;
    case "video":
      return (
        <VideoPlayer src={url} title={name} poster={poster} width={null} height={null} duration={null} />
      );
    case "audio":
      return <AudioPlayer src={url} title={name} />;
    case "other":
      return (
        <a href={url} download className="text-accent underline">
          {t("saveName", { name })}
        </a>
      );
  }
}

function PreviewImage({ url, name }: { url: string; name: string }) {
  const file = useMediaAddress(url);
  if (file.failed) return <LazyMediaFailure title={name} {...file} />;
  return (
    // biome-ignore lint/performance/noImgElement: signed URLs must not pass through an image proxy
    <img
      src={file.address}
      alt={name}
      {...file.element}
      className="mx-auto max-h-[65vh] max-w-full rounded-panel object-contain"
    />
  );
}
