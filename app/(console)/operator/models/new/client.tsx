"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { OperatorModelCreate, OperatorModelProposal } from "#contract/operator/models.ts";
import type { OperatorProvider } from "#contract/operator/providers.ts";
import { SourceForm, type Template } from "@/components/operator/models/source-form";
import { NumberedSteps } from "@/components/ui/page/numbered-steps";
import { answerOf } from "@/lib/browser/action-answer";
import { proposeModel } from "@/lib/operator/model-actions";

const ReviewStep = dynamic(() => import("./review-step").then((module) => module.ReviewStep), { ssr: false });

interface NewModelClientProps {
  providers: readonly OperatorProvider[];
  templates: readonly Template[];
  provider: string;
  name: string;
  baseUrl: string;
}

interface Proposed {
  body: OperatorModelCreate;
  proposal: OperatorModelProposal;
}

/** First where the model comes from, then what is proposed for it. */
export function NewModelClient({ baseUrl, ...source }: NewModelClientProps) {
  const [proposed, setProposed] = useState<Proposed | null>(null);
  const propose = async (body: OperatorModelCreate) => {
    const answer = await answerOf(proposeModel(body));
    if (!answer.ok) return answer.error;
    setProposed({ body, proposal: answer.data });
    return null;
  };
  return (
    <>
      <NumberedSteps names={["Where it comes from", "Its form and settings"]} current={proposed ? 1 : 0} />
      <div hidden={proposed !== null}>
        <SourceForm {...source} propose={propose} />
      </div>
      {proposed && (
        <ReviewStep
          key={JSON.stringify(proposed.body)}
          {...proposed}
          baseUrl={baseUrl}
          onBack={() => setProposed(null)}
        />
      )}
    </>
  );
}
