"use client";

import type { CopyError } from "#contract/copies.ts";
import { useWords } from "#words";

/** Codes whose sentence has the server's own words. */
const withServersWords: readonly string[] = ["refused", "server_error"];

/** Why a file was not copied, and what to do. */
export function CopyFailure({ failure }: { failure: CopyError }) {
  const t = useWords("destinations");
  const { code, message } = failure;
  return (
    <>
      {t(code)}
      {withServersWords.includes(code) && (
        <>
          {" "}
          <span lang="en">{message}</span>
        </>
      )}
    </>
  );
}
