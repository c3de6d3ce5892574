"use client";

import { Columns2, RotateCcw, Undo2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import { batchLimits } from "#contract/batch-constants.ts";
import { useWords } from "#words";
import { AccountBudget } from "@/components/playground/cost-estimate";
import { FilesFromPage } from "@/components/playground/form/media/files-from-page";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import type { AttestationCode } from "@/lib/attestations/gates";
import { maxCostLabel } from "@/lib/batches/labels";
import { callRoute } from "@/lib/browser/gateway";
import { newRunKey } from "@/lib/browser/runs/run-key";
import { type Candidate, suggestedOf } from "@/lib/compare/candidates";
import type { CommonInput, ComparisonStart } from "@/lib/compare/common-input";
import type { Idea } from "@/lib/compare/ideas";
import type { Words } from "@/messages/words";
import { CandidateList } from "./candidate-list.tsx";
import { CommonForm } from "./common-form.tsx";
import { type Comparison, comparisonOf, useComparison } from "./use-comparison.ts";

const GateDialog = dynamic(
  () => import("@/components/attestations/gate-dialog").then((module) => module.GateDialog),
  { ssr: false },
);

interface CompareModelsProps {
  accountId: string;
  /** The gateway's public address, which ends with `/v1`. */
  baseUrl: string;
  candidates: Candidate[];
  ideas: Idea[];
  start: ComparisonStart;
}

/** One input for several models, run as a batch with one row per model. */
export function CompareModels({ accountId, baseUrl, candidates, ideas, start }: CompareModelsProps) {
  const t = useWords("compare");
  const batches = useWords("batches");
  const comparison = useComparison(accountId, candidates, start);
  const { input, fit, check, attested, uploading } = comparison;
  const router = usePageRouter();
  const { busy, failure, send } = useSend();
  const [asked, setAsked] = useState<readonly AttestationCode[]>([]);
  const runButton = useRef<HTMLButtonElement>(null);
  const models = useRef<HTMLDivElement>(null);
  const begin = (idea: Idea) => {
    comparison.begin(idea);
    models.current?.focus();
  };

  const run = async () => {
    if (attested.missing.length > 0) return setAsked(attested.missing);
    const body = {
      ...comparisonOf(fit),
      name: comparisonName(input, fit.length, t),
      concurrency: batchLimits.maxCompared,
    };
    const headers = { "idempotency-key": newRunKey() };
    const answer = await send(() => callRoute("POST /batches", { body, headers }), { leaves: true });
    if (answer.ok) router.push(`/compare/${answer.data.id}`);
  };

  const shownFailure = failure ?? check.failure;
  return (
    <div data-wide className="flex min-w-0 flex-col gap-4">
      <p role="status" className="text-table text-muted empty:hidden">
        {start.notice}
      </p>
      <WayBack {...comparison} />
      <FilesFromPage disabled={false}>
        <div className="grid min-w-0 grid-cols-1 items-start gap-5 desktop:grid-cols-[2fr_3fr]">
          <CommonForm
            input={input}
            baseUrl={baseUrl}
            onChange={comparison.change}
            onUploading={comparison.onUploading}
          />
          {/* The focus moves here from an idea, which disappears when it is chosen. */}
          <div ref={models} tabIndex={-1} className="min-w-0 rounded-panel">
            <CandidateList
              comparison={{ ...comparison, begin }}
              baseUrl={baseUrl}
              ideas={ideas}
              onAttest={setAsked}
            />
          </div>
        </div>
      </FilesFromPage>
      {shownFailure && <ErrorPanel error={shownFailure} />}
      {!comparison.isEmpty && (
        <div className="sticky bottom-0 z-10 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-panel border bg-panel px-4 py-2.5 max-tablet:bottom-[calc(52px+env(safe-area-inset-bottom))]">
          <div className="min-w-0 flex-1 basis-52 text-table text-muted">
            <p role="status">{describeStatus(comparison, t, batches)}</p>
            <p className="tabular text-meta empty:hidden">
              <AccountBudget />
            </p>
          </div>
          <Permitted to="operations:run">
            <Button
              ref={runButton}
              variant="primary"
              icon={<Columns2 size={16} aria-hidden />}
              busy={busy}
              disabled={fit.length === 0 || uploading > 0 || !check.isCurrent}
              onClick={() => void run()}
            >
              {fit.length === 0 ? t("run") : t("runOnModels", { count: fit.length })}
            </Button>
          </Permitted>
        </div>
      )}
      {asked.length > 0 && (
        <GateDialog
          open
          codes={asked}
          model={namesOf(comparison.offered, asked, t)}
          returnFocus={() => runButton.current?.focus()}
          onClose={() => setAsked([])}
          onAttested={() => {
            setAsked([]);
            attested.refresh();
            const { chosen, choose, offered } = comparison;
            // Whoever attests before choosing gets what "Choose the first 5" would choose now.
            if (chosen.length === 0) choose(suggestedOf(offered, []).map(({ key }) => key));
          }}
        />
      )}
    </div>
  );
}

/** Buttons to return to the original input after a change, and to the changed input again. */
function WayBack({ startAgain, undo }: Pick<Comparison, "startAgain" | "undo">) {
  const t = useWords("compare");
  if (startAgain)
    return (
      <p className="flex flex-wrap items-center gap-2 text-table text-muted">
        {t("youChangedTheInput")}
        <Button size="sm" icon={<RotateCcw size={14} aria-hidden />} onClick={startAgain}>
          {t("loadTheOriginalAgain")}
        </Button>
      </p>
    );
  return (
    undo && (
      <p className="flex flex-wrap items-center gap-2 text-table text-muted">
        {t("theOriginalIsLoaded")}
        <Button size="sm" icon={<Undo2 size={14} aria-hidden />} onClick={undo}>
          {t("undo")}
        </Button>
      </p>
    )
  );
}

/** The subject of the gate's sentence: the only model that requires these attestations, or how many do. */
function namesOf(
  offered: readonly Candidate[],
  codes: readonly AttestationCode[],
  t: Words<"compare">,
): string {
  const asking = offered.filter(({ attestations }) => attestations.some((code) => codes.includes(code)));
  const [first] = asking;
  return first && asking.length === 1 ? first.model : t("eachOfModels", { count: asking.length });
}

function describeStatus(
  { chosen, fit, check, uploading, attested }: Comparison,
  t: Words<"compare">,
  batches: Words<"batches">,
): string {
  if (uploading > 0) return t("waitingForUploads", { count: uploading });
  if (chosen.length === 0) return t("chooseTheModels");
  if (!check.isCurrent) return check.failure ? "" : t("checking");
  if (fit.length === 0) return t("noneOfTheseModels");
  const left = chosen.length - fit.length;
  return [
    check.maxCost && t("together", { cost: maxCostLabel(batches, check.maxCost) }),
    left > 0 && t("modelsAreLeftOut", { count: left }),
    attested.state === "closed" && t("aDialogFirstShows"),
  ]
    .filter(Boolean)
    .join(" ");
}

const words = 60;

/** The comparison's name in the list of batches: `"A pine" on 5 models`. */
function comparisonName({ text }: CommonInput, models: number, t: Words<"compare">): string {
  const prompt = text?.replace(/\s+/g, " ").trim() ?? "";
  const short = [...prompt].slice(0, words).join("");
  const name =
    prompt === ""
      ? t("comparisonOfModels", { count: models })
      : t("promptOnModels", { prompt: `${short}${short === prompt ? "" : "…"}`, count: models });
  return name.slice(0, batchLimits.nameMaxLength);
}
