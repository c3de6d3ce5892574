"use client";

import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { batchLimits } from "#contract/batch-constants.ts";
import type { BatchFault } from "#contract/batches.ts";
import { useWords } from "#words";
import { purposeOf } from "@/components/catalog/purpose";
import { CostEstimate } from "@/components/playground/cost-estimate";
import { Permitted } from "@/components/team/permitted";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { WhenSeen } from "@/components/ui/when-seen";
import { type AttestationCode, gates } from "@/lib/attestations/gates";
import { describeFault } from "@/lib/batches/labels";
import { type Candidate, suggestedOf } from "@/lib/compare/candidates";
import type { Idea } from "@/lib/compare/ideas";
import { comparedKinds } from "@/lib/compare/kinds";
import type { ComparedRow } from "@/lib/compare/row-for";
import { formatDuration } from "@/lib/format";
import { betweenSentences } from "@/messages/marks";
import type { Comparison } from "./use-comparison.ts";

const maxChosen = batchLimits.maxCompared;

interface CandidateListProps {
  comparison: Comparison;
  baseUrl: string;
  /** Offered while the input is empty. */
  ideas: readonly Idea[];
  /** Opens the dialog for these attestations. */
  onAttest: (codes: readonly AttestationCode[]) => void;
}

/** The models that accept the input, grouped by the kind of their output. */
export function CandidateList({ comparison, baseUrl, ideas, onAttest }: CandidateListProps) {
  const t = useWords("compare");
  const attestations = useWords("attestations");
  const { offered, offeredGates, isEmpty } = comparison;
  if (isEmpty) return <Ideas ideas={ideas} onChoose={comparison.begin} />;
  return (
    <Section
      title={t("models")}
      description={t("chooseUpToModels", { max: maxChosen })}
      className="mb-0!"
      actions={offered.length > 0 && <ChooseButton comparison={comparison} />}
    >
      {offered.length === 0 ? (
        <p className="rounded-panel border border-dashed px-6 py-10 text-center text-muted">
          {t("noModelAcceptsAllOf")}
        </p>
      ) : (
        <div className="flex flex-col gap-4">
          {offeredGates.missing.length > 0 && (
            <div className="flex flex-wrap items-center gap-3 rounded-panel border bg-panel px-3 py-2">
              <div className="min-w-0 flex-1 basis-60 space-y-1 text-table text-muted">
                {offeredGates.missing.map((code) => (
                  <p key={code}>
                    {attestations.rich(
                      "gateAndWhy",
                      {
                        title: attestations.text(gates[code].title),
                        why: attestations.text(gates[code].why),
                      },
                      {
                        b: (title) => (
                          <strong key="title" className="font-medium text-ink">
                            {title}
                          </strong>
                        ),
                      },
                    )}
                  </p>
                ))}
              </div>
              <Permitted to="operations:run">
                <Button size="sm" onClick={() => onAttest(offeredGates.missing)}>
                  {t("attestForAllModels")}
                </Button>
              </Permitted>
            </div>
          )}
          {Object.entries(comparedKinds).map(([apiType, title]) => (
            <Kind
              key={apiType}
              title={t(title)}
              candidates={offered.filter((each) => each.apiType === apiType)}
              comparison={comparison}
              baseUrl={baseUrl}
            />
          ))}
        </div>
      )}
      <NotCompared />
    </Section>
  );
}

function NotCompared() {
  const t = useWords("compare");
  return (
    <p className="mt-3 text-meta text-muted">
      {t("notComparedHint")}
      {betweenSentences(t.language)}
      {t.rich(
        "findThemInTheCatalog",
        {},
        {
          link: (content) => (
            <Link key="link" href="/catalog" className="text-accent underline">
              {content}
            </Link>
          ),
        },
      )}
    </p>
  );
}

