"use client";

import { useQuery } from "@tanstack/react-query";
import type { Upload } from "#contract/upload.ts";
import { Dialog } from "@/components/ui/dialog";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Skeleton } from "@/components/ui/page/skeleton";
import { Time } from "@/components/ui/time";
import type { MediaKind } from "@/lib/browser/accepted-types";
import { mediaKindOf } from "@/lib/browser/file-type";
import { callRoute } from "@/lib/browser/gateway";
import { formatBytes } from "@/lib/format";
import { queryKeys } from "@/lib/query-keys";
import { MediaThumb } from "./media-thumb";

interface UploadPickerProps {
  title: string;
  /** Families that the field takes; all when empty. */
  kinds: readonly MediaKind[];
  onPick: (reference: string) => void;
  onClose: () => void;
}

const query = { limit: 100 };

/** The account's usable uploads, newest first. */
export function UploadPicker({ title, kinds, onPick, onClose }: UploadPickerProps) {
  const uploads = useQuery({
    queryKey: queryKeys.uploads({ ...query, for: "picker" }),
    queryFn: () => callRoute("GET /uploads", { query }),
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Choose an upload"
      description={`For ${title}. Shows verified uploads of an accepted type and size.`}
    >
      {!uploads.data ? (
        <Skeleton className="h-40 w-full" />
      ) : uploads.data.ok ? (
        <Choices uploads={uploads.data.data.data.filter((upload) => fits(upload, kinds))} onPick={onPick} />
      ) : uploads.data.error.status === 404 ? (
        <p className="text-muted">
          This gateway does not list uploads. Choose the file again, or enter its upload:// reference as the
          URL.
        </p>
      ) : (
        <ErrorPanel error={uploads.data.error} onRetry={() => void uploads.refetch()} />
      )}
    </Dialog>
  );
}

function fits(upload: Upload, kinds: readonly MediaKind[]): boolean {
  const kind = mediaKindOf(upload.content_type);
  return upload.status === "verified" && kind !== null && (kinds.length === 0 || kinds.includes(kind));
}

function Choices({ uploads, onPick }: { uploads: Upload[]; onPick: (reference: string) => void }) {
  if (uploads.length === 0)
    return <p className="text-muted">No matching uploads. Close this dialog and choose a file instead.</p>;
  return (
    <ul className="flex max-h-[60vh] flex-col gap-1 overflow-y-auto p-0.5">
      {uploads.map((upload) => {
        const label = upload.filename ?? upload.id;
        return (
          <li key={upload.id}>
            <button
              type="button"
              onClick={() => onPick(upload.reference)}
              className="flex w-full min-w-0 items-center gap-3 rounded-control border p-2 text-left hover:bg-sunken"
            >
              <MediaThumb
                family={mediaKindOf(upload.content_type)}
                preview={upload.preview_url}
                label={label}
              />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{label}</span>
                <span className="block truncate text-meta text-muted">
                  {upload.content_type}, {formatBytes(upload.size_bytes)}, <Time value={upload.created_at} />
                </span>
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
