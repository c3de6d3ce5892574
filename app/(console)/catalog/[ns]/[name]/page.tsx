import { AudioLines } from "lucide-react";
import { notFound } from "next/navigation";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { createLoader } from "nuqs/server";
import type { ApiType, CatalogModel, CatalogOperation, Deployment } from "#contract/catalog.ts";
import type { Output } from "#contract/outputs.ts";
import type { OwnPrice, PricedPlace } from "#contract/prices.ts";
import { page } from "@/app/console-page";
import { limitName, limitText } from "@/components/catalog/compare-rows";
import { facetLabel } from "@/components/catalog/facets";
import { exampleOf, ModelCover } from "@/components/catalog/model-cover";
import { coverOf, purposeOf } from "@/components/catalog/purpose";
import { SchemaTable } from "@/components/catalog/schema-table";
import { entrySearchParams } from "@/components/catalog/search-params";
import { mediaFamily } from "@/components/media/media-family";
import { OutputPicture } from "@/components/media/output-picture";
import { StatusPill } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { JsonView } from "@/components/ui/json-view";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Link } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { candidateKey, isCompared } from "@/lib/compare/kinds";
import type { RouteProps } from "@/lib/page-props";
import { conditionLabel, rateLabel } from "@/lib/rate-labels";
import type { JsonObject } from "@/lib/schema-form/json";
import { snippetsFor } from "@/lib/schema-form/snippets/snippets";
import { modelInLanguage } from "@/lib/server/catalog-words";
import { modelFigures } from "@/lib/server/gateway/reads";
import { messageLanguage, words } from "@/lib/server/words";
import { regionLook } from "@/lib/status/service";
import { listText } from "@/lib/words/list-text";
import { bracketed } from "@/messages/marks";
import type { Words } from "@/messages/words";
import { EntryTabs, OperationChoice } from "./client.tsx";
import { ModelFacts } from "./model-facts.tsx";

const loadSearch = createLoader(entrySearchParams);

export async function generateMetadata({ params }: RouteProps<{ ns: string; name: string }>) {
  const { ns, name } = await params;
  return { title: `${ns}/${name}` };
}

export default page<"ns" | "name", "catalog">(
  { title: "model", parts: ["catalog", "media"] },
  async ({ t, params, search, baseUrl, requestRoute, need }) => {
    const { ns: namespace, name } = params;
    const model = modelInLanguage(
      await need(requestRoute("GET /models/{namespace}/{name}", { params: { namespace, name } })),
      await messageLanguage(),
    );
    const wanted = loadSearch(search);
    const operation =
      model.operations.find((entry) => entry.api_type === wanted.operation) ?? model.operations[0];
    if (!operation) notFound();
    const { api_type: apiType } = operation;
    const [price, figures, status, outputs] = await Promise.all([
      requestRoute("GET /prices", { query: { model: model.id, api_type: apiType } }),
      modelFigures(),
      requestRoute("GET /status"),
      requestRoute("GET /outputs", { query: { model: model.id, api_type: apiType, limit: outputsShown } }),
    ]);
    const past = status.ok ? status.data.models.find((each) => each.model === model.id) : undefined;
    return (
      <NuqsAdapter>
        <PageHeader
          title={
            <span className="inline-flex items-center gap-1 font-mono">
              {model.display_name && <span className="font-sans">{model.display_name}</span>}
              {model.id}
              <CopyButton value={model.id} label={t("copyModelId")} />
            </span>
          }
          description={model.description ?? purposeOf(await words("purposes"), model.id, model.api_types)}
          actions={
            isCompared(apiType) && (
              <LinkButton href={`/compare?operation=${candidateKey(model.id, apiType)}`}>
                {t("compare")}
              </LinkButton>
            )
          }
          primary={
            <LinkButton variant="primary" href={`/playground/${model.id}/${apiType}`}>
              {t("openInThePlayground")}
            </LinkButton>
          }
        />
        <OperationChoice operations={model.operations.map((entry) => entry.api_type)} chosen={apiType} />
        <ModelFacts
          model={model}
          operation={operation}
          price={price.ok ? price.data : null}
          figures={figures.get(model.id)}
          share={status.ok ? (past?.share ?? null) : undefined}
        />
        <EntryTabs
          overview={
            <EntryOverview
              model={model}
              operation={operation}
              price={price.ok ? price.data : null}
              outputs={outputs.ok ? outputs.data.data : []}
              baseUrl={baseUrl}
            />
          }
          schema={<EntrySchema operation={operation} />}
          limits={<EntryLimits model={model} operation={operation} />}
        />
      </NuqsAdapter>
    );
  },
);

