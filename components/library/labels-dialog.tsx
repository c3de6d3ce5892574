"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keepLimits } from "#contract/output-constants.ts";
import type { KeepRequest, Output } from "#contract/outputs.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { InputField } from "@/components/ui/form/input-fields";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { failureToast } from "@/components/ui/page/failure-toast";
import { Link } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { callRoute } from "@/lib/browser/gateway";
import { act } from "@/lib/gateway/act";
import { queryKeys } from "@/lib/query-keys";
import type { Words } from "@/messages/words";

/** Adds labels to a file that was just kept. */
export function LabelsDialog({ output, onClose }: { output: Output; onClose: () => void }) {
  const t = useWords("library");
  const { busy, failure, keep } = useLibraryChanges();
  return (
    <FormDialog
      open
      busy={busy}
      onClose={onClose}
      size="sm"
      title={t("keptInTheLibrary")}
      description={
        <>
          {t.rich(
            "thisCopyStays",
            {},
            {
              link: (content) => (
                <Link key="link" href="/library" className="text-accent underline">
                  {content}
                </Link>
              ),
            },
          )}
        </>
      }
    >
      {failure && <ErrorPanel error={failure} />}
      <LabelsForm
        labels={output.kept?.labels ?? []}
        busy={busy}
        onSave={(labels) => void keep(output.id, { labels }).then((saved) => saved && onClose())}
      />
    </FormDialog>
  );
}

/** Keeps outputs, changes their labels, and removes them. A removal can be undone. */
export function useLibraryChanges() {
  const t = useWords("library");
  const { toast } = useToast();
  const client = useQueryClient();
  const { busy, failure, send } = useSend();
  const refresh = () => void client.invalidateQueries({ queryKey: ["outputs"] });

  /** Null if the gateway refused. `failure` then has the reason. */
  const keep = async (id: string, body: KeepRequest = {}): Promise<Output | null> => {
    const answer = await send(() => answerOf(act("POST /outputs/{id}/keep", { params: { id }, body })));
    refresh();
    return answer.ok ? answer.data : null;
  };

  const restore = async (id: string) => {
    const answer = await answerOf(act("POST /outputs/{id}/keep", { params: { id }, body: {} }));
    refresh();
    toast(
      answer.ok ? { title: t("restoredToTheLibrary") } : await failureToast(answer.error, t("notRestored")),
    );
  };

  const remove = async (id: string): Promise<boolean> => {
    const answer = await send(() => answerOf(act("DELETE /outputs/{id}/keep", { params: { id } })));
    refresh();
    const isGone = answer.ok || answer.error.code === "output_not_found";
    if (isGone)
      toast({
        title: t("removedFromTheLibrary"),
        action: { label: t("undo"), onClick: () => void restore(id) },
      });
    return isGone;
  };

  return { busy, failure, keep, remove };
}

/** The form offers at most this many existing labels. */
const maxOffered = 12;

interface LabelsFormProps {
  labels: readonly string[];
  busy: boolean;
  onSave: (labels: string[]) => void;
}

/** The labels of a kept file, typed between commas or chosen from existing ones. */
export function LabelsForm({ labels, busy, onSave }: LabelsFormProps) {
  const t = useWords("library");
  const [text, setText] = useState(labels.join(", "));
  const { data } = useQuery({
    queryKey: queryKeys.libraryLabels(),
    queryFn: ({ signal }) => callRoute("GET /outputs/labels", { signal }),
  });
  const typed = labelsOfText(text);
  const problem = labelProblem(typed, t);
  const used = data?.ok ? data.data.data.map(({ label }) => label) : [];
  const offered = used.filter((label) => !typed.includes(label)).slice(0, maxOffered);
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === null) onSave(typed);
      }}
    >
      <InputField
        label={t("labels")}
        hint={t("separateLabelsWithCommas")}
        error={problem ?? undefined}
        value={text}
        autoComplete="off"
        onValue={setText}
      />
      {offered.length > 0 && (
        <ul aria-label={t("labelsInUse")} className="flex flex-wrap gap-1">
          {offered.map((label) => (
            <li key={label}>
              <Button size="sm" variant="ghost" onClick={() => setText([...typed, label].join(", "))}>
                + {label}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Button type="submit" variant="primary" busy={busy}>
        {t("saveLabels")}
      </Button>
    </form>
  );
}

/** The labels in a text with commas, without duplicates. */
export function labelsOfText(text: string): string[] {
  return [...new Set(text.split(/[,，]/).map((label) => label.trim()))].filter((label) => label !== "");
}

/** The problem with the labels. Null: none. */
export function labelProblem(labels: readonly string[], t: Words<"library">): string | null {
  if (labels.length > keepLimits.labels) return t("useAtMostLabels", { max: keepLimits.labels });
  const long = labels.find((label) => label.length > keepLimits.labelLength);
  return long === undefined
    ? null
    : t("labelIsLonger", { label: long.slice(0, 20), max: keepLimits.labelLength });
}
