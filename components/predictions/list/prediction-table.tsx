"use client";

import { AudioLines, Clapperboard, Image } from "lucide-react";
import type { Prediction } from "#contract/prediction.ts";
import { isTerminal, predictionTransitions } from "#contract/prediction-constants.ts";
import { useWords } from "#words";
import { mediaFamily } from "@/components/media/media-family";
import { Thumbnail } from "@/components/media/thumbnail";
import { NoteCount } from "@/components/notes/note-count";
import { MadeBy } from "@/components/team/made-by";
import { StatusPill } from "@/components/ui/badge";
import { Countdown } from "@/components/ui/countdown";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { RowControls, RowLink } from "@/components/ui/list/table";
import { Link } from "@/components/ui/page/link";
import { Duration } from "@/components/ui/quantity";
import { Time, useNow } from "@/components/ui/time";
import { formatDuration, shortenId } from "@/lib/format";
import { inputTitle } from "@/lib/schema-form/messages";
import { deliveryLook } from "@/lib/status/delivery";
import type { Words } from "@/messages/words";
import { maxCompared, predictionHref } from "../links.ts";
import { outputFiles } from "../outputs.ts";
import { PredictionStatus } from "../prediction-status.tsx";

interface PredictionTableProps {
  predictions: Prediction[];
  /** The list's filters, which each row's link passes on. */
  search: string;
  /** Rows can be ticked for comparison. If missing, there are no checkboxes. */
  ticked?: { ids: ReadonlySet<string>; set: (ids: ReadonlySet<string>) => void };
}

/** Predictions as rows that are links. */
export function PredictionTable({ predictions, search, ticked }: PredictionTableProps) {
  const t = useWords("predictions");
  const states = useWords("states");
  return (
    <RowsTable
      label={t("predictions")}
      rows={predictions}
      columns={[
        {
          head: t("prediction"),
          cell: (prediction) => <PredictionSubject prediction={prediction} search={search} />,
          cellClass: "w-full max-w-0 min-w-48",
        },
        ...columnsOf(t),
        predictions.some(({ delivery_status }) => delivery_status !== undefined) && deliveryColumn(t, states),
      ]}
      selection={
        ticked && {
          ...ticked,
          head: t("compare"),
          labelOf: ({ id }) => t("compareTitle", { title: shortenId(id) }),
          max: maxCompared,
        }
      }
    />
  );
}

const icons = { image: Image, audio: AudioLines, video: Clapperboard, other: Image };

interface PredictionSubjectProps {
  prediction: Prediction;
  /** The list's filters, which the link passes on. */
  search?: string;
  /** Shows the model instead of the id below the subject, if no column has the model. */
  withModel?: boolean;
}

/**
 * The subject of a run: its picture and the first words of its prompt, or its id if the input was removed.
 */
function PredictionSubject({ prediction, search, withModel = false }: PredictionSubjectProps) {
  const { id, input, model } = prediction;
  const title = input && inputTitle(input);
  return (
    <span className="flex min-w-0 items-center gap-3">
      <PredictionThumbnail prediction={prediction} />
      <span className="min-w-0 flex-1">
        <RowLink
          href={predictionHref(id, search)}
          title={title ?? id}
          className={title ? "tablet:truncate max-tablet:line-clamp-2 block" : "block font-mono text-meta"}
        >
          {title ?? shortenId(id)}
        </RowLink>
        <span className="flex min-w-0 items-center gap-2">
          {(title || withModel) && (
            <span className={`${withModel ? "truncate" : "cut-start"} font-mono text-meta text-muted`}>
              {withModel ? model : shortenId(id)}
            </span>
          )}
          <NoteCount count={prediction.notes} />
        </span>
      </span>
    </span>
  );
}

/** The first output as a small picture, or an icon of its kind. */
function PredictionThumbnail({ prediction }: { prediction: Prediction }) {
  const [first] = outputFiles(prediction);
  const family = first
    ? mediaFamily(first.content_type)
    : prediction.api_type === "video-generation"
      ? "video"
      : "image";
  return <Thumbnail preview={first?.preview_url ?? null} icon={icons[family]} />;
}

const columnsOf = (t: Words<"predictions">): readonly Column<Prediction>[] => [
  {
    head: t("status"),
    cell: (prediction) => <PredictionStatus status={prediction.status} progress={prediction.progress} />,
  },
  {
    head: t("model"),
    from: "tablet",
    cell: (prediction) => (
      <>
        <span className="block font-mono whitespace-nowrap">{prediction.model}</span>
        <span className="block text-meta whitespace-nowrap text-muted">{prediction.api_type}</span>
      </>
    ),
  },
  {
    head: t("region"),
    from: "desktop",
    cellClass: "whitespace-nowrap",
    cell: (prediction) => prediction.svc_region,
  },
  {
    head: t("created"),
    from: "tablet",
    cell: (prediction) => (
      <>
        <Time value={prediction.created_at} />
        <MadeBy maker={prediction.made_by} />
      </>
    ),
  },
  {
    head: t("duration"),
    numeric: true,
    from: "tablet",
    cell: (prediction) => <Took prediction={prediction} />,
  },
  {
    head: t("removalOfFiles"),
    from: "tablet",
    cellClass: "whitespace-nowrap text-muted",
    cell: (prediction) => <Removal prediction={prediction} />,
  },
];

/** The state of the worst of the prediction's deliveries. */
const deliveryColumn = (t: Words<"predictions">, states: Words<"states">): Column<Prediction> => ({
  head: t("deliveries"),
  from: "tablet",
  cell: ({ id, delivery_status: status }) => {
    if (!status) return <span className="text-faint">–</span>;
    const look = deliveryLook(states, status);
    return (
      <RowControls>
        <Link href={`/webhooks/deliveries?prediction_id=${id}`}>
          <StatusPill {...look} title={look.meaning} />
        </Link>
      </RowControls>
    );
  },
});

function Took({ prediction }: { prediction: Prediction }) {
  // It is unknown whether a prediction with an unknown status is running, so no timer is shown.
  const running = Object.hasOwn(predictionTransitions, prediction.status) && !isTerminal(prediction.status);
  if (running) return <RunningFor since={prediction.created_at} />;
  const seconds = prediction.metrics.total_time;
  return <Duration ms={seconds === null ? null : seconds * 1000} />;
}

function RunningFor({ since }: { since: string }) {
  const t = useWords("predictions");
  const nowMs = useNow(1000);
  const wholeSeconds = Math.max(0, Math.floor((nowMs - Date.parse(since)) / 1000));
  return (
    // Set on the element around the text, because suppressHydrationWarning covers only an element's own text.
    <span suppressHydrationWarning className="tabular whitespace-nowrap text-busy">
      {formatDuration(wholeSeconds * 1000, t.language)}
    </span>
  );
}

function Removal({ prediction }: { prediction: Prediction }) {
  const t = useWords("predictions");
  if (prediction.data_removed) return <>{t("removed")}</>;
  if (!prediction.expires_at) return <span className="text-faint">–</span>;
  return (
    // One element, because on a phone the parts of a cell have a gap between them.
    <span>
      {t.rich(
        "inTime",
        {},
        { time: () => <Countdown key="time" until={prediction.expires_at ?? ""} ended={t("aMoment")} /> },
      )}
    </span>
  );
}
