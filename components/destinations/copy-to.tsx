"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { FolderOutput } from "lucide-react";
import { useState } from "react";
import { useAccess } from "@/components/team/access";
import { Button } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/use-place";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { copyOutput } from "@/lib/destinations/actions";
import { queryKeys } from "@/lib/query-keys";

interface CopyToProps {
  runId: string;
  /** Among the files of its run, from 0. */
  index: number;
  /** How the file is called on the page. */
  name: string;
}

const knownForMs = 60_000;
/** As many as an account can have. */
const most = 20;

/** "Copy to…" beside a file: absent for an account without a destination, and for who may not copy. */
export function CopyTo({ runId, index, name }: CopyToProps) {
  const router = usePageRouter();
  const queryClient = useQueryClient();
  const { may } = useAccess();
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);
  const { data } = useQuery({
    queryKey: queryKeys.destinations({ limit: most }),
    queryFn: ({ signal }) => fetchRoute("GET /destinations", { query: { limit: most }, signal }),
    enabled: may("copies:make"),
    staleTime: knownForMs,
    retry: false,
  });
  const destinations = data?.data ?? [];
  if (!may("copies:make") || destinations.length === 0) return null;

  const outputId = async () => {
    const outputs = await queryClient.fetchQuery({
      queryKey: queryKeys.outputsOf(runId),
      queryFn: ({ signal }) => fetchRoute("GET /outputs", { query: { prediction_id: runId }, signal }),
      staleTime: knownForMs,
    });
    return outputs.data.find(({ position }) => position === index + 1)?.id ?? null;
  };
  const copy = async (id: string, destination: string) => {
    setBusy(true);
    const output = await outputId().catch(() => null);
    const answer = output === null ? null : await answerOf(copyOutput(output, id));
    setBusy(false);
    if (answer === null)
      return toast({
        tone: "bad",
        title: "Not copied",
        description: "The file is not stored any more, or could not be found. Reload the page.",
      });
    if (!answer.ok) return toast(await failureToast(answer.error, "Not copied"));
    toast({
      title: "Queued",
      description: `The file is copied to ${destination}.`,
      action: { label: "Open log", onClick: () => router.push(`/destinations/${id}`) },
    });
  };

  return (
    <Menu
      label={`Copy ${name} to`}
      trigger={
        <Button size="sm" variant="ghost" busy={busy} icon={<FolderOutput size={14} aria-hidden />}>
          Copy to…<span className="sr-only"> a destination: {name}</span>
        </Button>
      }
      items={destinations.map(({ id, name: destination, bucket, status }) => ({
        key: id,
        label: destination,
        hint: status === "paused" ? "paused" : bucket,
        disabled: status === "paused",
        onSelect: () => void copy(id, destination),
      }))}
    />
  );
}
