"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { freshAddress, loadFailureOf } from "./fresh-address.ts";

export interface MediaFailureProps {
  title: string;
  address: string;
  /** A fresh address was tried already. */
  refreshed: boolean;
  downloadName?: string | undefined;
  onAddress: (address: string) => void;
}

/** A file that could not be loaded: a fresh address is tried once, then the reason is shown. */
export function MediaFailure({ title, address, refreshed, downloadName, onAddress }: MediaFailureProps) {
  const [reason, setReason] = useState<string | null>(null);
  const latestOnAddress = useRef(onAddress);
  latestOnAddress.current = onAddress;
  useEffect(() => {
    let gone = false;
    const find = async () => {
      const fresh = refreshed ? null : await freshAddress(address);
      if (gone) return;
      if (fresh) return latestOnAddress.current(fresh);
      const found = await loadFailureOf(address);
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
        {title}: {reason}
      </p>
      <Button size="sm" onClick={() => void retry()}>
        Try again
      </Button>
      <a href={address} download={downloadName ?? true} className="text-accent underline">
        Download
      </a>
    </div>
  );
}
