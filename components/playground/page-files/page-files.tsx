"use client";

import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import { useAccess } from "@/components/team/access";
import { useToast } from "@/components/ui/toast";
import { useFilesFromPage } from "@/components/uploads/use-files-from-page";
import type { MediaKind } from "@/lib/browser/accepted-types";
import { contentTypeOf, fileProblem, mediaKindOf } from "@/lib/browser/file-type";
import { type MediaPlace, mediaPlaces } from "@/lib/schema-form/media-places";
import { FormContext } from "../form/form-context";
import { UploadRow } from "../form/media/upload-row";
import { useUploads } from "../form/media/use-uploads";
import { usePlayground } from "../use-playground";

const PlaceDialog = dynamic(() => import("./place-dialog").then((module) => module.PlaceDialog), {
  ssr: false,
});
const NoPlaceDialog = dynamic(() => import("./no-place-dialog").then((module) => module.NoPlaceDialog), {
  ssr: false,
});

interface Asked {
  files: File[];
  kind: MediaKind;
  places: MediaPlace[];
}

/** Files that are pasted or dropped anywhere on the page go to the field that takes them. */
export function PageFiles() {
  const { baseUrl, draft, onUploading } = usePlayground();
  const form = {
    baseUrl,
    problems: [],
    disabled: draft.draft.value === null,
    onUploading,
    onUnreadable: () => () => {},
  };
  return (
    <FormContext value={form}>
      <FilesToPlaces />
    </FormContext>
  );
}

function FilesToPlaces() {
  const { plan, model, draft } = usePlayground();
  const { may } = useAccess();
  const { toast } = useToast();
  const [asked, setAsked] = useState<Asked | null>(null);
  const placeOf = useRef(new WeakMap<File, MediaPlace>());
  const latest = useRef(draft);
  latest.current = draft;

  const uploads = useUploads({}, (upload, file) => {
    const place = placeOf.current.get(file);
    const { draft: now, setValue } = latest.current;
    if (!place || !now.value) return;
    // Two may arrive before the first is drawn.
    const value = place.put(now.value, upload.reference);
    latest.current = { ...latest.current, draft: { ...now, value } };
    setValue(value);
    const { holds } = place;
    toast({
      title: place.isList ? `Added to ${place.title}` : `Set as ${place.title}`,
      ...(holds !== null && {
        action: {
          label: "Undo",
          onClick: () => {
            const { draft: then, setValue } = latest.current;
            if (then.value) setValue(place.put(then.value, holds));
          },
        },
      }),
    });
  });

  const put = (files: readonly File[], place: MediaPlace) => {
    setAsked(null);
    const used = place.isList ? files : files.slice(0, 1);
    for (const file of used) {
      const problem = fileProblem(file, { maxBytes: place.maxBytes });
      if (problem) {
        toast({ tone: "bad", title: problem.message });
        continue;
      }
      placeOf.current.set(file, place);
      uploads.start([file]);
    }
    if (used.length < files.length)
      toast({ tone: "warn", title: `${place.title} takes one file. The first was used.` });
  };

  const take = (files: File[]) => {
    const [first] = files;
    if (!first || asked || document.querySelector("dialog[open]")) return;
    if (!may("uploads:write")) return toast({ tone: "bad", title: "Your role cannot upload files" });
    const kind = kindOf(first);
    if (!kind)
      return toast({ tone: "bad", title: fileProblem(first)?.message ?? "This file is not accepted" });
    const { value } = draft.draft;
    if (!value) return toast({ tone: "bad", title: "Fix the JSON, then paste again" });
    const fitting = files.filter((file) => kindOf(file) === kind);
    const places = mediaPlaces(plan, value, kind);
    const [only, ...others] = places;
    if (only && others.length === 0) put(fitting, only);
    else setAsked({ files: fitting, kind, places });
  };
  const over = useFilesFromPage(take);

  return (
    <>
      {over && (
        <p className="mb-3 rounded-control border border-dashed border-accent bg-accent-soft p-2 text-table">
          Drop to use in this input
        </p>
      )}
      {uploads.tasks.length > 0 && (
        <div className="mb-3 flex flex-col gap-2">
          {uploads.tasks.map((task) => (
            <UploadRow
              key={task.id}
              task={task}
              onCancel={() => uploads.cancel(task)}
              onRetry={() => uploads.retry(task)}
            />
          ))}
        </div>
      )}
      {asked &&
        (asked.places.length > 0 ? (
          <PlaceDialog
            {...asked}
            onChoose={(place) => put(asked.files, place)}
            onClose={() => setAsked(null)}
          />
        ) : (
          <NoPlaceDialog
            kind={asked.kind}
            model={model}
            isFull={mediaPlaces(plan, {}, asked.kind).length > 0}
            onClose={() => setAsked(null)}
          />
        ))}
    </>
  );
}

function kindOf(file: File): MediaKind | null {
  return mediaKindOf(contentTypeOf(file));
}
