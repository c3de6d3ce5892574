"use client";

import { useEffect, useRef, useState } from "react";
import { maxExportedChats } from "#contract/accounts/constants.ts";
import { Button } from "@/components/ui/button";
import { failureToast } from "@/components/ui/page/failure-toast";
import { useToast } from "@/components/ui/toast";
import type { Arrived } from "@/lib/browser/save-contents";
import { formatBytes, formatCount } from "@/lib/format";

interface ExportContentsProps {
  /** The list's filter at the moment of the click, with the gateway's names. */
  filterAt: (nowMs: number) => Record<string, string | number | boolean>;
}

/** Downloads the chats behind the list as JSONL for fine-tuning. While they arrive, it counts them and can stop. */
export function ExportContents({ filterAt }: ExportContentsProps) {
  const { toast } = useToast();
  const [arrived, setArrived] = useState<Arrived | null>(null);
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const save = async () => {
    const running = new AbortController();
    stop.current = running;
    setArrived({ chats: 0, bytes: 0 });
    try {
      const { saveContents } = await import("@/lib/browser/save-contents");
      const answer = await saveContents(filterAt(Date.now()), running.signal, setArrived);
      toast(answer.ok ? savedToast(answer.data) : await failureToast(answer.error));
    } catch {
      if (!running.signal.aborted)
        toast({
          title: "The download broke off",
          description: "Nothing was saved. Try again, or choose a shorter time.",
          tone: "bad",
        });
    } finally {
      setArrived(null);
    }
  };

  return arrived === null ? (
    <Button
      title="Download all matching chats with their answers, for fine-tuning"
      onClick={() => void save()}
    >
      JSONL
    </Button>
  ) : (
    <Button title="Stop the download" onClick={() => stop.current?.abort()}>
      Stop ({arrivedText(arrived)})
    </Button>
  );
}

function arrivedText({ chats, bytes }: Arrived): string {
  return `${formatCount(chats, "chat")}, ${formatBytes(bytes)}`;
}

function savedToast(arrived: Arrived) {
  if (arrived.chats === 0)
    return { title: "No chats with whole answers match", description: "Nothing was saved." };
  return {
    title: `Saved ${arrivedText(arrived)}`,
    ...(arrived.chats >= maxExportedChats && {
      description: "These are the newest. For older ones, choose an earlier time.",
    }),
  };
}
