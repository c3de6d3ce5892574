"use client";

import { CopyTo } from "@/components/destinations/copy-to";
import { KeepOutput } from "@/components/library/keep-output";
import { ShareButton } from "@/components/shares/share-button";

interface OutputActionsProps {
  runId: string;
  /** Among the files of its run, from 0. */
  index: number;
  url: string;
  /** How the file is called on the page. */
  name: string;
}

/** What can be done with a stored file: kept, shared, copied. */
export function OutputActions({ runId, index, url, name }: OutputActionsProps) {
  return (
    <>
      <KeepOutput runId={runId} index={index} name={name} />
      <ShareButton urls={[url]} of={name} />
      <CopyTo runId={runId} index={index} name={name} />
    </>
  );
}
