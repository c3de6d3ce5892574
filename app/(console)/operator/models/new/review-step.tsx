"use client";

import { useState } from "react";
import { thinksSilently } from "#contract/operator/constants.ts";
import type { OperatorModelCreate, OperatorModelProposal } from "#contract/operator/models.ts";
import { draftOf, type EntryDraft, unreadable, updateOf } from "@/components/operator/models/entry-draft";
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
  const { model, routes, notes } = proposal;
  const [operation] = model.operations;
  return operation ? (
    <Review
      body={body}
      proposal={proposal}
      before={draftOf(model, operation)}
      what={`${kindLabel(operation.api_type)}${routes[0] ? `, runs at ${routes[0].provider} as ${routes[0].upstream_model}` : ""}`}
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
    if (wrong.length > 0)
      return show(localFailure("invalid_json", `Fix the JSON of the ${wrong.join(" and the ")} first.`));
    await attempt(() =>
      change(
        addModel({ ...body, ...facts, ...updateOf(draft, before) }),
        ({ id }) => `${id} added to the catalog`,
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
      <Section title="Form and schema">
        <SchemaAndForm model={proposal.model} draft={draft} onChange={edit} baseUrl={baseUrl} />
      </Section>
      <Section title="Settings">
        <EntrySettings draft={draft} onChange={edit} />
      </Section>
      {imported && (
        <Section
          title="How the model answers"
          description="These facts decide when a request moves on to another route or model."
        >
          <div className="space-y-3">
            <Checkbox
              checked={isSilent}
              onChange={({ target }) => setSilent(target.checked)}
              label="It thinks for a long time before its first words"
              hint="A long silence at the start then does not count as a failure."
            />
            <Checkbox
              checked={continuesBegun}
              onChange={({ target }) => setContinuesBegun(target.checked)}
              label="It can continue an answer"
              hint="It accepts a final assistant message and continues it, so it can finish another model’s answer. Some models refuse such a message."
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
          Add model
        </Button>
        <Button onClick={onBack}>Back</Button>
      </div>
    </>
  );
}
