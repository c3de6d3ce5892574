"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { useToast } from "@/components/ui/toast";
import { useFilesFromPage } from "@/components/uploads/use-files-from-page";
import type { MediaKind } from "@/lib/browser/accepted-types";
import { contentTypeOf, mediaKindOf } from "@/lib/browser/file-type";
import { type FileTaker, FileTakers } from "./file-takers";
import { kindsOf } from "./media-source";

const nouns: Record<MediaKind, string> = { image: "picture", audio: "sound", video: "video" };

/** Brings files that are pasted or dropped anywhere on the page to the field that takes them; asks where several could. */
export function FilesFromPage({ disabled, children }: { disabled: boolean; children: ReactNode }) {
  const { toast } = useToast();
  const [takers] = useState(() => new Set<() => FileTaker>());
  const [asked, setAsked] = useState<{ files: File[]; noun: string; places: FileTaker[] } | null>(null);

  const give = (taker: FileTaker, files: File[]) => taker.take(taker.multiple ? files : files.slice(0, 1));
  useFilesFromPage((files) => {
    const kind = files[0] && mediaKindOf(contentTypeOf(files[0]));
    if (!kind)
      return toast({ tone: "warn", title: "Not taken", description: "Only pictures, sound and video are." });
    if (disabled) return toast({ tone: "warn", title: "Not taken", description: "Fix the JSON first." });
    const fitting = [...takers]
      .map((offered) => offered())
      .filter(({ media }) => kindsOf(media).length === 0 || kindsOf(media).includes(kind));
    const empty = fitting.filter(({ isFilled }) => !isFilled);
    const places = empty.length > 0 ? empty : fitting;
    const [place] = places;
    if (!place)
      toast({
        tone: "warn",
        title: `This operation takes no ${nouns[kind]}`,
        description: "The catalog says which models do.",
      });
    else if (places.length === 1) give(place, files);
    else setAsked({ files, noun: nouns[kind], places });
  });

  return (
    <FileTakers value={takers}>
      {children}
      {asked && (
        <Dialog open onOpenChange={() => setAsked(null)} title={`Where does the ${asked.noun} go?`} size="sm">
          <ul className="flex flex-col gap-2">
            {asked.places.map((place, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two places may have one title
              <li key={index}>
                <Button
                  className="w-full"
                  onClick={() => {
                    setAsked(null);
                    give(place, asked.files);
                  }}
                >
                  {place.title}
                </Button>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </FileTakers>
  );
}
