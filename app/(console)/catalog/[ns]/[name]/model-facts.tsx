import { ChevronDown, LockKeyhole, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import type { ApiType, ExecutionMode } from "#contract/catalog-constants.ts";
import type { OwnPrice } from "#contract/prices.ts";
import { limitName, limitText } from "@/components/catalog/compare-rows";
import { facetLabel } from "@/components/catalog/facets";
import { isSandboxOnly, priceLabel } from "@/components/catalog/price-label";
import { Link } from "@/components/ui/page/link";
import { gates } from "@/lib/attestations/gates";
import { candidatesOf } from "@/lib/compare/candidates";
import { formatDuration } from "@/lib/format";
import type { ModelFigures } from "@/lib/server/gateway/reads";
import { words } from "@/lib/server/words";
import { shareLabel } from "@/lib/status/service";
import { listText } from "@/lib/words/list-text";
import type { Key, Words } from "@/messages/words";

interface ModelFactsProps {
  model: CatalogModel;
  operation: CatalogOperation;
  /** The account's price. Null if the reader may not know it. */
  price: OwnPrice | null;
  /** How the account's runs went. Missing without runs. */
  figures: ModelFigures | undefined;
  /** The share of all runs in the last 30 days that succeeded. Undefined without a status page. */
  share: number | null | undefined;
}

interface Fact {
  name: string;
  value: ReactNode;
  more?: ReactNode;
}

/** What to know before running a model: cost, time, reliability, what goes in and comes out, limits, places, gates. */
export async function ModelFacts({ model, operation, price, figures, share }: ModelFactsProps) {
  const t = await words("catalog");
  const facts = [
    price && (await priceFact(price, operation, t)),
    timeFact(figures, t),
    share !== undefined && {
      name: t("succeeded"),
      value: shareLabel(await words("status"), share),
      more: t("ofAllRunsInThirtyDays"),
    },
    regionsFact(operation, t),
    { name: t("takes"), value: await takenBy(model, operation, t) },
    {
      name: t("returns"),
      value: t(returned[operation.api_type]),
      more: t(delivered[operation.execution_mode]),
    },
    limitFact(model, operation, t),
    { name: t("latestRelease"), value: model.latest_release_at },
  ].filter((fact): fact is Fact => Boolean(fact));
  return (
    <div className="mb-5 overflow-hidden rounded-panel border bg-panel">
      <dl className="grid grid-cols-2 tablet:grid-cols-4 -mr-px -mb-px">
        {facts.map(({ name, value, more }) => (
          <div key={name} className="min-w-0 border-r border-b px-4 py-2.5">
            <dt className="text-meta text-muted">{name}</dt>
            <dd className="tabular wrap-anywhere">
              <span className="font-medium">{value}</span>
              {more && <span className="block text-meta text-muted">{more}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <GatesFact model={model} />
    </div>
  );
}

async function priceFact(price: OwnPrice, { billing_unit: unit }: CatalogOperation, t: Words<"catalog">) {
  const label = priceLabel(await words("amounts"), price);
  if (label) return { name: t("price"), value: label };
  const more = t("perUnit", { unit: facetLabel(unit, t) });
  return isSandboxOnly(price)
    ? { name: t("price"), value: t("costsNothing"), more: t("inTheSandbox") }
    : { name: t("price"), value: t("notPriced"), more };
}

function timeFact(figures: ModelFigures | undefined, t: Words<"catalog">): Fact {
  const { typicalMs = null, slowMs = null } = figures ?? {};
  if (typicalMs === null) return { name: t("typicalTime"), value: "–", more: t("knownAfterThreeRuns") };
  return {
    name: t("typicalTime"),
    value: <span title={t("theMedianOfThisAccounts")}>{formatDuration(typicalMs, t.language)}</span>,
    more: slowMs !== null && t("mostWithin", { time: formatDuration(slowMs, t.language) }),
  };
}

/** The regions where a provider or the sandbox runs the operation. */
function regionsFact({ deployments }: CatalogOperation, t: Words<"catalog">): Fact {
  const served = deployments.filter(({ svc_served_by: server }) => server !== "none");
  const troubled = served.filter(({ status }) => status !== "healthy").length;
  const [first, second, ...others] = served.map(({ gateway_region: region }) => region);
  return {
    name: t("regions"),
    value: first ? (
      <span className="font-mono text-table">
        {listText(t.language, [first, second], "plain")}
        {others.length > 0 && <span title={listText(t.language, others, "plain")}> +{others.length}</span>}
      </span>
    ) : (
      t("noRoute")
    ),
    more:
      troubled > 0 ? (
        <span className="inline-flex items-center gap-1 text-warn">
          <TriangleAlert size={12} aria-hidden />
          {t("countUnhealthy", { count: troubled })}
        </span>
      ) : (
        first && t("healthy")
      ),
  };
}

/** The kinds of input: `Text, image`. Operations that cannot be compared take text. */
async function takenBy(
  model: CatalogModel,
  { api_type: apiType }: CatalogOperation,
  t: Words<"catalog">,
): Promise<string> {
  const taken = candidatesOf([model], await words("inputForm")).find((one) => one.apiType === apiType)?.slots;
  const kinds = taken ? [taken.text && "text", ...Object.keys(taken.media)] : ["text"];
  const list = listText(
    t.language,
    kinds.map((kind) => kind && facetLabel(kind, t)),
    "plain",
  );
  return list.charAt(0).toUpperCase() + list.slice(1);
}

const returned = {
  "chat-completions": "returnsText",
  "text-to-speech": "returnsSpeech",
  "audio-transcription": "returnsTranscript",
  "voice-management": "returnsVoice",
  "image-generation": "returnsPictures",
  "image-editing": "returnsPictures",
  "video-generation": "returnsVideo",
  embeddings: "returnsVectors",
  rerank: "returnsRanking",
} as const satisfies Record<ApiType, Key<"catalog">>;

const delivered = {
  sync: "atOnce",
  "sync-or-stream": "atOnceOrStreamed",
  async: "asPrediction",
} as const satisfies Record<ExecutionMode, Key<"catalog">>;

/** The limits that people ask for first. The tab has all. */
const mainLimits = [
  "contextWindowTokens",
  "maxDurationSeconds",
  "maxOutputs",
  "maxInputImages",
  "maxInputCharacters",
  "maxInputBytes",
];

function limitFact(model: CatalogModel, { api_type, limits }: CatalogOperation, t: Words<"catalog">): Fact {
  const name = mainLimits.find((limit) => limit in limits) ?? Object.keys(limits)[0];
  const link = (
    <Link
      href={`/catalog/${model.id}?tab=limits&operation=${api_type}`}
      className="text-accent underline-offset-2 hover:underline"
    >
      {t("allLimits")}
    </Link>
  );
  if (name === undefined) return { name: t("limits"), value: "–", more: link };
  return { name: limitName(name, t), value: limitText(name, limits[name], t), more: link };
}

/** The attestations that a run needs, each with its reason. Nothing for a model without gates. */
async function GatesFact({ model: { safety_requirements: flags } }: Pick<ModelFactsProps, "model">) {
  const t = await words("catalog");
  const attestations = await words("attestations");
  const asked = Object.values(gates).filter((gate) => flags[gate.flag]);
  if (asked.length === 0) return null;
  const nameOf = (gate: (typeof asked)[number]) =>
    attestations.text(gate.title) +
    (gate.kind === "adult" && flags.minimum_age !== null ? t("orOlder", { age: flags.minimum_age }) : "");
  return (
    <details className="group border-t px-4 py-2 text-table">
      <summary className="flex min-h-6 cursor-pointer flex-wrap items-center gap-x-2 pointer-coarse:min-h-11">
        <LockKeyhole size={14} aria-hidden className="shrink-0 text-warn" />
        <span className="text-muted">{t("gates")}</span>
        <span className="min-w-0 font-medium">{listText(t.language, asked.map(nameOf), "parts")}</span>
        <ChevronDown size={14} aria-hidden className="shrink-0 text-muted group-open:rotate-180" />
      </summary>
      <ul className="max-w-[80ch] space-y-1 py-1 pl-5.5 text-muted">
        {asked.map((gate) => (
          <li key={gate.title}>
            <span className="font-medium text-ink">{nameOf(gate)}:</span> {attestations.text(gate.why)}
          </li>
        ))}
      </ul>
    </details>
  );
}
