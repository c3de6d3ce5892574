"use client";

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useWords } from "#words";
import { fileTitle } from "@/components/predictions/gallery/gallery-file";
import { usePreferences } from "@/components/shell/preferences";
import { Dialog } from "@/components/ui/dialog";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Skeleton } from "@/components/ui/page/skeleton";
import { Tabs } from "@/components/ui/tabs";
import { Time } from "@/components/ui/time";
import type { MediaKind } from "@/lib/browser/accepted-types";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { mediaKindOf } from "@/lib/browser/file-type";
import { formatBytes } from "@/lib/format";
import { queryKeys } from "@/lib/query-keys";
import { MediaThumb } from "./media-thumb.tsx";

interface UploadPickerProps {
  title: string;
  /** The families that the field accepts. Empty: all families. */
  kinds: readonly MediaKind[];
  onPick: (reference: string) => void;
  onClose: () => void;
}

const query = { limit: 100 };

/** The account's files, newest first: usable uploads, and kept outputs. */
export function UploadPicker({ title, kinds, onPick, onClose }: UploadPickerProps) {
  const t = useWords("inputForm");
  const [shown, setShown] = useState<"uploads" | "library">("uploads");
  const choices = { kinds, onPick };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("chooseAnUpload")}
      description={t("forTitleTheListHas", { title })}
    >
      <Tabs
        label={t("whereTheFileIs")}
        value={shown}
        onChange={setShown}
        tabs={[
          { value: "uploads", label: t("uploads"), content: <Uploads {...choices} /> },
          { value: "library", label: t("library"), content: <Kept {...choices} /> },
        ]}
      />
    </Dialog>
  );
}

type SourceProps = Pick<UploadPickerProps, "kinds" | "onPick">;

function Uploads(props: SourceProps) {
  const t = useWords("inputForm");
  const uploads = useQuery({
    queryKey: queryKeys.uploads({ ...query, for: "picker" }),
    queryFn: ({ signal }) => fetchRoute("GET /uploads", { query, signal }),
  });
  const usable = uploads.data?.data.filter(({ status }) => status === "verified");
  return (
    <Choices
      {...props}
      choices={usable?.map((upload) => ({ ...upload, label: upload.filename ?? upload.id }))}
      error={uploads.error}
      retry={uploads.refetch}
      none={t("noMatchingUploadsCloseThis")}
    />
  );
}

function Kept(props: SourceProps) {
  const t = useWords("inputForm");
  const ui = useWords("ui");
  const { timeZone } = usePreferences();
  const kept = useQuery({
    queryKey: queryKeys.library({ ...query, for: "picker" }),
    queryFn: ({ signal }) => fetchRoute("GET /outputs", { query: { ...query, kept: true }, signal }),
  });
  return (
    <Choices
      {...props}
      choices={kept.data?.data.flatMap((file) =>
        // A file without a URL needs an attestation before it can be used.
        file.url === null
          ? []
          : { ...file, reference: file.url, label: file.kept?.prompt ?? fileTitle(ui, file, timeZone) },
      )}
      error={kept.error}
      retry={kept.refetch}
      none={t("noMatchingFilesInThe")}
    />
  );
}

interface Choice {
  id: string;
  /** The text that the input field gets. */
  reference: string;
  label: string;
  content_type: string;
  size_bytes: number;
  preview_url: string | null;
  created_at: string;
}

interface ChoicesProps extends SourceProps {
  /** Undefined: not loaded yet. */
  choices: readonly Choice[] | undefined;
  error: Error | null;
  retry: () => void;
  none: ReactNode;
}

function Choices({ choices, kinds, onPick, error, retry, none }: ChoicesProps) {
  const failure = failureBehind(error);
  if (failure) return <ErrorPanel error={failure} onRetry={() => retry()} />;
  if (!choices) return <Skeleton className="h-40 w-full" />;
  const fitting = choices.filter(({ content_type: type }) => fits(type, kinds));
  if (fitting.length === 0) return <p className="text-muted">{none}</p>;
  return (
    <ul className="flex max-h-[60vh] flex-col gap-1 overflow-y-auto p-0.5">
      {fitting.map((choice) => (
        <li key={choice.id}>
          <button
            type="button"
            onClick={() => onPick(choice.reference)}
            className="flex w-full min-w-0 items-center gap-3 rounded-control border p-2 text-left hover:bg-sunken"
          >
            <MediaThumb
              family={mediaKindOf(choice.content_type)}
              preview={choice.preview_url}
              label={choice.label}
            />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{choice.label}</span>
              <span className="block truncate text-meta text-muted">
                {choice.content_type}, {formatBytes(choice.size_bytes)}, <Time value={choice.created_at} />
              </span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function fits(contentType: string, kinds: readonly MediaKind[]): boolean {
  const kind = mediaKindOf(contentType);
  return kind !== null && (kinds.length === 0 || kinds.includes(kind));
}
