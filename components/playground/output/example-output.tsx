"use client";

import { ArrowLeft, Play } from "lucide-react";
import { exampleOf, ModelCover } from "@/components/catalog/model-cover";
import { coverOf } from "@/components/catalog/purpose";
import { Button } from "@/components/ui/button";
import { usePlayground } from "../use-playground";

/**
 * What the operation gives, before the first run: the model's example with a way to its input. Without an
 * example, and for a gated model until its attestations are made, only the words.
 */
export function ExampleOutput({ noun }: { noun: string }) {
  const { model, operation, gate, showExample, setPane } = usePlayground();
  const isOpen = gate.state === "none" || gate.state === "open";
  const apiTypes = [operation.api_type];
  const example = exampleOf(model.id, apiTypes);
  if (!isOpen || (example === null && coverOf(model.id) === null))
    return (
      <div className="grid min-h-56 place-items-center rounded-panel border border-dashed p-6 text-center">
        <div>
          <Play size={20} aria-hidden className="mx-auto mb-2 text-muted" />
          <p className="text-muted">Press Run. The {noun} will appear here.</p>
          {gate.state === "closed" && (
            <p className="mt-1 text-table text-muted">
              An example is shown once you have made the attestation of this model.
            </p>
          )}
        </div>
      </div>
    );
  return (
    <figure className="rounded-panel border border-dashed p-3">
      <ModelCover
        id={model.id}
        modality={model.modality}
        apiTypes={apiTypes}
        className="rounded-control border"
      />
      {example && <p className="sr-only">{example[1]}</p>}
      <figcaption className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 text-muted">
        <span className="min-w-0 flex-1 basis-60">
          <strong className="font-medium text-ink">Example</strong>, made without the model. Press Run. The{" "}
          {noun} will appear here.
        </span>
        <Button
          size="sm"
          icon={<ArrowLeft size={14} aria-hidden />}
          onClick={() => {
            showExample();
            setPane("input");
          }}
        >
          Use its input
        </Button>
      </figcaption>
    </figure>
  );
}
