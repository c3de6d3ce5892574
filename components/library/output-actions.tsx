"use client";

import { Download } from "lucide-react";
import { useWords } from "#words";
import { CopyTo } from "@/components/destinations/copy-to";
import { ShareButton } from "@/components/shares/share-button";
import { buttonLook } from "@/components/ui/looks";
import { runOfFile } from "@/lib/shares";
import { KeepOutput, type KeepOutputProps } from "./keep-output.tsx";

interface OutputActionsProps extends Omit<KeepOutputProps, "runId" | "index"> {
  url: string;
  /** The name of the saved file. By default the gateway's name. */
  fileName?: string;
}

/**
 * The same row under every output: Download, Keep, Share, and a copy to a bucket for accounts that have one. A file
 * that the gateway did not store, such as the speech of an answer, can only be downloaded.
 */
export function OutputActions({ url, fileName = "", name, source }: OutputActionsProps) {
  const t = useWords("library");
  const stored = runOfFile(url);
  const place = stored && { runId: stored.run, index: stored.position - 1 };
  return (
    // Words without icons where a card is narrow.
    <div className="@container min-w-0 flex-1">
      <div className="flex min-h-8 flex-wrap items-center gap-1 pointer-coarse:min-h-11 @max-[18rem]:[&_svg:not(.animate-spin)]:hidden">
        <a
          href={url}
          download={fileName}
          aria-label={name && t("downloadName", { name })}
          className={buttonLook("ghost", "sm")}
        >
          <Download size={14} aria-hidden />
          {t("download")}
        </a>
        {place && (
          <>
            <KeepOutput {...place} {...(name && { name })} {...(source && { source })} />
            <ShareButton urls={[url]} of={name} />
            <span className="contents @max-[23rem]:hidden">
              <CopyTo {...place} name={name ?? t("theOutput")} />
            </span>
          </>
        )}
      </div>
    </div>
  );
}
