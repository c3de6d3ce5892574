"use client";

import { Columns2 } from "lucide-react";
import dynamic from "next/dynamic";
import { type KeyboardEvent, useState } from "react";
import { batchLimits, hasBatchEnded } from "#contract/batch-constants.ts";
import type { Batch, BatchRowList } from "#contract/batches.ts";
import { useWords } from "#words";
import { useBatchChange, useBatchRows } from "@/components/batches/use-batch";
import type { GridImage } from "@/components/media/lightbox";
import { useInputPicture } from "@/components/media/use-input-picture";
import { InputThumbs } from "@/components/predictions/input-thumbs";
import { compareHref } from "@/components/predictions/links";
import { ShareButton } from "@/components/shares/share-button";
import { Permitted } from "@/components/team/permitted";
import { LinkButton } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Skeleton } from "@/components/ui/page/skeleton";
import { failureBehind } from "@/lib/browser/fetch-from-gateway";
import { shownText } from "@/lib/compare/shown-input";
import { act } from "@/lib/gateway/act";
import type { JsonObject } from "@/lib/schema-form/json";
import { mediaIn } from "@/lib/schema-form/media-value";
import { isPictured, picturesOfRows, ResultColumn } from "./result-column.tsx";

/** The photo of the input stands before the rows, which are counted from 1. */
const photoRow = 0;

const Lightbox = dynamic(() => import("@/components/media/lightbox").then((module) => module.Lightbox), {
  ssr: false,
});

interface ComparisonResultsProps {
  batch: Batch;
  /** The rows when the page was opened, so that their frames are there at once. */
  initialRows?: BatchRowList | null;
  /** The gateway's public address, which ends with `/v1`. */
  baseUrl: string;
}

/** The rows of a comparison side by side: the same input on different models. */
export function ComparisonResults({ batch, initialRows = null, baseUrl }: ComparisonResultsProps) {
  const t = useWords("compare");
  const { data, error, isPending, refetch } = useBatchRows(batch, { limit: limitOf(batch) }, initialRows);
  const { acting, change, dialog } = useBatchChange(batch.id);
  const failure = failureBehind(error);
  const rows = data?.data ?? [];
  const runs = rows.flatMap(({ run_id: id }) => (id?.startsWith("pred_") ? [id] : []));
  const inputs = rows.flatMap(({ input }) => (input ? [input] : []));
  const fullest = fullestOf(inputs, baseUrl);
  const photo = useInputPicture(fullest, baseUrl);
  const pictures = [
    ...(photo ? [{ row: photoRow, model: photo.alt, image: photo }] : []),
    ...picturesOfRows(rows, t),
  ];
  const [overRow, setOverRow] = useState<number | null>(null);
  const [cut, setCut] = useState(50);
  const [opened, setOpened] = useState<GridImage[] | null>(null);
  const over = pictures.find(({ row }) => row === overRow)?.image ?? null;
  const isComparison = batch.kind === "comparison";
  const shared = rows.flatMap(({ data: files }) => files?.[0]?.url ?? []);
  return (
    <div className="space-y-4">
      {failure && <ErrorPanel error={failure} onRetry={() => void refetch()} />}
      {isPending && <Skeleton className="h-40" />}
      <AskedInput text={shownText(inputs)} files={fullest} baseUrl={baseUrl} />
      <div className="sticky top-[60px] z-10 flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2 bg-canvas py-1.5 pointer-coarse:min-h-11">
        <span className="flex flex-wrap items-center gap-2">
          {isComparison && !batch.data_removed && (
            <Permitted to="operations:run">
              <LinkButton
                size="sm"
                icon={<Columns2 size={14} aria-hidden />}
                href={`/compare?from=${batch.id}`}
              >
                {t("changeAndRunAgain")}
              </LinkButton>
            </Permitted>
          )}
          {hasBatchEnded(batch.status) && <ShareButton label={t("shareComparison")} urls={shared} />}
        </span>
        {rows.filter(isPictured).length > (photo ? 0 : 1) && (
          <fieldset className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-2 text-table">
            <legend className="sr-only">{t("compareThePictures")}</legend>
            <label className="flex min-w-0 items-center gap-2">
              {t("compareAllWith")}
              <select
                value={over === null ? "" : String(overRow)}
                disabled={firstPictures(pictures).length < 2}
                onChange={({ target: { value } }) => setOverRow(value === "" ? null : Number(value))}
                className="min-h-8 min-w-0 rounded-control border border-strong bg-panel px-2 pointer-coarse:min-h-11"
              >
                <option value="">{t("none")}</option>
                {firstPictures(pictures).map(({ row, model }) => (
                  <option key={row} value={row}>
                    {model}
                  </option>
                ))}
              </select>
            </label>
            {over && (
              <label className="flex min-w-40 flex-1 items-center gap-2">
                {t("dividingLine")}
                <input
                  type="range"
                  min={0}
                  max={100}
                  step={1}
                  value={cut}
                  onChange={({ target: { value } }) => setCut(Number(value))}
                  aria-valuetext={t("percentOfImage", { percent: cut, image: over.alt })}
                  className="min-w-0 flex-1 accent-(--accent) pointer-coarse:min-h-11"
                />
              </label>
            )}
          </fieldset>
        )}
      </div>
      <ul
        aria-label={t("resultsSideBySide")}
        onKeyDown={walkFrames}
        className={`grid min-w-0 gap-4 ${rows.length > 2 ? "grid-cols-[repeat(auto-fit,minmax(min(100%,250px),1fr))]" : "grid-cols-[repeat(auto-fit,minmax(min(100%,340px),440px))]"}`}
      >
        {rows.map((row) => (
          <ResultColumn
            key={row.row}
            batch={batch}
            row={row}
            over={over}
            cut={cut}
            isPicked={batch.picked_row === row.row}
            acting={acting}
            onPick={
              isComparison
                ? () =>
                    void change(`pick ${row.row}`, () =>
                      act("POST /batches/{id}/pick", {
                        params: { id: batch.id },
                        body: { row: batch.picked_row === row.row ? null : row.row },
                      }),
                    )
                : null
            }
            onAgain={() =>
              void change(`again ${row.row}`, (confirmed) =>
                act("POST /batches/{id}/retry_failed", {
                  params: { id: batch.id },
                  body: { row: row.row, ...confirmed },
                }),
              )
            }
            onOpen={(image) =>
              setOpened([image, ...(over ? [over] : pictures.map((each) => each.image))].filter(isFirstOfUrl))
            }
          />
        ))}
      </ul>
      {runs.length > 1 && (
        <LinkButton size="sm" variant="ghost" href={compareHref(runs)}>
          {t("compareInputsAndTiming")}
        </LinkButton>
      )}
      {opened && (
        <Lightbox images={opened} startIndex={0} startComparing={false} onClose={() => setOpened(null)} />
      )}
      {dialog}
    </div>
  );
}

