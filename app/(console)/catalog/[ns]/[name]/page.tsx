import { AudioLines } from "lucide-react";
import { notFound } from "next/navigation";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { createLoader } from "nuqs/server";
import type { CatalogModel, CatalogOperation, Deployment } from "#contract/catalog.ts";
import type { OwnPrice, PricedPlace } from "#contract/prices.ts";
import { page } from "@/app/console-page";
import { limitName, limitText } from "@/components/catalog/compare-rows";
import { facetLabel } from "@/components/catalog/facets";
import { GateBadges } from "@/components/catalog/model-badges";
import { ModelCover } from "@/components/catalog/model-cover";
import { coverOf, purposeOf } from "@/components/catalog/purpose";
import { gatesOf } from "@/components/catalog/row";
import { SchemaTable } from "@/components/catalog/schema-table";
import { entrySearchParams } from "@/components/catalog/search-params";
import { Badge, StatusPill } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { JsonView } from "@/components/ui/json-view";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { gates } from "@/lib/attestations/gates";
import type { RouteProps } from "@/lib/page-props";
import { conditionLabel, rateLabel } from "@/lib/rate-labels";
import type { JsonObject } from "@/lib/schema-form/json";
import { snippetsFor } from "@/lib/schema-form/snippets/snippets";
import { modelInLanguage } from "@/lib/server/catalog-words";
import { messageLanguage, words } from "@/lib/server/words";
import { regionLook } from "@/lib/status/service";
import { listText } from "@/lib/words/list-text";
import { bracketed } from "@/messages/marks";
import type { Words } from "@/messages/words";
import { EntryTabs, OperationChoice } from "./client.tsx";

const loadSearch = createLoader(entrySearchParams);

export async function generateMetadata({ params }: RouteProps<{ ns: string; name: string }>) {
  const { ns, name } = await params;
  return { title: `${ns}/${name}` };
}

export default page<"ns" | "name", "catalog">(
  { title: "model", parts: ["catalog"] },
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
    const price = await requestRoute("GET /prices", {
      query: { model: model.id, api_type: operation.api_type },
    });
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
          description={
            <>
              {model.description ?? purposeOf(await words("purposes"), model.id, model.api_types)}
              <span className="mt-1.5 flex flex-wrap items-center gap-1.5">
                <Badge>{operation.api_type}</Badge>
                <Badge>{t("perUnit", { unit: facetLabel(operation.billing_unit, t) })}</Badge>
                <GateBadges gates={gatesOf(model)} />
              </span>
            </>
          }
          actions={
            <LinkButton variant="primary" href={`/playground/${model.id}/${operation.api_type}`}>
              {t("openInThePlayground")}
            </LinkButton>
          }
        />
        <OperationChoice
          operations={model.operations.map((entry) => entry.api_type)}
          chosen={operation.api_type}
        />
        <EntryTabs
          overview={
            <EntryOverview
              model={model}
              operation={operation}
              price={price.ok ? price.data : null}
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
  /** The gateway's public address, ending with `/v1`. */
  baseUrl: string;
}

/** Output, call and price first. In two columns each part follows the one above it, without a gap. */
async function EntryOverview({ model, operation, price, baseUrl }: EntryOverviewProps) {
  const t = await words("catalog");
  const snippets = snippetsFor({ operation, body: operation.example as JsonObject, baseUrl });
  return (
    <div className="grid gap-x-8 desktop:grid-cols-2 desktop:grid-rows-[auto_1fr]">
      <Section title={t("exampleOutput")}>
        <EntryExample model={model} operation={operation} baseUrl={baseUrl} />
      </Section>
      <div className="min-w-0 desktop:row-span-2">
        <Section title={t("callIt")}>
          <CodeBlock tabs={snippets} label={t("exampleRequest")} />
        </Section>
        <Section title={t("billing")}>
          <Facts
            facts={[
              [t("billedPer"), facetLabel(operation.billing_unit, t)],
              [t("execution"), facetLabel(operation.execution_mode, t)],
              ...(price ? pricesIn(price, t).map(({ where, rates }) => [where, rates] as const) : []),
            ]}
          />
        </Section>
        <Section title={t("record")}>
          <Facts
            facts={[
              [t("operation"), <code key="id">{operation.id}</code>],
              [t("releasedAt"), model.released_at],
              [t("latestRelease"), model.latest_release_at],
              [t("gatewayStatus"), facetLabel(model.gateway_status, t)],
              [t("registryRevision"), <code key="revision">{model.registry_revision}</code>],
              [t("schemaVersion"), operation.schema_version],
              [t("ownedBy"), <code key="owner">{model.owned_by}</code>],
            ]}
          />
        </Section>
      </div>
      <div className="min-w-0">
        <Gates model={model} />
        <Section title={t("regions")} description={t("releasedOfferedByTheProvider")}>
          <Regions model={model} operation={operation} />
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

async function Gates({ model }: { model: CatalogModel }) {
  const t = await words("catalog");
  const attestations = await words("attestations");
  const asked = Object.values(gates).filter((gate) => model.safety_requirements[gate.flag]);
  return (
    <Section title={t("gates")}>
      {asked.length === 0 ? (
        <p className="text-muted">{t("thisModelHasNoGates")}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {asked.map((gate) => (
            <li key={gate.title} className="rounded-panel border bg-panel px-4 py-3">
              <p className="font-medium">
                {attestations.text(gate.title)}
                {gate.kind === "adult" && model.safety_requirements.minimum_age !== null && (
                  <span className="text-muted">
                    {t("orOlder", { age: model.safety_requirements.minimum_age })}
                  </span>
                )}
              </p>
              <p className="text-muted">{attestations.text(gate.why)}</p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
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

interface EntryExampleProps {
  model: CatalogModel;
  operation: CatalogOperation;
  baseUrl: string;
}

/** The output: a picture if the model makes pictures, and the response that a program gets. */
async function EntryExample({ model, operation, baseUrl }: EntryExampleProps) {
  const t = await words("catalog");
  const answer = exampleOutput(operation, baseUrl);
  const pictured = ["image", "video"].includes(model.modality) && coverOf(model.id) !== null;
  return (
    <div className="flex flex-col gap-3">
      {pictured && (
        <figure>
          <ModelCover
            id={model.id}
            modality={model.modality}
            apiTypes={[operation.api_type]}
            className="rounded-panel border"
          />
          <figcaption className="mt-1 text-meta text-muted">{t("theSandboxDrewThisPicture")}</figcaption>
        </figure>
      )}
      {answer ? (
        <JsonView value={answer} label={t("exampleOutput")} />
      ) : (
        <p className="flex items-center gap-3 rounded-panel border bg-panel p-4 text-muted">
          <AudioLines size={20} aria-hidden className="shrink-0" />
          {t("theAnswerIsTheSound")}
        </p>
      )}
    </div>
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
            message: { role: "assistant", content: "Harbours freeze from the edges." },
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
