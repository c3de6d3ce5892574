"use client";

import { useQuery } from "@tanstack/react-query";
import { ImageIcon } from "lucide-react";
import { useWords } from "#words";
import { Thumbnail } from "@/components/media/thumbnail";
import { useMediaFile } from "@/components/playground/form/media/media-thumb";
import { callRoute } from "@/lib/browser/gateway";
import { formatBytes } from "@/lib/format";
import { queryKeys } from "@/lib/query-keys";
import { type KeptFile as File, readKeptFile } from "@/lib/requests/kept-input";

interface KeptFileProps {
  /** The name of a file whose bytes were not kept, or an upload or address that the caller sent. */
  text: string;
  /** The gateway's public address, which ends with `/v1`. */
  baseUrl: string;
}

/** A file of a kept call: its picture if the account still has the file, otherwise its kind, size and hash. */
export function KeptFile({ text, baseUrl }: KeptFileProps) {
  const file = readKeptFile(text);
  return file ? <FileByHash file={file} /> : <FileByAddress text={text} baseUrl={baseUrl} />;
}

function FileByHash({ file: { type, sizeBytes, sha256 } }: { file: File }) {
  const t = useWords("requests");
  const { data: preview } = useQuery({
    queryKey: queryKeys.file(sha256),
    queryFn: ({ signal }) => previewOf(sha256, signal),
    enabled: type.startsWith("image/"),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const label = `${type}, ${formatBytes(sizeBytes)}`;
  return (
    <div className="mt-1">
      {preview && (
        <Thumbnail size="large" preview={preview} icon={ImageIcon} alt={t("previewOfLabel", { label })} />
      )}
      <p className="text-meta text-muted">{label}</p>
      {!preview && (
        <p className="font-mono text-meta wrap-anywhere text-muted">{["SHA-256", sha256].join(" ")}</p>
      )}
    </div>
  );
}

/** The preview of an upload or an output with these bytes. Null without one, and for people who may not see it. */
async function previewOf(sha256: string, signal: AbortSignal): Promise<string | null> {
  const query = { sha256, limit: 1 };
  const uploads = await callRoute("GET /uploads", { query: { ...query, status: "verified" }, signal });
  if (uploads.ok && uploads.data.data[0]) return uploads.data.data[0].preview_url;
  for (const kept of [false, true]) {
    const outputs = await callRoute("GET /outputs", { query: { ...query, ...(kept && { kept }) }, signal });
    if (outputs.ok && outputs.data.data[0]) return outputs.data.data[0].preview_url;
  }
  return null;
}

function FileByAddress({ text, baseUrl }: KeptFileProps) {
  const t = useWords("requests");
  const { preview, label, detail } = useMediaFile(text, "image", baseUrl);
  if (preview === null) return <p className="mt-1 font-mono text-meta wrap-anywhere text-muted">{text}</p>;
  return (
    <div className="mt-1">
      <Thumbnail size="large" preview={preview} icon={ImageIcon} alt={t("previewOfLabel", { label })} />
      <p className="text-meta wrap-anywhere text-muted">{detail ?? label}</p>
    </div>
  );
}
