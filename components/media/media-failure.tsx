"use client";

import { useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { callRoute } from "@/lib/browser/gateway";
import type { Words } from "@/messages/words";

export interface MediaFailureProps {
  title: string;
  address: string;
  /** Whether a new URL was already tried. */
  refreshed: boolean;
  onAddress: (address: string) => void;
}

/** A file that could not be loaded: tries a new URL once, then shows the reason. */
export function MediaFailure({ title, address, refreshed, onAddress }: MediaFailureProps) {
  const t = useWords("media");
  const [reason, setReason] = useState<string | null>(null);
  const latestT = useRef(t);
  latestT.current = t;
  const latestOnAddress = useRef(onAddress);
  latestOnAddress.current = onAddress;
  useEffect(() => {
    let gone = false;
    const find = async () => {
      const fresh = refreshed ? null : await freshAddress(address);
      if (gone) return;
      if (fresh) return latestOnAddress.current(fresh);
      const found = await loadFailureOf(address, latestT.current);
      if (!gone) setReason(found);
    };
    void find();
    return () => {
      gone = true;
    };
  }, [address, refreshed]);
  if (reason === null) return <div aria-busy="true" className="h-24 rounded-panel border bg-sunken" />;
  const retry = async () => onAddress((await freshAddress(address)) ?? address);
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-panel border bg-sunken p-4 text-table">
      <p role="alert" className="min-w-0 flex-1 text-muted">
        {reason && t("titleAndReason", { title, reason })}
      </p>
      <Button size="sm" onClick={() => void retry()}>
        {t("tryAgain")}
      </Button>
      <a href={address} download className="text-accent underline">
        {t("download")}
      </a>
    </div>
  );
}

const storedFile = /\/v1\/files\/(outputs|uploads)\/([^/?]+)\//;

/** A newly signed URL of a stored file. Null if the gateway returns none. */
async function freshAddress(url: string): Promise<string | null> {
  const [, folder, id] = storedFile.exec(url) ?? [];
  if (!folder || !id) return null;
  if (folder === "uploads") {
    const upload = await callRoute("GET /uploads/{id}", { params: { id } });
    return upload.ok ? upload.data.download_url : null;
  }
  if (!id.startsWith("pred_")) return null;
  const prediction = await callRoute("GET /predictions/{id}", { params: { id } });
  const files = (prediction.ok && prediction.data.data) || [];
  return files.find((file) => file.url !== null && pathOf(file.url) === pathOf(url))?.url ?? null;
}

/** Why a file cannot be shown. Requests one byte to find out. */
async function loadFailureOf(url: string, t: Words<"media">): Promise<string> {
  try {
    const response = await fetch(url, { headers: { range: "bytes=0-0" } });
    await response.body?.cancel();
    if (response.ok) return t("thisBrowserCannotPlay");
    if (response.status === 403) return t("theLinkHasExpired");
    if (response.status === 404 || response.status === 410) return t("theFileWasRemoved");
    return t("theFileCouldNotBeLoaded", { status: String(response.status) });
  } catch {
    return t("theServerCannotBeReached");
  }
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
