"use client";

import type { KeyboardEvent } from "react";
import { Dialog } from "@/components/ui/dialog";
import type { MediaPlace } from "@/lib/schema-form/media-places";

interface PlaceDialogProps {
  files: readonly File[];
  places: readonly MediaPlace[];
  onChoose: (place: MediaPlace) => void;
  onClose: () => void;
}

/** Asks which field a file is for; the arrow keys walk the fields. */
export function PlaceDialog({ files, places, onChoose, onClose }: PlaceDialogProps) {
  const [file] = files;
  const what = files.length === 1 ? file?.name || "The pasted file" : `${files.length} files`;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title="Where should it go?"
      description={`${what} can go here:`}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys are an extra beside Tab */}
      <div className="flex flex-col gap-1.5" onKeyDown={walk}>
        {places.map((place, at) => (
          <button
            key={place.key}
            type="button"
            {...(at === 0 && { "data-autofocus": true })}
            onClick={() => onChoose(place)}
            className="flex min-h-9 items-center justify-between gap-3 rounded-control border px-3 py-1.5 text-left hover:bg-sunken"
          >
            <span className="font-medium">{place.title}</span>
            <span className="text-meta text-muted">
              {place.isList ? "is added" : place.holds !== null && "is replaced"}
            </span>
          </button>
        ))}
      </div>
    </Dialog>
  );
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.findIndex((button) => button.matches(":focus"));
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
}
