"use client";

import dynamic from "next/dynamic";
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { useToast } from "@/components/ui/toast";
import { useFilesFromPage } from "@/components/uploads/use-files-from-page";
import type { MediaKind } from "@/lib/browser/accepted-types";
import { contentTypeOf, mediaKindOf } from "@/lib/browser/file-type";
import type { Media } from "@/lib/schema-form/plan";

const PlaceDialog = dynamic(() => import("./place-dialog.tsx").then((module) => module.PlaceDialog), {
  ssr: false,
});

/** A field that accepts files. */
interface FileTaker {
  title: string;
  media: Media;
  /** True when the field already has a file, which a new one would replace. */
  isFilled: boolean;
  multiple: boolean;
  take: (files: File[]) => void;
}

const FileTakers = createContext<Set<() => FileTaker>>(new Set());

/**
 * Passes files that are pasted or dropped anywhere on the page to the field that accepts them. Asks the user
 * if several fields could.
 */
export function FilesFromPage({ disabled, children }: { disabled: boolean; children: ReactNode }) {
  const t = useWords("inputForm");
  const { toast } = useToast();
  const [takers] = useState(() => new Set<() => FileTaker>());
  const [asked, setAsked] = useState<{ files: File[]; kind: MediaKind; places: FileTaker[] } | null>(null);

  const give = (taker: FileTaker, files: File[]) => taker.take(taker.multiple ? files : files.slice(0, 1));
  useFilesFromPage((files) => {
    const kind = files[0] && mediaKindOf(contentTypeOf(files[0]));
    if (!kind)
      return toast({
        tone: "warn",
        title: t("notAdded"),
        description: t("onlyPicturesSoundAndVideo"),
      });
    if (disabled) return toast({ tone: "warn", title: t("notAdded"), description: t("fixTheJsonFirst") });
    const fitting = [...takers]
      .map((offered) => offered())
      .filter(({ media }) => kindsOf(media).length === 0 || kindsOf(media).includes(kind));
    const empty = fitting.filter(({ isFilled }) => !isFilled);
    const places = empty.length > 0 ? empty : fitting;
    const [place] = places;
    if (!place)
      toast({
        tone: "warn",
        title: t("thisOperationAcceptsNoKind", { kind }),
        description: t("theCatalogShowsWhichModels"),
      });
    else if (places.length === 1) give(place, files);
    else setAsked({ files, kind, places });
  });

  return (
    <FileTakers value={takers}>
      {children}
      {asked && (
        <PlaceDialog
          kind={asked.kind}
          titles={asked.places.map(({ title }) => title)}
          onPick={(index) => {
            const place = asked.places[index];
            setAsked(null);
            if (place) give(place, asked.files);
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </FileTakers>
  );
}

/**
 * Registers a field for files that are pasted or dropped anywhere on the page. Pass null while it accepts
 * none.
 */
export function useFileTaker(taker: FileTaker | null): void {
  const takers = useContext(FileTakers);
  const latest = useRef(taker);
  latest.current = taker;
  const isOpen = taker !== null;
  useEffect(() => {
    if (!isOpen) return;
    const offered = () => latest.current as FileTaker;
    takers.add(offered);
    return () => void takers.delete(offered);
  }, [takers, isOpen]);
}

export const kindsOf = (media: Media): readonly MediaKind[] => (media === "any" ? [] : [media]);
