import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { createLoader, type SearchParams } from "nuqs/server";
import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import { EntryOverview } from "@/components/catalog/entry-overview";
import { GateBadges } from "@/components/catalog/gate-badges";
import { limitName, limitText } from "@/components/catalog/limit-labels";
import { purposeOf } from "@/components/catalog/purpose";
import { gatesOf } from "@/components/catalog/row";
import { SchemaTable } from "@/components/catalog/schema-table";
import { Badge } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { JsonView } from "@/components/ui/json-view";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { formatNumber } from "@/lib/format";
import { env } from "@/lib/server/env";
import { requestRoute } from "@/lib/server/gateway/request";
import { EntryTabs, OperationChoice } from "./client.tsx";
import { entrySearchParams } from "./search-params.ts";

const loadSearch = createLoader(entrySearchParams);

interface Props {
  params: Promise<{ ns: string; name: string }>;
  searchParams: Promise<SearchParams>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { ns, name } = await params;
  return { title: `${ns}/${name}` };
}

export default async function EntryPage({ params, searchParams }: Props) {
  const { ns, name } = await params;
  const result = await requestRoute("GET /models/{namespace}/{name}", { params: { namespace: ns, name } });
  if (!result.ok && result.error.status === 404) notFound();
  if (!result.ok)
    return (
      <>
        <PageHeader title={`${ns}/${name}`} />
        <LoadFailure error={result.error} />
      </>
    );
  const model = result.data;
  const wanted = await loadSearch(searchParams);
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
            <CopyButton value={model.id} label="Copy model id" />
          </span>
        }
        description={
          <>
            {model.description ?? purposeOf(model.id, model.api_types)}
            <span className="mt-1.5 flex flex-wrap items-center gap-1.5">
              <Badge>{operation.api_type}</Badge>
              <Badge>per {operation.billing_unit}</Badge>
              <GateBadges gates={gatesOf(model)} />
            </span>
          </>
        }
        actions={
          <LinkButton variant="primary" href={`/playground/${model.id}/${operation.api_type}`}>
            Open in the playground
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
            baseUrl={`${env.mediaOrigin}/v1`}
          />
        }
        schema={<EntrySchema operation={operation} />}
        limits={<EntryLimits model={model} operation={operation} />}
      />
    </NuqsAdapter>
  );
}

/** The input as a table, then both schemas and the example as published. */
function EntrySchema({ operation }: { operation: CatalogOperation }) {
  return (
    <>
      <Section title="Input" description={`Schema version ${operation.schema_version}`}>
        <SchemaTable schema={operation.input_schema} label="Input properties" />
      </Section>
      <Section title="Example request">
        <JsonView value={operation.example} label="Example request" />
      </Section>
      <Section title="Input schema">
        <JsonView value={operation.input_schema} label="Input schema" />
      </Section>
      <Section title="Output schema">
        <JsonView value={operation.output_schema} label="Output schema" />
      </Section>
    </>
  );
}

const modelLimits = [
  ["context_window_tokens", "tokens"],
  ["max_input_tokens", "tokens"],
  ["max_output_tokens", "tokens"],
  ["max_gateway_request_bytes", "bytes"],
] as const;

/** What the gateway enforces beyond the schema. */
function EntryLimits({ model, operation }: { model: CatalogModel; operation: CatalogOperation }) {
  const facts = [
    ...Object.entries(operation.limits).map(
      ([name, value]) => [limitName(name), limitText(name, value)] as const,
    ),
    ...modelLimits.flatMap(([name, unit]) => {
      const value = model[name];
      return value === undefined ? [] : [[limitName(name), `${formatNumber(value)} ${unit}`] as const];
    }),
  ];
  const unique = [...new Map(facts).entries()];
  return (
    <>
      <p className="mb-3 text-muted">Requests above these limits are rejected with 400 or 413.</p>
      {unique.length > 0 ? (
        <Facts facts={unique} />
      ) : (
        <p className="text-muted">This operation has no specific limits.</p>
      )}
    </>
  );
}
