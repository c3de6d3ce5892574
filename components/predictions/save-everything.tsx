"use client";

import { Archive } from "lucide-react";
import { useState } from "react";
import type { Prediction } from "#contract/prediction.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { useToast } from "@/components/ui/toast";
import { formatBytes } from "@/lib/format";
import { outputFiles, totalBytes } from "./outputs.ts";

interface SaveEverythingProps {
  predictions: readonly Prediction[];
  size?: "sm" | "md";
}

/** "Download all (3 files, 8.2 MB)": one zip file with a manifest, made in the browser. */
export function SaveEverything({ predictions, size = "md" }: SaveEverythingProps) {
  const t = useWords("predictions");
  const { toast } = useToast();
  const [savedBytes, setSavedBytes] = useState<number | null>(null);
  const files = predictions.flatMap(outputFiles);
  if (files.length === 0) return null;
  const bytes = totalBytes(files);

  const save = async () => {
    setSavedBytes(0);
    try {
      const { saveOutputs } = await import("./save-outputs.ts");
      await saveOutputs(predictions, { onProgress: setSavedBytes });
    } catch (error) {
      toast({
        title: t("filesCouldNotBeSaved"),
        description: t("reloadThePage", { reason: error instanceof Error ? error.message : "" }),
        tone: "bad",
      });
    } finally {
      setSavedBytes(null);
    }
  };

  return (
    <Button
      size={size}
      busy={savedBytes !== null}
      icon={<Archive size={16} aria-hidden className="shrink-0" />}
      className="max-w-full whitespace-normal!"
      onClick={save}
    >
      {savedBytes === null
        ? t(bytes > 0 ? "downloadAllSize" : "downloadAll", { files: files.length, size: formatBytes(bytes) })
        : t("downloadingSavedbytesOfBytes", {
            savedBytes: formatBytes(savedBytes),
            bytes: formatBytes(bytes),
          })}
    </Button>
  );
}
