"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Destination } from "#contract/copies.ts";
import { useWords } from "#words";
import { Menu } from "@/components/ui/menu";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { outputsOfRun } from "@/lib/outputs/outputs-of-run";
import { CopyToButton, type CopyToProps } from "./copy-to-button.tsx";

export interface CopyToMenuProps extends CopyToProps {
  destinations: Destination[];
}

/** The destinations for a file; loaded when the button is pressed. */
export function CopyToMenu({ runId, index, name, destinations }: CopyToMenuProps) {
  const t = useWords("destinations");
  const router = usePageRouter();
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);

  const outputId = async () => {
    const outputs = await queryClient.fetchQuery(outputsOfRun(runId));
    return outputs.data.find(({ position }) => position === index + 1)?.id ?? null;
  };
  const copy = async (id: string, destination: string) => {
    setBusy(true);
    const output = await outputId().catch(() => null);
    const answer =
      output === null
        ? null
        : await answerOf(
            act("POST /outputs/{id}/copies", { params: { id: output }, body: { destination: id } }),
          );
    setBusy(false);
    if (answer === null)
      return toast({
        tone: "bad",
        title: t("notCopied"),
        description: t("theFileIsNoLonger"),
      });
    if (!answer.ok) return toast(await failureToast(answer.error, t("notCopied")));
    toast({
      title: t("queued"),
      description: t("theFileWillBeCopied", { destination }),
      action: { label: t("openLog"), onClick: () => router.push(`/destinations/${id}`) },
    });
  };

  return (
    <Menu
      startsOpen
      label={t("copyNameTo", { name })}
      trigger={<CopyToButton name={name} busy={busy} />}
      items={destinations.map(({ id, name: destination, bucket, status }) => ({
        key: id,
        label: destination,
        hint: status === "paused" ? t("paused") : bucket,
        disabled: status === "paused",
        onSelect: () => void copy(id, destination),
      }))}
    />
  );
}