/** The first picture of each row, which can be laid over the other rows' pictures. */
function firstPictures(pictures: ReturnType<typeof picturesOfRows>) {
  return pictures.filter(({ row }, at) => pictures[at - 1]?.row !== row);
}

function isFirstOfUrl({ url }: GridImage, at: number, all: GridImage[]): boolean {
  return all.findIndex((each) => each.url === url) === at;
}

/**
 * The arrow keys move between frames: left and right in order, up and down to the nearest frame in that
 * direction.
 */
function walkFrames(event: KeyboardEvent<HTMLUListElement>): void {
  const here = event.target as HTMLElement;
  // A player in a frame uses these keys itself.
  if (!here.matches("[data-frame]") || event.ctrlKey || event.metaKey || event.altKey) return;
  const frames = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-frame]")];
  const next = nextFrame(event.key, here, frames);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function nextFrame(key: string, here: HTMLElement, frames: readonly HTMLElement[]): HTMLElement | undefined {
  if (key === "ArrowLeft") return frames[frames.indexOf(here) - 1];
  if (key === "ArrowRight") return frames[frames.indexOf(here) + 1];
  const way = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
  // Up and down scroll a long text.
  if (way === 0 || here.scrollHeight > here.clientHeight + 1) return undefined;
  const from = here.getBoundingClientRect();
  const far = (frame: HTMLElement) => {
    const { top, left } = frame.getBoundingClientRect();
    return { rows: (top - from.top) * way, columns: Math.abs(left - from.left) };
  };
  return frames
    .filter((frame) => far(frame).rows > from.height / 2)
    .sort((one, other) => far(one).rows - far(other).rows || far(one).columns - far(other).columns)[0];
}

/** Before batches had kinds, a comparison was a table whose rows name models. */
const tableRows = 100;

function limitOf({ kind }: Batch): number {
  return kind === "comparison" ? batchLimits.maxCompared : tableRows;
}

/** The input with the most files, because each model gets only the files that it accepts. Null: none has files. */
function fullestOf(inputs: readonly JsonObject[], baseUrl: string): JsonObject | null {
  const [most] = inputs
    .map((input) => ({ input, files: mediaIn(input, baseUrl, maxFiles).length }))
    .sort((one, other) => other.files - one.files);
  return most?.files ? most.input : null;
}

/** The common input: its text and its files. */
function AskedInput(props: { text: string | null; files: JsonObject | null; baseUrl: string }) {
  const t = useWords("compare");
  const { text, files, baseUrl } = props;
  if (text === null && !files) return null;
  return (
    <section
      aria-label={t("input")}
      className="flex min-w-0 flex-wrap items-start gap-3 rounded-panel border bg-panel p-3"
    >
      {files && <InputThumbs input={files} baseUrl={baseUrl} />}
      {text !== null && (
        <p className="max-h-40 min-w-0 flex-1 basis-60 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
          {text}
        </p>
      )}
    </section>
  );
}

const maxFiles = 4;
