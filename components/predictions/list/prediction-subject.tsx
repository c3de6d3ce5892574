import type { Prediction } from "#contract/prediction.ts";
import { NoteCount } from "@/components/notes/note-count";
import { RowLink } from "@/components/ui/list/table";
import { shortenId } from "@/lib/format";
import { inputTitle } from "@/lib/schema-form/input-title";
import { predictionHref } from "../links.ts";
import { PredictionThumbnail } from "./prediction-thumbnail.tsx";

interface PredictionSubjectProps {
  prediction: Prediction;
  /** The list's filters, passed on in the link. */
  search?: string;
  /** Shows the model below instead of the id, if no column has it. */
  withModel?: boolean;
}

/** The subject of a run: its picture and the first words of its prompt, or its id if the input is gone. */
export function PredictionSubject({ prediction, search, withModel = false }: PredictionSubjectProps) {
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
            <span className="truncate font-mono text-meta text-muted">
              {withModel ? model : shortenId(id)}
            </span>
          )}
          <NoteCount count={prediction.notes} />
        </span>
      </span>
    </span>
  );
}
