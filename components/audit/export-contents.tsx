"use client";

import { useEffect, useRef, useState } from "react";
import { maxExportedChats } from "#contract/contents-constants.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { failureToast } from "@/components/ui/page/failure-toast";
import { useToast } from "@/components/ui/toast";
import type { Arrived } from "@/lib/browser/save-contents";
import { formatBytes } from "@/lib/format";
import type { Words } from "@/messages/words";

interface ExportContentsProps {
  /** The list's filter at the moment of the click, with the gateway's names. */
  filterAt: (nowMs: number) => Record<string, string | number | boolean>;
}

/** Downloads the chats behind the list as JSONL for fine-tuning. While they arrive, it counts them and can stop. */
export function ExportContents({ filterAt }: ExportContentsProps) {
  const t = useWords("requests");
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
      toast(answer.ok ? savedToast(t, answer.data) : await failureToast(answer.error));
    } catch {
      if (!running.signal.aborted)
        toast({
          title: t("theDownloadBrokeOff"),
          description: t("nothingWasSavedTryAgain"),
          tone: "bad",
        });
    } finally {
      setArrived(null);
    }
  };

  return arrived === null ? (
    <Button title={t("downloadAllMatchingChatsWith")} onClick={() => void save()}>
      {t("jsonl")}
    </Button>
  ) : (
    <Button title={t("stopTheDownload")} onClick={() => stop.current?.abort()}>
      {t("stopArrived", arrivedIn(arrived))}
    </Button>
  );
}

function arrivedIn({ chats, bytes }: Arrived) {
  return { chats, size: formatBytes(bytes) };
}

function savedToast(t: Words<"requests">, arrived: Arrived) {
  if (arrived.chats === 0) return { title: t("noChatsMatch"), description: t("nothingWasSaved") };
  return {
    title: t("savedChats", arrivedIn(arrived)),
    ...(arrived.chats >= maxExportedChats && { description: t("theseAreTheNewest") }),
  };
}