interface EntryOverviewProps {
  model: CatalogModel;
  operation: CatalogOperation;
  /** The account's price. Null if the page does not show it. */
  price: OwnPrice | null;
  /** The account's newest outputs of the operation. */
  outputs: readonly Output[];
  /** The gateway's public address, ending with `/v1`. */
  baseUrl: string;
}

/** Examples at the left, the call at the right. In two columns each part follows the one above it, without a gap. */
async function EntryOverview({ model, operation, price, outputs, baseUrl }: EntryOverviewProps) {
  const t = await words("catalog");
  const snippets = snippetsFor({ operation, body: operation.example as JsonObject, baseUrl });
  const prices = price ? pricesIn(price, t) : [];
  const answer = exampleOutput(operation, baseUrl);
  return (
    <div className="grid gap-x-8 desktop:grid-cols-2">
      <div className="min-w-0">
        <Section title={t("examples")}>
          <EntryExample model={model} operation={operation} />
          <OwnExamples outputs={outputs} apiType={operation.api_type} />
        </Section>
        <Section title={t("regions")} description={t("releasedOfferedByTheProvider")}>
          <Regions model={model} operation={operation} />
        </Section>
      </div>
      <div className="min-w-0">
        <Section title={t("callIt")}>
          <CodeBlock tabs={snippets} label={t("exampleRequest")} />
        </Section>
        <Section title={t("answer")}>
          {answer ? (
            <JsonView value={answer} label={t("exampleOutput")} openDepth={4} />
          ) : (
            <p className="flex items-center gap-3 rounded-panel border bg-panel p-4 text-muted">
              <AudioLines size={20} aria-hidden className="shrink-0" />
              {t("theAnswerIsTheSound")}
            </p>
          )}
        </Section>
        {prices.some(({ isWhole }) => !isWhole) && (
          <Section title={t("allPrices")}>
            <Facts facts={prices.map(({ where, rates }) => [where, rates] as const)} />
          </Section>
        )}
        <Section title={t("record")}>
          <Facts
            facts={[
              [t("operation"), <code key="id">{operation.id}</code>],
              [t("releasedAt"), model.released_at],
              [t("gatewayStatus"), facetLabel(model.gateway_status, t)],
              [t("registryRevision"), <code key="revision">{model.registry_revision}</code>],
              [t("schemaVersion"), operation.schema_version],
              [t("ownedBy"), <code key="owner">{model.owned_by}</code>],
            ]}
          />
        </Section>
      </div>
    </div>
  );
}

/**
 * The rates of each region, with equal rates grouped. Several providers in a region are listed separately.
 */
function pricesIn({ places, currency }: OwnPrice, t: Words<"catalog">) {
  const byRates = Map.groupBy(places, ({ sandbox, components }) => JSON.stringify([sandbox, components]));
  return [...byRates.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const isEverywhere = byRates.size === 1;
    const regions = listText(t.language, [...new Set(same.map(({ region }) => region))], "plain");
    return [
      {
        where: isEverywhere ? t("price") : t("priceIn", { regions }),
        rates: <Rates place={first} currency={currency} />,
        /** Whether the facts above say all of it. */
        isWhole: isEverywhere && (first.components?.length ?? 0) < 2,
      },
    ];
  });
}

