"use client";

import { useQuery } from "@tanstack/react-query";
import { Bookmark, BookmarkCheck } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { KeepRequest } from "#contract/outputs.ts";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { failureToast } from "@/components/ui/page/failure-toast";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { keepOutput } from "@/lib/library/actions";
import { queryKeys } from "@/lib/query-keys";

const LabelsDialog = dynamic(() => import("./labels-dialog.tsx").then((module) => module.LabelsDialog), {
  ssr: false,
});

interface KeepOutputProps {
  runId: string;
  /** Among the files of its run, from 0. */
  index: number;
  /** What this file is called where there are several. */
  name?: string;
  /** The input of a run that the gateway has not stored. */
  told?: Pick<KeepRequest, "api_type" | "input">;
}

/** Keeps one file of a run with a click; labels can follow. Absent where the gateway keeps none. */
export function KeepOutput({ runId, index, name = "", told = {} }: KeepOutputProps) {
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);
  const [labelling, setLabelling] = useState(false);
  const { data, refetch } = useQuery({
    queryKey: queryKeys.outputsOf(runId),
    queryFn: ({ signal }) => fetchRoute("GET /outputs", { query: { prediction_id: runId }, signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const output = data?.data.find(({ position }) => position === index + 1);
  if (!output || !(output.keepable || output.kept)) return null;

  const keep = async () => {
    setBusy(true);
    const answer = await answerOf(keepOutput(output.id, told));
    await refetch();
    setBusy(false);
    toast(
      answer.ok
        ? {
            title: "Kept in the library",
            tone: "good",
            action: { label: "Add labels", onClick: () => setLabelling(true) },
          }
        : await failureToast(answer.error, "Not kept"),
    );
  };

  return (
    <>
      <Permitted to="outputs:keep">
        {output.kept ? (
          <Button
            size="sm"
            icon={<BookmarkCheck size={14} aria-hidden />}
            aria-label={`Kept: labels${name && ` of ${name}`}`}
            onClick={() => setLabelling(true)}
          >
            Kept
          </Button>
        ) : (
          <Button
            size="sm"
            busy={busy}
            icon={<Bookmark size={14} aria-hidden />}
            aria-label={`Keep${name && ` ${name}`} in the library`}
            onClick={() => void keep()}
          >
            Keep
          </Button>
        )}
      </Permitted>
      {labelling && output.kept && <LabelsDialog output={output} onClose={() => setLabelling(false)} />}
    </>
  );
}
