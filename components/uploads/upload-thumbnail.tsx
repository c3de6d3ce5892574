"use client";

import { FileAudio, FileImage, FileQuestion, FileVideo } from "lucide-react";
import type { Upload } from "#contract/upload.ts";
import { mediaFamily } from "@/components/media/media-family";
import { Thumbnail } from "@/components/media/thumbnail";

const icons = { image: FileImage, audio: FileAudio, video: FileVideo, other: FileQuestion };

export function UploadThumbnail({ upload }: { upload: Upload }) {
  const { download_url: url, size_bytes: sizeBytes } = upload;
  const family = mediaFamily(upload.content_type);
  return <Thumbnail image={family === "image" && url ? { url, sizeBytes } : null} icon={icons[family]} />;
}