/** Ready inputs for people who have none yet. A click fills in the input and chooses models. */
function Ideas({ ideas, onChoose }: { ideas: readonly Idea[]; onChoose: Comparison["begin"] }) {
  const t = useWords("compare");
  return (
    <Section
      title={t("models")}
      description={ideas.length > 0 ? t("writeAPromptOrIdea") : t("writeAPrompt")}
      className="mb-0!"
    >
      <ul
        aria-label={t("ideas")}
        className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,170px),1fr))] gap-3 empty:hidden"
      >
        {ideas.map((idea) => (
          <li key={idea.title}>
            <button
              type="button"
              onClick={() => onChoose(idea)}
              className="flex size-full flex-col overflow-hidden rounded-panel border bg-panel pb-2 text-left hover:border-strong"
            >
              {idea.input.images ? (
                // biome-ignore lint/performance/noImgElement: the picture is part of the page
                <img
                  src={idea.input.images[0]}
                  alt=""
                  className="aspect-video w-full object-cover max-phone:aspect-3/1"
                />
              ) : (
                <ModelCover {...idea.cover} className="w-full max-phone:aspect-3/1!" />
              )}
              <span className="px-3 pt-2 font-medium">{t(idea.title)}</span>
              <span translate="no" className="px-3 text-meta text-muted wrap-anywhere">
                {idea.input.text}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <NotCompared />
    </Section>
  );
}

function ChooseButton({ comparison }: { comparison: Comparison }) {
  const t = useWords("compare");
  const { offered, chosen, choose, offeredGates } = comparison;
  const isChosen = chosen.length > 0;
  const suggested = suggestedOf(offered, offeredGates.missing);
  return (
    <Button size="sm" onClick={() => choose(isChosen ? [] : suggested.map(({ key }) => key))}>
      {isChosen
        ? t("chooseNone")
        : t(suggested.length === offered.length ? "chooseAll" : "chooseTheFirst", {
            count: suggested.length,
          })}
    </Button>
  );
}

interface KindProps extends Omit<CandidateListProps, "onAttest" | "ideas"> {
  title: string;
  candidates: readonly Candidate[];
}

function Kind({ title, candidates, comparison, baseUrl }: KindProps) {
  if (candidates.length === 0) return null;
  const { chosen, offeredGates } = comparison;
  const missingOf = ({ attestations }: Candidate) =>
    attestations.filter((code) => offeredGates.missing.includes(code));
  /** Examples of gated models are shown only to people who have given the attestations. */
  const mayShow = (candidate: Candidate) =>
    candidate.attestations.length === 0 ||
    (offeredGates.state !== "unknown" && missingOf(candidate).length === 0);
  return (
    <div>
      <h3 className="mb-1 text-table font-medium text-muted">{title}</h3>
      <ul aria-label={title} className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,210px),1fr))] gap-3">
        {candidates.map((candidate) => (
          <CandidateCard
            key={candidate.key}
            candidate={candidate}
            compared={comparison.rowOf(candidate)}
            showsCover={mayShow(candidate)}
            missing={missingOf(candidate)}
            isChosen={chosen.includes(candidate)}
            isFull={chosen.length >= maxChosen}
            baseUrl={baseUrl}
            faults={comparison.faultsOf(candidate)}
            onChoose={() => comparison.toggle(candidate.key)}
            onOwn={(name, value) => comparison.setOwn(candidate.key, name, value)}
            onUploading={comparison.onUploading}
          />
        ))}
      </ul>
    </div>
  );
}

const PlannedFields = dynamic(
  () => import("@/components/playground/form/planned-fields").then((module) => module.PlannedFields),
  {
    ssr: false,
    loading: () => null,
  },
);

const ModelCover = dynamic(
  () => import("@/components/catalog/model-cover").then((module) => module.ModelCover),
  { ssr: false, loading: () => <NoCover /> },
);

/** An empty box of the size of a cover. */
function NoCover({ children }: { children?: ReactNode }) {
  return (
    <span className="grid aspect-video place-items-center bg-sunken px-3 text-center text-meta text-muted">
      {children}
    </span>
  );
}

/** The short values of a model's own fields: `medium · 1024x1024 · png`. */
function ownValues(fields: Candidate["fields"], row: ComparedRow["row"]): string {
  return fields
    .map(({ name }) => row[name])
    .filter(
      (value) => (typeof value === "string" && value.length <= maxShownValue) || typeof value === "number",
    )
    .join(" · ");
}

