"use client";

import { useQuery } from "@tanstack/react-query";
import { Columns2, Download, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Output } from "#contract/outputs.ts";
import { shareLimits } from "#contract/share-constants.ts";
import { useWords } from "#words";
import { type GridImage, Lightbox } from "@/components/media/lightbox";
import { mediaFamily } from "@/components/media/media-family";
import { useInputPicture } from "@/components/media/use-input-picture";
import { ShareButton } from "@/components/shares/share-button";
import { usePreferences } from "@/components/shell/preferences";
import { ShellIcon } from "@/components/shell/shell-icon";
import { useAccess } from "@/components/team/access";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatBytes } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import { runEach } from "@/lib/run-each";
import { compareHref, gatewayUrl, maxCompared } from "../links.ts";
import { fileTitle } from "./gallery-file.ts";
import { saveFiles } from "./save-files.ts";

export interface GallerySelectionProps {
  files: readonly Output[];
  /** An action that a key asked for, with the file that has the focus. */
  asked: { action: "keep" | "compare"; file: Output } | null;
  onAnswered: () => void;
  onClear: () => void;
  /** Called with the files that are now in the library. */
  onKept: (files: readonly Output[]) => void;
}

/** What can be done with the selected files, at the foot of the window: download, keep, share, compare. */
export function GallerySelection({ files, asked, onAnswered, onClear, onKept }: GallerySelectionProps) {
  const t = useWords("predictions");
  const { toast } = useToast();
  const { may } = useAccess();
  const keep = useKeep(onKept);
  const compare = useCompare();
  const [saving, setSaving] = useState(false);
  const readable = files.filter(({ url }) => url !== null);
  const keepable = files.filter(({ keepable, kept }) => keepable && !kept);

  const latest = useRef({ files, keep, compare, onAnswered });
  latest.current = { files, keep, compare, onAnswered };
  useEffect(() => {
    if (!asked) return;
    const { files, keep, compare, onAnswered } = latest.current;
    const { action, file } = asked;
    if (action === "compare") compare.start(files.length > 0 ? files : [file]);
    else if (may("outputs:keep")) void keep.start([file]);
    onAnswered();
  }, [asked, may]);

  const save = async () => {
    setSaving(true);
    try {
      await saveFiles(readable);
    } catch (error) {
      toast({
        title: t("filesCouldNotBeSaved"),
        description: t("reloadThePage", { reason: error instanceof Error ? error.message : "" }),
        tone: "bad",
      });
    }
    setSaving(false);
  };

  return (
    <>
      {files.length > 0 && (
        <section
          aria-label={t("selectedFiles")}
          className="appear sticky bottom-4 z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-1 rounded-panel border border-strong bg-raised px-3 py-1.5 shadow-float max-tablet:bottom-18 max-tablet:[&_svg:not(.animate-spin)]:hidden"
        >
          <span role="status" className="tabular mr-2 font-medium">
            {t("countSelected", { count: files.length })}
          </span>
          {readable.length > 0 && (
            <Button
              size="sm"
              variant="ghost"
              busy={saving}
              icon={<Download size={14} aria-hidden />}
              title={formatBytes(readable.reduce((sum, file) => sum + file.size_bytes, 0))}
              onClick={() => void save()}
            >
              {t("download")}
            </Button>
          )}
          {keepable.length > 0 && (
            <Permitted to="outputs:keep">
              <Button
                size="sm"
                variant="ghost"
                busy={keep.busy}
                icon={<ShellIcon name="bookmark" size={14} />}
                onClick={() => void keep.start(keepable)}
              >
                {t("keep")}
              </Button>
            </Permitted>
          )}
          {readable.length > 0 && readable.length <= shareLimits.outputs && (
            <ShareButton urls={readable.flatMap(({ url }) => url ?? [])} />
          )}
          {(files.length > 1 || files[0]?.api_type === "image-editing") && files.length <= maxCompared && (
            <Button
              size="sm"
              variant="ghost"
              icon={<Columns2 size={14} aria-hidden />}
              onClick={() => compare.start(files)}
            >
              {t("compare")}
            </Button>
          )}
          <Button
            size="sm"
            variant="ghost"
            icon={<X size={14} aria-hidden />}
            aria-label={t("clearSelection")}
            onClick={onClear}
          >
            {t("clear")}
          </Button>
        </section>
      )}
      {compare.slider}
    </>
  );
}

