"use client";

import dynamic from "next/dynamic";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { type ReactNode, useMemo, useState } from "react";
import type { OperatorModel, OperatorModelRevisionList } from "#contract/operator/models.ts";
import { useWords } from "#words";
import {
  draftOf,
  type EntryDraft,
  fixFirst,
  unreadable,
  updateOf,
} from "@/components/operator/models/entry-draft";
import { SchemaAndForm } from "@/components/operator/models/schema-and-form";
import { useChange } from "@/components/operator/use-change";
import { Button } from "@/components/ui/button";
import { useUnloadWarning } from "@/components/ui/form/use-unload-warning";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Tabs } from "@/components/ui/tabs";
import { changeConfiguration } from "@/lib/gateway/act";
import { type GatewayFailure, type GatewayResult, localFailure } from "@/lib/gateway/result";
import { modelParams } from "@/lib/operator/model-row";

const EntrySettings = dynamic(
  () => import("@/components/operator/models/entry-settings").then((module) => module.EntrySettings),
  { loading: () => null },
);

const RevisionsTable = dynamic(
  () => import("@/components/operator/models/revisions-table").then((module) => module.RevisionsTable),
  { loading: () => null },
);

/** The open tab, which the address contains. */
const tabParam = parseAsStringLiteral(["form", "settings", "access", "revisions"]).withDefault("form");

interface OwnModelProps {
  model: OperatorModel;
  operation: OperatorModel["operations"][number];
  revisions: GatewayResult<OperatorModelRevisionList>;
  baseUrl: string;
  /** The part of the form with the name and the accounts that may use the entry. */
  access: ReactNode;
}

/** An entry that an operator added: its form, settings, access and revisions. */
export function OwnModel({ model, operation, revisions, baseUrl, access }: OwnModelProps) {
  const t = useWords("operatorModels");
  const [tab, setTab] = useQueryState("tab", tabParam);
  const { draft, edit, discard, save, busy, dirty, failure } = useEntryEditor(model, operation);
  return (
    <>
      <Tabs
        label={t("modelDetails")}
        value={tab}
        onChange={(next) => void setTab(next)}
        tabs={[
          {
            value: "form",
            label: t("form"),
            content: <SchemaAndForm model={model} draft={draft} onChange={edit} baseUrl={baseUrl} />,
          },
          {
            value: "settings",
            label: t("settings"),
            content: <EntrySettings draft={draft} onChange={edit} />,
          },
          { value: "access", label: t("nameAndAccess"), content: access },
          {
            value: "revisions",
            label: t("revisions"),
            badge: model.revision,
            content: revisions.ok ? (
              <RevisionsTable id={model.id} revisions={revisions.data.data} />
            ) : (
              <ErrorPanel error={revisions.error} />
            ),
          },
        ]}
      />
      {failure && (
        <div className="mt-4">
          <ErrorPanel error={failure} />
        </div>
      )}
      {dirty && (
        <div className="sticky bottom-0 z-10 -mx-4 mt-6 flex flex-wrap items-center gap-2 border-t bg-raised px-4 py-3 max-tablet:bottom-[52px] tablet:-mx-6 tablet:px-6">
          <Button variant="primary" busy={busy} onClick={() => void save()}>
            {t("saveChanges")}
          </Button>
          <Button onClick={discard}>{t("discard")}</Button>
          <span className="text-meta text-muted">{t("runningPredictionsKeepTheRevision")}</span>
        </div>
      )}
    </>
  );
}

/** The draft of an operator's entry. Saving it creates the next revision. */
function useEntryEditor(model: OperatorModel, operation: OperatorModel["operations"][number]) {
  const t = useWords("operatorModels");
  const { busy, change } = useChange();
  const before = useMemo(() => draftOf(model, operation), [model, operation]);
  const [draft, setDraft] = useState(before);
  const [failure, setFailure] = useState<GatewayFailure | null>(null);
  const update = updateOf(draft, before);
  const dirty = Object.keys(update).length > 0;
  useUnloadWarning(dirty);

  const save = async () => {
    const wrong = unreadable(draft);
    const problem = wrong.length > 0 && localFailure("invalid_json", fixFirst(t, wrong));
    setFailure(problem || null);
    if (problem) return;
    const describe = ({ revision }: OperatorModel) =>
      t("savedAsRevision", { id: model.id, revision: revision ?? 0 });
    const call = { params: modelParams(model.id), body: update };
    const saved = changeConfiguration("PATCH /operator/models/{namespace}/{name}", call);
    setFailure(await change(saved, describe));
  };

  return {
    draft,
    edit: (part: Partial<EntryDraft>) => setDraft((held) => ({ ...held, ...part })),
    discard: () => setDraft(before),
    save,
    busy,
    dirty,
    failure,
  };
}
