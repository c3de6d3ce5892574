"use client";

import { AudioLines, Clapperboard, Image } from "lucide-react";
import type { Prediction } from "#contract/prediction.ts";
import { mediaFamily } from "@/components/media/media-family";
import { Thumbnail } from "@/components/media/thumbnail";
import { outputFiles } from "../outputs.ts";

const icons = { image: Image, audio: AudioLines, video: Clapperboard, other: Image };

/** The first output as a small picture, or an icon of its kind. */
export function PredictionThumbnail({ prediction }: { prediction: Prediction }) {
  const [first] = outputFiles(prediction);
  const family = first
    ? mediaFamily(first.content_type)
    : prediction.api_type === "video-generation"
      ? "video"
      : "image";
  return <Thumbnail preview={first?.preview_url ?? null} icon={icons[family]} />;
}
