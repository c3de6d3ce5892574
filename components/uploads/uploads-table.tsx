"use client";

import { EllipsisVertical, FileAudio, FileImage, FileQuestion, FileVideo } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Upload } from "#contract/upload.ts";
import { useWords } from "#words";
import { mediaFamily } from "@/components/media/media-family";
import { Thumbnail } from "@/components/media/thumbnail";
import { useAccess } from "@/components/team/access";
import { MadeBy } from "@/components/team/made-by";
import { StatusPill } from "@/components/ui/badge";
import { Countdown } from "@/components/ui/countdown";
import { FailureInShort } from "@/components/ui/failure-in-short";
import { IdChip } from "@/components/ui/id-chip";
import { actionsHead, type Column, RowsTable } from "@/components/ui/list/rows-table";
import { RowControls } from "@/components/ui/list/table";
import { MenuOnDemand } from "@/components/ui/menu-on-demand";
import { Bytes } from "@/components/ui/quantity";
import { Time } from "@/components/ui/time";
import { uploadLook, uploadRules } from "@/lib/status/upload";
import type { Words } from "@/messages/words";
import type { UploadMenuProps } from "./upload-menu.tsx";

const UploadPreview = dynamic(() => import("./upload-preview.tsx").then((module) => module.UploadPreview), {
  ssr: false,
});

const PendingProgress = dynamic(
  () => import("./pending-progress.tsx").then((module) => module.PendingProgress),
  { ssr: false },
);

interface UploadsTableProps {
  uploads: Upload[];
  onDelete: (upload: Upload) => void;
}

export function UploadsTable({ uploads, onDelete }: UploadsTableProps) {
  const t = useWords("uploads");
  const [previewed, setPreviewed] = useState<Upload | null>(null);
  return (
    <>
      <RowsTable
        label={t("uploads")}
        rows={uploads}
        columns={[
          {
            head: t("file"),
            cell: (upload) => <FileCell upload={upload} onPreview={() => setPreviewed(upload)} />,
          },
          ...columnsOf(t),
          {
            head: actionsHead,
            cellClass: "text-right",
            cell: (upload) => (
              <RowControls>
                <UploadActions
                  upload={upload}
                  onPreview={() => setPreviewed(upload)}
                  onDelete={() => onDelete(upload)}
                />
              </RowControls>
            ),
          },
        ]}
      />
      {previewed && <UploadPreview upload={previewed} onClose={() => setPreviewed(null)} />}
    </>
  );
}

const columnsOf = (t: Words<"uploads">): readonly Column<Upload>[] => [
  {
    head: t("status"),
    cell: (upload) => (
      <>
        <UploadStatus status={upload.status} />
        {isArriving(upload) && <PendingProgress upload={upload} />}
        {upload.error && (
          <span className="mt-0.5 block text-meta text-bad">
            <FailureInShort failure={upload.error} />
          </span>
        )}
      </>
    ),
  },
  {
    head: t("type"),
    from: "tablet",
    cellClass: "whitespace-nowrap text-muted",
    cell: (upload) => upload.content_type,
  },
  {
    head: t("size"),
    numeric: true,
    from: "tablet",
    cell: (upload) => <Bytes value={upload.size_bytes} />,
  },
  {
    head: t("created"),
    from: "tablet",
    cell: (upload) => (
      <>
        <Time value={upload.created_at} />
        <MadeBy maker={upload.made_by} />
      </>
    ),
  },
  {
    head: t("removed"),
    from: "tablet",
    cellClass: "whitespace-nowrap text-muted",
    cell: (upload) => <Removal upload={upload} />,
  },
];

function FileCell({ upload, onPreview }: { upload: Upload; onPreview: () => void }) {
  const t = useWords("uploads");
  const name = upload.filename ?? t("unnamedFile");
  return (
    <span className="flex min-w-0 items-center tablet:min-w-44 gap-3">
      <UploadThumbnail upload={upload} />
      <span className="min-w-0">
        {uploadRules(upload.status).usable ? (
          <button
            type="button"
            onClick={onPreview}
            title={t("previewName", { name })}
            className="block max-w-52 min-w-11 truncate text-left font-medium hover:text-accent desktop:max-w-64 pointer-coarse:min-h-11"
          >
            {name}
          </button>
        ) : (
          <span className="block max-w-52 truncate desktop:max-w-64 font-medium" title={name}>
            {name}
          </span>
        )}
        {/* Request bodies take this reference, so that is what is copied. */}
        <IdChip id={uploadRules(upload.status).usable ? upload.reference : upload.id} />
      </span>
    </span>
  );
}

/**
 * An upload without bytes is removed when its upload link expires. A verified upload is removed when the file
 * expires.
 */
function Removal({ upload }: { upload: Upload }) {
  const t = useWords("uploads");
  const until = upload.object_expires_at ?? (upload.status === "pending" ? upload.url_expires_at : null);
  if (!until || upload.status === "expired" || upload.status === "rejected")
    return <span className="text-faint">–</span>;
  return (
    <span>
      {t.rich("inTime", {}, { time: () => <Countdown key="time" until={until} ended={t("aMoment")} /> })}
    </span>
  );
}

function isArriving({ status, received_bytes: storedBytes }: Upload): boolean {
  return status === "pending" && storedBytes > 0;
}

function UploadStatus({ status }: { status: string }) {
  const look = uploadLook(useWords("states"), status);
  return <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />;
}

const icons = { image: FileImage, audio: FileAudio, video: FileVideo, other: FileQuestion };

function UploadThumbnail({ upload }: { upload: Upload }) {
  return <Thumbnail preview={upload.preview_url} icon={icons[mediaFamily(upload.content_type)]} />;
}

const load = () => import("./upload-menu.tsx").then((module) => module.UploadMenu);

/** The menu button with actions for a stored file. */
function UploadActions(props: UploadMenuProps) {
  const t = useWords("uploads");
  const { may } = useAccess();
  const { upload } = props;
  if (!may("uploads:write") && !uploadRules(upload.status).usable) return null;
  return (
    <MenuOnDemand
      size="sm"
      label={t("actionsForName", { name: upload.filename ?? upload.id })}
      icon={<EllipsisVertical size={16} aria-hidden />}
      load={load}
      menu={props}
    />
  );
}
