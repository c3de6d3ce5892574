"use client";

import { RotateCw, Trophy } from "lucide-react";
import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import type { Batch, BatchRow } from "#contract/batches.ts";
import { useWords } from "#words";
import { ConfirmationNeeded } from "@/components/attestations/confirmation-needed";
import { LazyMediaFailure, useMediaAddress } from "@/components/media/lazy-media-failure";
import type { GridImage } from "@/components/media/lightbox";
import { mediaFamily } from "@/components/media/media-family";
import type { ShownFile } from "@/components/media/media-preview";
import { SandboxBadge } from "@/components/media/sandbox-badge";
import { shownFiles } from "@/components/predictions/outputs";
import { useAccess } from "@/components/team/access";
import { Permitted } from "@/components/team/permitted";
import { Badge, StatusPill } from "@/components/ui/badge";
import { Button, LinkButton } from "@/components/ui/button";
import { FailureInShort } from "@/components/ui/failure-in-short";
import { Money } from "@/components/ui/money";
import { Link } from "@/components/ui/page/link";
import { Skeleton } from "@/components/ui/page/skeleton";
import { Duration } from "@/components/ui/quantity";
import { rowHref } from "@/lib/compare/shown-input";
import { retentionIn } from "@/lib/retention";
import { storable } from "@/lib/schema-form/draft";
import { numberOf } from "@/lib/schema-form/json";
import { batchRowLook } from "@/lib/status/batch";
import { usageLabel } from "@/lib/usage-label";
import type { Words } from "@/messages/words";

const MediaPreview = dynamic(
  () => import("@/components/media/media-preview").then((module) => module.MediaPreview),
  { loading: () => null },
);

const OutputActions = dynamic(
  () => import("@/components/library/output-actions").then((module) => module.OutputActions),
  { loading: () => null },
);

/** Operations whose results are pictures. */
const pictured = new Set(["image-generation", "image-editing"]);

/** Whether the row makes or made a picture. */
export function isPictured(row: Pick<BatchRow, "api_type">): boolean {
  return pictured.has(row.api_type);
}

function hasEnded({ completed_at: at, status }: BatchRow): boolean {
  return at !== null || status === "failed" || status === "canceled";
}

interface ResultColumnProps {
  batch: Batch;
  row: BatchRow;
  isPicked: boolean;
  /** The picture that covers this one to the left of `cut` percent. Null: none. */
  over: GridImage | null;
  cut: number;
  /** The action in progress. */
  acting: string | null;
  /** Null: the user cannot choose the best result here. */
  onPick: (() => void) | null;
  onAgain: () => void;
  /** Opens a picture of this row large. */
  onOpen: (image: GridImage) => void;
}

/**
 * One model's result in frames of equal size, with time, cost and actions. Its height is the same before, while and
 * after it runs, so that nothing on the wall moves.
 */
export function ResultColumn(props: ResultColumnProps) {
  const t = useWords("compare");
  const amounts = useWords("amounts");
  const { batch, row, isPicked, over, cut, acting, onPick, onAgain, onOpen } = props;
  const files = shownFiles(row.data ?? []);
  const look = batchRowLook(useWords("states"), row.status);
  const took =
    row.started_at && row.completed_at ? Date.parse(row.completed_at) - Date.parse(row.started_at) : null;
  const text = row.text ?? (row.output && JSON.stringify(row.output, null, 2));
  const canRunAgain = (row.status === "failed" || row.status === "canceled") && !batch.data_removed;
  const isThere = files.length > 0 || Boolean(text);
  return (
    <li className="min-w-0">
      <section
        aria-label={row.model}
        className={`flex h-full min-w-0 flex-col gap-2 rounded-panel border bg-panel p-3 ${isPicked ? "border-accent" : ""}`}
      >
        <header>
          <h2 className="truncate font-mono font-medium" title={row.model}>
            <Link href={`/catalog/${row.model}`} className="hover:underline">
              {row.model}
            </Link>
          </h2>
          <p className="mt-1 flex min-h-6 flex-wrap items-center gap-x-2.5 gap-y-1 text-meta text-muted">
            <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
            {took !== null && (
              <span title={row.usage ? usageLabel(amounts, row.usage) : undefined}>
                <Duration ms={took} />
              </span>
            )}
            {row.sandbox ? <SandboxBadge /> : row.cost && <Money {...row.cost} />}
          </p>
        </header>
        {Array.from({ length: frameCount(row, files.length) }, (_, index) => {
          const file = files[index];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a frame keeps its place when its result arrives
            <div key={index} className="min-w-0 space-y-1">
              {file && mediaFamily(file.content_type) === "image" ? (
                <PictureFrame
                  image={pictureOf(row, file, index, t)}
                  over={over?.url === file.url ? null : over}
                  cut={cut}
                  onOpen={onOpen}
                />
              ) : (
                <Frame model={row.model} isBusy={!hasEnded(row)}>
                  {file ? (
                    <div className="grid h-full content-center">
                      <MediaPreview
                        file={file}
                        title={t("outputOfModel", { number: index + 1, model: row.model })}
                      />
                    </div>
                  ) : (
                    <Outcome row={row} text={index === 0 ? text : null} />
                  )}
                </Frame>
              )}
              <div className="-mx-2 flex min-h-8 pointer-coarse:min-h-11">
                {file && (
                  <OutputActions
                    url={file.url}
                    name={t("theOutputOfModel", { number: index + 1, model: row.model })}
                    {...(!row.run_id?.startsWith("pred_") &&
                      row.input && { source: { api_type: row.api_type, input: storable(row.input) } })}
                  />
                )}
              </div>
            </div>
          );
        })}
        <footer className="mt-auto flex min-h-8 flex-wrap items-center gap-1 pointer-coarse:min-h-11">
          {onPick && isThere && (
            <Permitted to="operations:run" otherwise={isPicked && <Badge>{t("best")}</Badge>}>
              <Button
                size="sm"
                variant={isPicked ? "primary" : "secondary"}
                icon={<Trophy size={14} aria-hidden />}
                aria-pressed={isPicked}
                aria-label={t("bestModel", { model: row.model })}
                busy={acting === `pick ${row.row}`}
                onClick={onPick}
              >
                {t("best")}
              </Button>
            </Permitted>
          )}
          {canRunAgain && (
            <Permitted to="operations:run">
              <Button
                size="sm"
                icon={<RotateCw size={14} aria-hidden />}
                busy={acting === `again ${row.row}`}
                onClick={onAgain}
                aria-label={t("runModelAgain", { model: row.model })}
              >
                {t("runAgain")}
              </Button>
            </Permitted>
          )}
          {row.input && (
            <Permitted to="operations:run">
              <LinkButton
                size="sm"
                variant="ghost"
                href={rowHref(batch.id, row)}
                aria-label={t("openInThePlaygroundModel", { model: row.model })}
              >
                {t("playground")}
              </LinkButton>
            </Permitted>
          )}
        </footer>
      </section>
    </li>
  );
}

