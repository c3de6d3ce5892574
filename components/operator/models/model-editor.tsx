"use client";

import { useState } from "react";
import type { OperatorModel } from "#contract/operator-models.ts";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import { Section } from "@/components/ui/section";
import { useUnloadWarning } from "@/components/ui/use-unload-warning";
import { type GatewayFailure, localFailure } from "@/lib/gateway/result";
import { changeModel } from "@/lib/operator/model-actions";
import { useChange } from "../use-change.ts";
import { draftOf, type EntryDraft, unreadable, updateOf } from "./entry-draft.ts";
import { EntrySettings } from "./entry-settings.tsx";
import { SchemaAndForm } from "./schema-and-form.tsx";

interface ModelEditorProps {
  model: OperatorModel;
  operation: OperatorModel["operations"][number];
  baseUrl: string;
}

/** An entry of one's own: everything that belongs to a revision. */
export function ModelEditor({ model, operation, baseUrl }: ModelEditorProps) {
  const { busy, change } = useChange();
  const before = draftOf(model, operation);
  const [draft, setDraft] = useState(before);
  const [failure, setFailure] = useState<GatewayFailure | null>(null);
  const update = updateOf(draft, before);
  const dirty = Object.keys(update).length > 0;
  useUnloadWarning(dirty);
  const edit = (part: Partial<EntryDraft>) => setDraft((held) => ({ ...held, ...part }));

  const save = async () => {
    const wrong = unreadable(draft);
    if (wrong.length > 0)
      return setFailure(
        localFailure("invalid_json", `Fix the JSON of the ${wrong.join(" and the ")} first.`),
      );
    setFailure(null);
    setFailure(
      await change(
        changeModel(model.id, update),
        ({ revision }) => `${model.id} saved as revision ${revision}`,
      ),
    );
  };

  return (
    <>
      <Section title="Form and schema" description={`Schema version ${operation.schema_version}`}>
        <SchemaAndForm model={model} draft={draft} onChange={edit} baseUrl={baseUrl} />
      </Section>
      <Section title="Settings">
        <EntrySettings draft={draft} onChange={edit} />
      </Section>
      {failure && (
        <div className="mb-3">
          <ErrorPanel error={failure} />
        </div>
      )}
      {dirty && (
        <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-2 border-t bg-raised px-4 py-3 max-tablet:bottom-[52px] tablet:-mx-6 tablet:px-6">
          <Button variant="primary" busy={busy} onClick={() => void save()}>
            Save changes
          </Button>
          <Button onClick={() => setDraft(before)}>Discard</Button>
          <span className="text-meta text-muted">
            Running predictions keep the revision that they began with.
          </span>
        </div>
      )}
    </>
  );
}