const maxShownValue = 20;

interface CandidateCardProps {
  candidate: Candidate;
  compared: ComparedRow;
  showsCover: boolean;
  /** The attestations that the user has yet to give. */
  missing: readonly AttestationCode[];
  isChosen: boolean;
  isFull: boolean;
  baseUrl: string;
  faults: readonly BatchFault[];
  onChoose: () => void;
  onOwn: (name: string, value: unknown) => void;
  onUploading: (change: 1 | -1) => void;
}

/** One model: its cover, purpose, typical time and cost, which inputs it ignores, what else it needs, and why it cannot run. */
function CandidateCard({ candidate, compared, showsCover, isChosen, isFull, ...rest }: CandidateCardProps) {
  const t = useWords("compare");
  const attestations = useWords("attestations");
  const batches = useWords("batches");
  const catalog = useWords("catalog");
  const purposes = useWords("purposes");
  const { baseUrl, missing, faults, onChoose, onOwn, onUploading } = rest;
  const { key, model, apiType, modality, fields, billed, typicalMs } = candidate;
  const asked = fields.filter(({ required }) => required);
  return (
    <li
      className={`min-w-0 overflow-hidden rounded-panel border bg-panel pb-2 ${isChosen ? "border-accent" : ""}`}
    >
      <div className="relative">
        {showsCover ? (
          <ModelCover id={model} modality={modality} apiTypes={[apiType]} />
        ) : (
          <NoCover>{t("shownAfterTheAttestation")}</NoCover>
        )}
        <Checkbox
          // The picture fills the whole box.
          label={<span className="font-mono wrap-anywhere after:absolute after:inset-0">{model}</span>}
          className="px-3 pt-2 [&_input]:relative [&_input]:z-10"
          checked={isChosen}
          disabled={!isChosen && isFull}
          hint={compared.differs ?? undefined}
          onChange={onChoose}
        />
      </div>
      <p className="px-3 text-meta text-muted">{purposeOf(purposes, model, [apiType])}</p>
      <div className="tabular flex min-h-5 flex-wrap gap-x-2 px-3 text-meta text-muted">
        {typicalMs !== null && (
          <span title={catalog("theMedianOfThisAccounts")}>
            {catalog("typically", { time: formatDuration(typicalMs, t.language) })}
          </span>
        )}
        <WhenSeen className="min-h-5">
          <CostEstimate model={{ id: model }} operation={billed} body={compared.row} />
        </WhenSeen>
      </div>
      {missing.length > 0 && (
        <p className="flex flex-wrap gap-1 px-3 pt-1">
          {missing.map((code) => (
            <Badge key={code} tone="warn">
              {attestations.text(gates[code].title)}
            </Badge>
          ))}
        </p>
      )}
      {isChosen && (
        <div className="flex min-w-0 flex-col gap-3 px-3 pt-1">
          {asked.length > 0 && (
            // Open only while something is missing: the example's values are a beginning.
            <details open={asked.some(({ name }) => compared.row[name] === undefined)} className="min-w-0">
              <summary className="min-h-6 cursor-pointer text-meta text-muted pointer-coarse:min-h-11">
                {ownValues(asked, compared.row) || t("ownOptions")}{" "}
                <span className="sr-only">{t("onlyForModel", { model })}</span>
              </summary>
              <fieldset aria-label={t("onlyForModel", { model })} className="mt-2 min-w-0">
                <PlannedFields
                  place={["own", key]}
                  fields={asked}
                  value={compared.row}
                  baseUrl={baseUrl}
                  onChange={onOwn}
                  onUploading={onUploading}
                />
              </fieldset>
            </details>
          )}
          {faults.length > 0 && (
            <p role="status" className="text-meta font-medium text-bad">
              {t("cannotRun", { why: faults.map((fault) => describeFault(batches, fault)).join(" ") })}
            </p>
          )}
        </div>
      )}
    </li>
  );
}
