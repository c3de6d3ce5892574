"use client";

import { useState } from "react";
import { thinksSilently } from "#contract/operator/constants.ts";
import type { OperatorModelCreate, OperatorModelProposal } from "#contract/operator/models.ts";
import { useWords } from "#words";
import {
  draftOf,
  type EntryDraft,
  fixFirst,
  unreadable,
  updateOf,
} from "@/components/operator/models/entry-draft";
import { EntrySettings } from "@/components/operator/models/entry-settings";
import { SchemaAndForm } from "@/components/operator/models/schema-and-form";
import { useChange } from "@/components/operator/use-change";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { localFailure } from "@/lib/gateway/result";
import { addModel } from "@/lib/operator/actions";
import { kindLabel } from "@/lib/operator/provider-labels";

interface ReviewStepProps {
  body: OperatorModelCreate;
  proposal: OperatorModelProposal;
  baseUrl: string;
  onBack: () => void;
}

/** The proposal for a new model. Everything in it can be changed before the model is added. */
export function ReviewStep({ body, proposal, baseUrl, onBack }: ReviewStepProps) {
  const t = useWords("operatorModels");
  const shared = useWords("operator");
  const { model, routes, notes } = proposal;
  const [operation] = model.operations;
  const [route] = routes;
  const kind = operation ? kindLabel(shared, operation.api_type) : "";
  return operation ? (
    <Review
      body={body}
      proposal={proposal}
      before={draftOf(model, operation)}
      what={route ? t("runsAt", { kind, provider: route.provider, model: route.upstream_model }) : kind}
      notes={notes}
      baseUrl={baseUrl}
      onBack={onBack}
    />
  ) : null;
}

interface ReviewProps extends ReviewStepProps {
  before: EntryDraft;
  what: string;
  notes: readonly string[];
}

function Review({ body, proposal, before, what, notes, baseUrl, onBack }: ReviewProps) {
  const t = useWords("operatorModels");
  const router = usePageRouter();
  const { change } = useChange();
  const { busy, failure, show, attempt } = useSend();
  const [draft, setDraft] = useState(before);
  const [operation] = proposal.model.operations;
  const imported = operation?.api_type === "chat-completions" ? body.import : undefined;
  const isKnownSilent = thinksSilently(imported?.name ?? "");
  const [isSilent, setSilent] = useState(isKnownSilent);
  const [continuesBegun, setContinuesBegun] = useState(false);
  const facts = imported && {
    import: {
      ...imported,
      ...(isSilent !== isKnownSilent && { thinks_silently: isSilent }),
      ...(continuesBegun && { accepts_prefill: true }),
    },
  };
  const edit = (part: Partial<EntryDraft>) => setDraft((held) => ({ ...held, ...part }));

  const add = async () => {
    const wrong = unreadable(draft);
    if (wrong.length > 0) return show(localFailure("invalid_json", fixFirst(t, wrong)));
    await attempt(() =>
      change(
        addModel({ ...body, ...facts, ...updateOf(draft, before) }),
        ({ id }) => t("addedToCatalog", { id }),
        ({ id }) => router.push(`/operator/models/${id}`),
      ),
    );
  };

  return (
    <>
      <Section title={<span className="font-mono">{body.id}</span>} description={what}>
        {notes.length > 0 && (
          <ul className="list-disc space-y-1 rounded-panel border bg-panel py-3 pr-4 pl-8 text-table">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
      </Section>
      <Section title={t("formAndSchema")}>
        <SchemaAndForm model={proposal.model} draft={draft} onChange={edit} baseUrl={baseUrl} />
      </Section>
      <Section title={t("settings")}>
        <EntrySettings draft={draft} onChange={edit} />
      </Section>
      {imported && (
        <Section title={t("howTheModelAnswers")} description={t("theseFactsDecideWhenA")}>
          <div className="space-y-3">
            <Checkbox
              checked={isSilent}
              onChange={({ target }) => setSilent(target.checked)}
              label={t("itThinksForALong")}
              hint={t("aLongSilenceAtThe")}
            />
            <Checkbox
              checked={continuesBegun}
              onChange={({ target }) => setContinuesBegun(target.checked)}
              label={t("itCanContinueAnAnswer")}
              hint={t("itAcceptsAFinalAssistant")}
            />
          </div>
        </Section>
      )}
      {failure && (
        <div className="mb-3">
          <ErrorPanel error={failure} />
        </div>
      )}
      <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap gap-2 border-t bg-raised px-4 py-3 max-tablet:bottom-[52px] tablet:-mx-6 tablet:px-6">
        <Button variant="primary" busy={busy} onClick={() => void add()}>
          {t("addModel")}
        </Button>
        <Button onClick={onBack}>{t("back")}</Button>
      </div>
    </>
  );
}