interface PictureFrameProps {
  image: GridImage;
  /** Another picture, visible to the left of `cut` percent of the frame. */
  over: GridImage | null;
  cut: number;
  onOpen: (image: GridImage) => void;
}

/**
 * A picture in a square frame, so that all frames have the same size. Pressing the picture opens it large.
 */
function PictureFrame({ image, over, cut, onOpen }: PictureFrameProps) {
  const t = useWords("compare");
  const file = useMediaAddress(image.url);
  if (file.failed) return <LazyMediaFailure title={image.alt} {...file} />;
  return (
    <button
      type="button"
      data-frame
      onClick={() => onOpen(image)}
      aria-label={t("openAlt", { alt: image.alt })}
      className="relative block aspect-square w-full overflow-hidden rounded-panel border border-line bg-sunken"
    >
      {/* biome-ignore lint/performance/noImgElement: signed URLs must not pass through an image proxy */}
      <img
        src={file.address}
        alt={image.alt}
        loading="lazy"
        decoding="async"
        className="absolute inset-0 size-full object-contain"
        style={over ? { clipPath: `inset(0 0 0 ${cut}%)` } : undefined}
        {...file.element}
      />
      {over && (
        <>
          {/* biome-ignore lint/performance/noImgElement: signed URLs must not pass through an image proxy */}
          <img
            src={over.url}
            alt=""
            className="absolute inset-0 size-full object-contain"
            style={{ clipPath: `inset(0 ${100 - cut}% 0 0)` }}
          />
          <span
            aria-hidden
            className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-accent"
            style={{ left: `${cut}%` }}
          />
        </>
      )}
    </button>
  );
}

/** A file of a row as a picture of the comparison. */
function pictureOf(row: BatchRow, file: ShownFile, index: number, t: Words<"compare">): GridImage {
  const { url, width, height } = file;
  return {
    url,
    width,
    height,
    alt: t("outputOfModel", { number: index + 1, model: row.model }),
    preview: file.preview_url,
  };
}

/** No operation returns this many results. */
const maxFrames = 10;

/** One frame per requested result, so that the frames are in place before the results arrive. */
function frameCount(row: BatchRow, files: number): number {
  const asked = isPictured(row) && !hasEnded(row) ? (numberOf(row.input?.n) ?? 1) : 1;
  return Math.min(maxFrames, Math.max(1, files, asked));
}

/** A square for a result that is not a picture or does not exist. The arrow keys can focus it. */
function Frame({ model, isBusy, children }: { model: string; isBusy: boolean; children: ReactNode }) {
  const t = useWords("compare");
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's
    <div
      data-frame
      role="group"
      aria-label={t("resultOfModel", { model })}
      aria-busy={isBusy}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className="aspect-square overflow-y-auto rounded-panel border bg-sunken p-3 wrap-anywhere"
    >
      {children}
    </div>
  );
}

/** The text of a row, or why there is no file: it runs, failed, or its results were deleted. */
function Outcome({ row, text }: { row: BatchRow; text: string | null }) {
  const t = useWords("compare");
  const states = useWords("states");
  const { retentionMinutes } = useAccess();
  if (text) return <p className="whitespace-pre-wrap">{text}</p>;
  if (row.gated) return <ConfirmationNeeded model={row.model} />;
  if (row.error)
    return (
      <p className="text-table">
        <FailureInShort failure={row.error} /> <code className="text-meta text-muted">{row.error.code}</code>
      </p>
    );
  if (!hasEnded(row)) return <Skeleton className="h-full" />;
  return (
    <p className="text-muted">
      {row.data_removed
        ? retentionMinutes === null
          ? t("removedAfterRetention")
          : t("removedByOwnersChoice", retentionIn(retentionMinutes))
        : batchRowLook(states, row.status).label}
    </p>
  );
}

export interface RowPicture {
  row: number;
  model: string;
  image: GridImage;
}

/** All pictures of the rows, in their order on the wall. */
export function picturesOfRows(rows: readonly BatchRow[], t: Words<"compare">): RowPicture[] {
  return rows.flatMap((row) =>
    shownFiles(row.data ?? []).flatMap((file, index) =>
      mediaFamily(file.content_type) === "image"
        ? [{ row: row.row, model: row.model, image: pictureOf(row, file, index, t) }]
        : [],
    ),
  );
}