async function Rates({ place: { sandbox, components }, currency }: { place: PricedPlace; currency: string }) {
  const t = await words("catalog");
  const amounts = await words("amounts");
  if (sandbox) return <span className="text-muted">{t("sandboxCostsNothing")}</span>;
  if (!components || components.length === 0) return <span className="text-muted">{t("notPriced")}</span>;
  return components.map((component) => (
    <span key={`${component.kind}:${conditionLabel(amounts, component.when)}`} className="tabular block">
      {rateLabel(amounts, component, currency)}
      {component.when && (
        <span className="text-muted">
          {bracketed(t.language, "", conditionLabel(amounts, component.when))}
        </span>
      )}
    </span>
  ));
}

async function Regions({ model, operation }: Pick<EntryOverviewProps, "model" | "operation">) {
  const t = await words("catalog");
  const regions = [...new Set([...model.configured_regions, ...model.released_regions])].sort();
  return (
    <Table label={t("regions")}>
      <thead>
        <tr>
          <Th>{t("region")}</Th>
          <Th>{t("released")}</Th>
          <Th>{t("deployment")}</Th>
        </tr>
      </thead>
      <tbody>
        {regions.map((region) => (
          <Tr key={region}>
            <Td className="font-mono">{region}</Td>
            <Td>{model.released_regions.includes(region) ? t("yes") : t("no")}</Td>
            <Td>
              <DeploymentStatus
                deployment={operation.deployments.find((entry) => entry.gateway_region === region)}
              />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The state of an operation in one region, where it may not be deployed. */
async function DeploymentStatus({ deployment }: { deployment: Deployment | undefined }) {
  const t = await words("catalog");
  if (!deployment) return <span className="text-faint">{t("notDeployed")}</span>;
  if (deployment.svc_served_by === "none") return <span className="text-faint">{t("noRoute")}</span>;
  const look = regionLook(await words("status"), deployment.status);
  return <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />;
}

/** The published example: its text, and for pictures and videos what the sandbox made of one. */
async function EntryExample({ model, operation }: Pick<EntryOverviewProps, "model" | "operation">) {
  const t = await words("catalog");
  const { api_type: apiType, example } = operation;
  const hasCover = exampleOf(model.id, [apiType]) === null && coverOf(model.id) !== null;
  const text = exampleText(example);
  return (
    <figure className="overflow-hidden rounded-panel border bg-panel">
      {hasCover && (
        <ModelCover id={model.id} modality={model.modality} apiTypes={[apiType]} className="border-b" />
      )}
      <figcaption className="flex items-center gap-3 px-4 py-3">
        <span className="min-w-0 flex-1">
          {text && (
            <span lang="en" className="block wrap-anywhere">
              {text}
            </span>
          )}
          {hasCover && <span className="block text-meta text-muted">{t("madeWithoutAModel")}</span>}
        </span>
        <LinkButton
          size="sm"
          href={`/playground/${model.id}/${apiType}?from=example`}
          aria-label={t("tryThisExample")}
        >
          {t("try")}
        </LinkButton>
      </figcaption>
    </figure>
  );
}

/** What an example asks for, in its own words. */
function exampleText(example: CatalogOperation["example"]): string | null {
  const { prompt, input, voice_prompt: voice, messages } = example;
  const asked = Array.isArray(messages) ? messages.findLast(({ role }) => role === "user")?.content : null;
  return [prompt, input, voice, asked].find((text) => typeof text === "string") ?? null;
}

/** The number of own outputs on a model's page: a row of a wide column. */
const outputsShown = 6;

/** The account's newest outputs of this operation. Each opens the playground with the input that made it. */
async function OwnExamples({ outputs, apiType }: { outputs: readonly Output[]; apiType: ApiType }) {
  const t = await words("catalog");
  const ui = await words("ui");
  const shown = outputs.filter(({ prediction_id: id, gated }) => id !== null && gated === null);
  if (shown.length === 0) return null;
  return (
    <>
      <h3 className="mt-4 mb-2 text-table font-medium text-muted">{t("yourNewest")}</h3>
      <ul className="grid grid-cols-3 gap-2 tablet:grid-cols-6">
        {shown.map((output) => (
          <li key={output.id} className="min-w-0">
            <Link
              href={`/playground/${output.model}/${apiType}?from=${output.prediction_id}`}
              aria-label={t("tryWithItsInput", {
                kind: ui("fileKind", { kind: mediaFamily(output.content_type) }),
              })}
              title={t("tryWithItsInputShort")}
              className="relative block aspect-square overflow-hidden rounded-control border bg-sunken hover:border-accent"
            >
              <OutputPicture file={output} cover />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A short example response. Null if the response is the file itself. */
function exampleOutput({ id, api_type: apiType, execution_mode: mode }: CatalogOperation, baseUrl: string) {
  const [model = ""] = id.split(":", 1);
  const file = (name: string) => `${baseUrl}/files/outputs/…/${name}`;
  if (mode === "async") {
    const isVideo = apiType === "video-generation";
    const url = file(isVideo ? "1.mp4" : "1.png");
    return {
      id: "pred_…",
      status: "succeeded",
      model,
      output: isVideo ? url : [url],
      data: [{ url, content_type: isVideo ? "video/mp4" : "image/png" }],
    };
  }
  switch (apiType) {
    case "embeddings":
      return {
        object: "list",
        model,
        data: [{ object: "embedding", index: 0, embedding: [0.0123, -0.0456, 0.0789] }],
        usage: { prompt_tokens: 14, total_tokens: 14 },
      };
    case "rerank":
      return {
        model,
        results: [
          { index: 1, relevance_score: 0.92 },
          { index: 0, relevance_score: 0.07 },
        ],
      };
    case "chat-completions":
      return {
        model,
        choices: [
          {
            message: { role: "assistant", content: "Air scatters blue light more than red." },
            finish_reason: "stop",
          },
        ],
        usage: { prompt_tokens: 24, completion_tokens: 9, total_tokens: 33 },
      };
    case "text-to-speech":
      return null;
    case "audio-transcription":
      return { model, text: "The ferry leaves at half past six." };
    case "voice-management":
      return { model, action: "create", data: { voice: "voice-…" } };
    case "image-generation":
    case "image-editing":
    case "video-generation":
      return { model, data: [{ url: file("1.png"), content_type: "image/png", width: 1024, height: 1024 }] };
  }
}

/** The input as a table, then both schemas and the example as published. */
async function EntrySchema({ operation }: { operation: CatalogOperation }) {
  const t = await words("catalog");
  return (
    <>
      <Section
        title={t("input")}
        description={t("schemaVersionIs", { version: String(operation.schema_version) })}
      >
        <SchemaTable schema={operation.input_schema} label={t("inputProperties")} />
      </Section>
      <Section title={t("exampleRequest")}>
        <JsonView value={operation.example} label={t("exampleRequest")} />
      </Section>
      <Section title={t("inputSchema")}>
        <JsonView value={operation.input_schema} label={t("inputSchema")} />
      </Section>
      <Section title={t("outputSchema")}>
        <JsonView value={operation.output_schema} label={t("outputSchema")} />
      </Section>
    </>
  );
}

const modelLimits = [
  ["context_window_tokens", "countTokens"],
  ["max_input_tokens", "countTokens"],
  ["max_output_tokens", "countTokens"],
  ["max_gateway_request_bytes", "countBytes"],
] as const;

/** Limits that the gateway enforces in addition to the schema. */
async function EntryLimits({ model, operation }: { model: CatalogModel; operation: CatalogOperation }) {
  const t = await words("catalog");
  const facts = [
    ...Object.entries(operation.limits).map(
      ([name, value]) => [limitName(name, t), limitText(name, value, t)] as const,
    ),
    ...modelLimits.flatMap(([name, unit]) => {
      const value = model[name];
      return value === undefined ? [] : [[limitName(name, t), t(unit, { count: value })] as const];
    }),
  ];
  const unique = [...new Map(facts).entries()];
  return (
    <>
      <p className="mb-3 text-muted">{t("requestsAboveTheseLimitsAre")}</p>
      {unique.length > 0 ? (
        <Facts facts={unique} />
      ) : (
        <p className="text-muted">{t("thisOperationHasNoSpecific")}</p>
      )}
    </>
  );
}
