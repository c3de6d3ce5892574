"use client";

import { useQuery } from "@tanstack/react-query";
import { AudioLines, FileQuestion, Film, ImageIcon } from "lucide-react";
import { useContext } from "react";
import { useWords } from "#words";
import { Thumbnail } from "@/components/media/thumbnail";
import { orThrow } from "@/lib/browser/fetch-from-gateway";
import { mediaKindOf } from "@/lib/browser/file-type";
import { callRoute } from "@/lib/browser/gateway";
import { formatBytes } from "@/lib/format";
import { queryKeys } from "@/lib/query-keys";
import { familyOf, mediaValueOf } from "@/lib/schema-form/media-value";
import type { Media } from "@/lib/schema-form/plan";
import { FormContext } from "../form-context.tsx";

interface Described {
  label: string;
  detail: string | null;
  family: "image" | "audio" | "video" | null;
  /** A URL that the browser may load. URLs of other sites are not loaded. */
  src: string | null;
  /** URL of a small version of the file. */
  preview: string | null;
  problem: string | null;
}

/** Name, size and preview of the file in a media field. */
export function useMediaDescription(text: string, media: Media): Described {
  const t = useWords("media");
  const { baseUrl, exampleFiles } = useContext(FormContext);
  const described = useMediaFile(text, media, baseUrl);
  return exampleFiles?.has(text)
    ? { ...described, label: t("exampleOf", { family: described.family ?? "file" }) }
    : described;
}

/** Name, size and preview of the file that a text refers to. `baseUrl` ends with `/v1`. */
export function useMediaFile(text: string, media: Media, baseUrl: string): Described {
  const t = useWords("media");
  const value = mediaValueOf(text, baseUrl);
  const id = value.source === "upload" ? value.id : null;
  const upload = useQuery({
    queryKey: queryKeys.upload(id ?? ""),
    enabled: id !== null,
    queryFn: async () => {
      const answer = await callRoute("GET /uploads/{id}", { params: { id: id ?? "" } });
      return !answer.ok && answer.error.status === 404 ? null : orThrow(answer);
    },
  }).data;
  const family = familyOf(text) ?? (media === "any" ? null : media);
  const base = { detail: null, family, src: null, preview: null, problem: null };
  if (value.source === "data")
    return {
      ...base,
      label: t("inlineFile"),
      detail: `${value.contentType}, ${formatBytes(value.sizeBytes)}`,
      src: text,
      preview: family === "image" ? text : null,
    };
  if (value.source === "stored")
    return {
      ...base,
      label: value.key,
      detail: t("storedInThisGateway"),
      src: value.url,
      // The query parameters, which contain the signature, are also valid for the file's preview.
      preview: value.url.replace(`${baseUrl}/files/`, `${baseUrl}/previews/`),
    };
  if (value.source === "url") return { ...base, label: value.url, detail: t("fromThisUrl") };
  if (value.source === "other")
    return { ...base, label: value.text || t("empty"), problem: t("chooseAnUploadOr") };
  if (upload === undefined) return { ...base, label: value.id, detail: t("upload") };
  if (upload === null || upload.status !== "verified")
    return { ...base, label: value.id, problem: t("thisUploadNoLongerExists") };
  return {
    label: upload.filename ?? upload.id,
    detail: `${upload.content_type}, ${formatBytes(upload.size_bytes)}`,
    family: mediaKindOf(upload.content_type),
    src: upload.download_url,
    preview: upload.preview_url,
    problem: null,
  };
}

const icons = { image: ImageIcon, audio: AudioLines, video: Film };

/** A small picture of the media, or the icon of its family. */
export function MediaThumb({ family, preview, label }: Pick<Described, "family" | "preview" | "label">) {
  const t = useWords("media");
  return (
    <Thumbnail
      size="field"
      preview={preview}
      icon={family ? icons[family] : FileQuestion}
      alt={t("previewOfLabel", { label })}
    />
  );
}
