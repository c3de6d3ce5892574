import { AudioLines, Clapperboard, FileQuestion, Image, Lock } from "lucide-react";
import type { AttestationKind } from "#contract/attestations.ts";
import { useWords } from "#words";
import { mediaFamily } from "./media-family.ts";
import { Thumbnail } from "./thumbnail.tsx";

const icons = { image: Image, audio: AudioLines, video: Clapperboard, other: FileQuestion };

/** An output as lists return it: with the URL of its preview, but not of its file. */
interface PreviewedOutput {
  content_type: string;
  preview_url: string | null;
  gated: AttestationKind | null;
}

/** An output as a small picture, the icon of its kind, or a lock for readers who have not attested. */
export function OutputThumbnail({ output, alt }: { output: PreviewedOutput; alt: string }) {
  const t = useWords("media");
  const { content_type, preview_url, gated } = output;
  if (gated) return <Thumbnail preview={null} icon={Lock} alt={t("confirmationNeeded")} />;
  return <Thumbnail preview={preview_url} icon={icons[mediaFamily(content_type)]} alt={alt} />;
}
