"use client";

import { RotateCw, Trophy } from "lucide-react";
import dynamic from "next/dynamic";
import type { Batch, BatchRow } from "#contract/batches.ts";
import { ConfirmationNeeded } from "@/components/attestations/confirmation-needed";
import type { GridImage } from "@/components/media/grid-image";
import { mediaFamily } from "@/components/media/media-family";
import { SandboxBadge } from "@/components/media/sandbox-badge";
import { shownFiles } from "@/components/predictions/outputs";
import { ShareButton } from "@/components/shares/share-button";
import { Permitted } from "@/components/team/permitted";
import { Badge } from "@/components/ui/badge";
import { Button, LinkButton } from "@/components/ui/button";
import { Money } from "@/components/ui/money";
import { Link } from "@/components/ui/page/link";
import { Skeleton } from "@/components/ui/page/skeleton";
import { Duration } from "@/components/ui/quantity";
import { StatusPill } from "@/components/ui/status-pill";
import { rowHref } from "@/lib/compare/shown-input";
import { formatCount } from "@/lib/format";
import { storable } from "@/lib/schema-form/draft";
import { batchRowLook } from "@/lib/status/batch";
import { PictureFrame, pictureOf } from "./picture-frame.tsx";

const MediaPreview = dynamic(
  () => import("@/components/media/media-preview").then((module) => module.MediaPreview),
  // Most outputs are about square.
  { loading: () => <Skeleton className="aspect-square" /> },
);
const KeepOutput = dynamic(
  () => import("@/components/library/keep-output").then((module) => module.KeepOutput),
  { loading: () => null },
);

interface ResultColumnProps {
  batch: Batch;
  row: BatchRow;
  isPicked: boolean;
  /** The picture that is laid over this one, left of `cut` percent; null: none. */
  over: GridImage | null;
  cut: number;
  /** The action in progress. */
  acting: string | null;
  /** Null: the best result cannot be chosen here. */
  onPick: (() => void) | null;
  onAgain: () => void;
}

/** Operations whose results are pictures. */
const pictured = new Set(["image-generation", "image-editing"]);

function hasEnded({ completed_at: at, status }: BatchRow): boolean {
  return at !== null || status === "failed" || status === "canceled";
}

/** One model's result: large enough to judge, with time, cost and actions. */
export function ResultColumn({
  batch,
  row,
  isPicked,
  over,
  cut,
  acting,
  onPick,
  onAgain,
}: ResultColumnProps) {
  const files = shownFiles(row.data ?? []);
  const look = batchRowLook(row.status);
  const took =
    row.started_at && row.completed_at ? Date.parse(row.completed_at) - Date.parse(row.started_at) : null;
  const text = row.text ?? (row.output && JSON.stringify(row.output, null, 2));
  const canRunAgain = (row.status === "failed" || row.status === "canceled") && !batch.data_removed;
  return (
    <li className="min-w-0">
      <section
        aria-label={row.model}
        className={`flex min-w-0 flex-col gap-3 rounded-panel border bg-panel p-4 ${isPicked ? "border-accent" : ""}`}
      >
        <header className="space-y-1">
          <div className="flex items-start gap-2">
            <h2 className="min-w-0 flex-1 font-mono font-medium wrap-anywhere">
              <Link href={`/catalog/${row.model}`} className="hover:underline">
                {row.model}
              </Link>
            </h2>
            {onPick && (files.length > 0 || text || isPicked) ? (
              <Permitted to="operations:run" otherwise={isPicked && <Badge>Best</Badge>}>
                <Button
                  size="sm"
                  variant={isPicked ? "primary" : "ghost"}
                  icon={<Trophy size={14} aria-hidden />}
                  aria-pressed={isPicked}
                  aria-label={`Best: ${row.model}`}
                  busy={acting === `pick ${row.row}`}
                  onClick={onPick}
                >
                  Best
                </Button>
              </Permitted>
            ) : null}
          </div>
          <p className="flex flex-wrap items-center gap-2 text-meta text-muted">
            <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
            <Badge>{row.api_type}</Badge>
            {took !== null && <Duration ms={took} />}
            {row.usage && <span className="tabular">{formatCount(row.usage.quantity, row.usage.unit)}</span>}
            {row.cost && <Money {...row.cost} />}
            {row.sandbox && <SandboxBadge />}
          </p>
        </header>
        {row.error && (
          <p className="rounded-control border border-bad bg-bad-soft p-2 text-table wrap-anywhere">
            {row.error.message} <code className="text-meta">{row.error.code}</code>
          </p>
        )}
        {row.gated && <ConfirmationNeeded model={row.model} />}
        {!hasEnded(row) && pictured.has(row.api_type) && <Skeleton className="aspect-square" />}
        {files.map((file, index) => (
          <div key={file.url} className="min-w-0 space-y-1">
            {mediaFamily(file.content_type) === "image" ? (
              <PictureFrame
                image={pictureOf(row, file, index)}
                over={over?.url === file.url ? null : over}
                cut={cut}
              />
            ) : (
              <MediaPreview file={file} title={`Output ${index + 1} of ${row.model}`} />
            )}
            <div className="flex flex-wrap items-center gap-1">
              {row.run_id && (
                <KeepOutput
                  runId={row.run_id}
                  index={index}
                  name={`output ${index + 1} of ${row.model}`}
                  {...(!row.run_id.startsWith("pred_") &&
                    row.input && { source: { api_type: row.api_type, input: storable(row.input) } })}
                />
              )}
              <ShareButton urls={[file.url]} of={`output ${index + 1} of ${row.model}`} />
            </div>
          </div>
        ))}
        {text && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
          <div tabIndex={0} className="max-h-[60vh] overflow-y-auto whitespace-pre-wrap wrap-anywhere">
            {text}
          </div>
        )}
        {row.data_removed && <p className="text-muted">Deleted after its retention time.</p>}
        <footer className="flex flex-wrap gap-1 empty:hidden">
          {canRunAgain && (
            <Permitted to="operations:run">
              <Button
                size="sm"
                icon={<RotateCw size={14} aria-hidden />}
                busy={acting === `again ${row.row}`}
                onClick={onAgain}
                aria-label={`Run ${row.model} again`}
              >
                Run again
              </Button>
            </Permitted>
          )}
          {row.input && (
            <Permitted to="operations:run">
              <LinkButton size="sm" variant="ghost" href={rowHref(batch.id, row)}>
                Open in the playground<span className="sr-only"> of {row.model}</span>
              </LinkButton>
            </Permitted>
          )}
        </footer>
      </section>
    </li>
  );
}
