import { AudioLines } from "lucide-react";
import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import { JsonView } from "@/components/ui/json-view";
import { exampleOutput } from "./example-output.ts";
import { ModelCover } from "./model-cover.tsx";
import { coverOf } from "./purpose.ts";

interface EntryExampleProps {
  model: CatalogModel;
  operation: CatalogOperation;
  baseUrl: string;
}

/** What comes out: a picture of it where the model makes pictures, and the answer as a program reads it. */
export function EntryExample({ model, operation, baseUrl }: EntryExampleProps) {
  const answer = exampleOutput(operation, baseUrl);
  const pictured = ["image", "video"].includes(model.modality) && coverOf(model.id) !== null;
  return (
    <div className="flex flex-col gap-3">
      {pictured && (
        <figure>
          <ModelCover id={model.id} modality={model.modality} className="rounded-panel border" />
          <figcaption className="mt-1 text-meta text-muted">
            Drawn by the sandbox, without a model.
          </figcaption>
        </figure>
      )}
      {answer ? (
        <JsonView value={answer} label="Example output" />
      ) : (
        <p className="flex items-center gap-3 rounded-panel border bg-panel p-4 text-muted">
          <AudioLines size={20} aria-hidden className="shrink-0" />
          The answer is the sound itself: audio/wav.
        </p>
      )}
    </div>
  );
}
