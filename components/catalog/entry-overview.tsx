import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import type { OwnPrice, PricedPlace } from "#contract/prices.ts";
import { CodeBlock } from "@/components/ui/code-block";
import { Facts } from "@/components/ui/facts";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Section } from "@/components/ui/page/section";
import { StatusPill } from "@/components/ui/status-pill";
import { gates } from "@/lib/attestations/gates";
import { conditionWords, perWords } from "@/lib/rate-words";
import type { JsonObject } from "@/lib/schema-form/json";
import { snippetsFor } from "@/lib/schema-form/snippets/snippets";
import { regionLook } from "@/lib/status/region";
import { EntryExample } from "./entry-example.tsx";
import { facetLabel } from "./facet-labels.ts";

interface EntryOverviewProps {
  model: CatalogModel;
  operation: CatalogOperation;
  /** What the account pays for it; null where that is not shown. */
  price: OwnPrice | null;
  /** The gateway's public address, ending with `/v1`. */
  baseUrl: string;
}

/** What comes out, how it is called and billed; then what it asks for and where it runs; what is for the record last. */
export function EntryOverview({ model, operation, price, baseUrl }: EntryOverviewProps) {
  const snippets = snippetsFor({ operation, body: operation.example as JsonObject, baseUrl });
  return (
    <>
      <div className="grid gap-x-8 desktop:grid-cols-2">
        <Section title="Example output">
          <EntryExample model={model} operation={operation} baseUrl={baseUrl} />
        </Section>
        <div className="min-w-0">
          <Section title="Call it">
            <CodeBlock tabs={snippets} label="Example request" />
          </Section>
          <Section title="Billing">
            <Facts
              facts={[
                ["Billed per", operation.billing_unit],
                ["Execution", facetLabel(operation.execution_mode)],
                ...(price ? pricesIn(price).map(({ where, rates }) => [where, rates] as const) : []),
              ]}
            />
          </Section>
        </div>
      </div>
      <div className="grid gap-x-8 desktop:grid-cols-2">
        <Gates model={model} />
        <Section
          title="Regions"
          description="Released: offered by the provider. Deployed: available on this gateway."
        >
          <Regions model={model} operation={operation} />
        </Section>
      </div>
      <Section title="Record">
        <Facts
          facts={[
            ["Operation", <code key="id">{operation.id}</code>],
            ["Released", model.released_at],
            ["Latest release", model.latest_release_at],
            ["Gateway status", model.gateway_status],
            ["Registry revision", <code key="revision">{model.registry_revision}</code>],
            ["Schema version", operation.schema_version],
            ["Owned by", model.owned_by],
          ]}
        />
      </Section>
    </>
  );
}

/** The rates of each region; regions with the same rates together. Of several providers in a region each has its own. */
function pricesIn({ places, currency }: OwnPrice) {
  const byRates = Map.groupBy(places, ({ sandbox, components }) => JSON.stringify([sandbox, components]));
  return [...byRates.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const isEverywhere = byRates.size === 1;
    const regions = [...new Set(same.map(({ region }) => region))].join(", ");
    return [
      {
        where: isEverywhere ? "Price" : `Price in ${regions}`,
        rates: <Rates place={first} currency={currency} />,
      },
    ];
  });
}

function Rates({ place: { sandbox, components }, currency }: { place: PricedPlace; currency: string }) {
  if (sandbox) return <span className="text-muted">Sandbox: costs nothing</span>;
  if (!components || components.length === 0) return <span className="text-muted">Not priced</span>;
  return components.map((component) => (
    <span key={`${component.kind}:${conditionWords(component.when)}`} className="tabular block">
      {component.rate} {currency} {perWords(component)}
      {component.when && <span className="text-muted"> ({conditionWords(component.when)})</span>}
    </span>
  ));
}

function Gates({ model }: { model: CatalogModel }) {
  const asked = Object.values(gates).filter((gate) => model.safety_requirements[gate.flag]);
  return (
    <Section title="Gates">
      {asked.length === 0 ? (
        <p className="text-muted">This model has no gates.</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {asked.map((gate) => (
            <li key={gate.title} className="rounded-panel border bg-panel px-4 py-3">
              <p className="font-medium">
                {gate.title}
                {gate.kind === "adult" && model.safety_requirements.minimum_age !== null && (
                  <span className="text-muted">, {model.safety_requirements.minimum_age} or older</span>
                )}
              </p>
              <p className="text-muted">{gate.why}</p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Regions({ model, operation }: Pick<EntryOverviewProps, "model" | "operation">) {
  const regions = [...new Set([...model.configured_regions, ...model.released_regions])].sort();
  return (
    <Table label="Regions">
      <thead>
        <tr>
          <Th>Region</Th>
          <Th>Released</Th>
          <Th>Deployment</Th>
        </tr>
      </thead>
      <tbody>
        {regions.map((region) => (
          <Tr key={region}>
            <Td className="font-mono">{region}</Td>
            <Td>{model.released_regions.includes(region) ? "yes" : "no"}</Td>
            <Td>
              <DeploymentStatus
                status={
                  operation.deployments.find((entry) => entry.gateway_region === region)?.status ?? null
                }
              />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The state of an operation in one region; null where it is not deployed. */
function DeploymentStatus({ status }: { status: string | null }) {
  if (status === null) return <span className="text-faint">not deployed</span>;
  const look = regionLook(status);
  return <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />;
}