/** Keeps files one after the other, and says how many are in the library. */
function useKeep(onKept: GallerySelectionProps["onKept"]) {
  const t = useWords("predictions");
  const { toast } = useToast();
  const router = usePageRouter();
  const [busy, setBusy] = useState(false);
  const start = async (files: readonly Output[]) => {
    const wanted = files.filter(({ keepable, kept }) => keepable && !kept);
    if (wanted.length === 0) return toast({ title: t("nothingToKeep") });
    setBusy(true);
    const { done, refused, error } = await runEach(
      wanted,
      ({ id }) => answerOf(act("POST /outputs/{id}/keep", { params: { id }, body: {} })),
      { signal: new AbortController().signal },
    );
    setBusy(false);
    onKept(done.map(({ data }) => data));
    const failed = error ?? refused[0]?.error;
    if (failed)
      return toast(await failureToast(failed, t("someNotKept", { kept: done.length, of: wanted.length })));
    toast({
      tone: "good",
      title: t("countKept", { count: done.length }),
      action: { label: t("openLibrary"), onClick: () => router.push("/library") },
    });
  };
  return { busy, start };
}

/**
 * Compares an edit with the photo that it began with, predictions on a page of their own, and two pictures of other runs
 * with a slider.
 */
function useCompare() {
  const t = useWords("predictions");
  const ui = useWords("ui");
  const { timeZone } = usePreferences();
  const { toast } = useToast();
  const router = usePageRouter();
  const [pair, setPair] = useState<readonly Output[]>([]);
  const [edit, setEdit] = useState<Output | null>(null);
  const start = (files: readonly Output[]) => {
    const [only] = files.length === 1 ? files : [];
    const predictions = new Set(files.map(({ prediction_id: id }) => id));
    const pictures = files.filter((file) => file.url !== null && mediaFamily(file.content_type) === "image");
    if (files.length > maxCompared)
      toast({ title: t("atMostMaxcomparedPredictionsCan", { maxCompared }), description: t("clearSome") });
    else if (only?.prediction_id && only.api_type === "image-editing") setEdit(only);
    else if (predictions.size > 1 && !predictions.has(null))
      router.push(compareHref([...predictions].filter((id) => id !== null)));
    else if (files.length === 2 && pictures.length === 2) setPair(pictures);
    else toast({ title: t("notCompared"), description: t("whatCanBeCompared") });
  };
  const imageOf = (file: Output): GridImage => ({
    url: file.url ?? "",
    width: null,
    height: null,
    alt: fileTitle(ui, file, timeZone),
  });
  const slider = edit ? (
    <BeforeAfter edit={edit} after={imageOf(edit)} onClose={() => setEdit(null)} />
  ) : (
    pair.length > 0 && (
      <Lightbox images={pair.map(imageOf)} startIndex={0} startComparing onClose={() => setPair([])} />
    )
  );
  return { start, slider };
}

interface BeforeAfterProps {
  edit: Output;
  after: GridImage;
  onClose: () => void;
}

/** An edit over the photo that it began with, under a slider. Only the edit if the photo was removed. */
function BeforeAfter({ edit, after, onClose }: BeforeAfterProps) {
  const { data } = useQuery({
    queryKey: ["predictions", "of output", edit.id],
    queryFn: ({ signal }) =>
      fetchRoute("GET /predictions/{id}", { params: { id: edit.prediction_id ?? "" }, signal }),
  });
  const before = useInputPicture(data?.input ?? {}, data ? gatewayUrl(data) : "");
  if (!data) return null;
  const images = before ? [before, after] : [after];
  // Begins anew with the photo, which may come later.
  return <Lightbox key={images.length} images={images} startIndex={0} startComparing onClose={onClose} />;
}
