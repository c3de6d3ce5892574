import { Plus } from "lucide-react";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { OperatorRoute } from "#contract/operator/routes.ts";
import { page, titleOf } from "@/app/console-page";
import { ManagedByFile } from "@/components/operator/marks";
import {
  MapAllButton,
  OperationsTable,
  RemoveRouteButton,
} from "@/components/operator/routes/operations-table";
import { Badge } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { RowControls, RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { operationsOf } from "@/lib/operator/route-entry";
import { readMapping } from "../../mapping/read-mapping.ts";

const head = { title: "mapping" } as const;

export const generateMetadata = titleOf(head);

export default page(head, async ({ need }) => {
  const { table, models, providers } = await need(readMapping());
  return (
    <>
      <PageHeader
        title="Mapping"
        description="Which provider runs each operation."
        actions={
          providers.length > 0 && (
            <>
              <MapAllButton providers={providers} />
              <LinkButton
                variant="primary"
                icon={<Plus size={16} aria-hidden />}
                href="/operator/mapping/new"
              >
                Add route
              </LinkButton>
            </>
          )
        }
      />
      {table.data.length > 0 ? (
        <Section
          title="Routes"
          description="If an operation has several routes, the one with the lowest order is tried first."
        >
          <RoutesTable routes={table.data} revision={table.revision} />
        </Section>
      ) : (
        <NothingMapped hasProviders={providers.length > 0} />
      )}
      <NuqsAdapter>
        <OperationsTable operations={operationsOf(models, table.data)} unmapped={table.unmapped} />
      </NuqsAdapter>
    </>
  );
});

function NothingMapped({ hasProviders }: { hasProviders: boolean }) {
  return (
    <EmptyState
      className="mb-8"
      drawing="signal"
      title="Nothing is mapped yet"
      body={
        hasProviders
          ? "Map all chat models to one model of a provider in a single step, or add a route for a single model."
          : "Add a provider first. Until then, the sandbox answers all requests."
      }
      action={
        hasProviders ? (
          <LinkButton variant="primary" href="/operator/mapping/new">
            Add first route
          </LinkButton>
        ) : (
          <LinkButton variant="primary" href="/operator/providers/new">
            Add provider
          </LinkButton>
        )
      }
    />
  );
}

const shownModels = 3;

function RoutesTable({ routes, revision }: { routes: readonly OperatorRoute[]; revision: number }) {
  return (
    <Table label="Routes">
      <thead>
        <tr>
          <Th>Models</Th>
          <Th>Run at</Th>
          <Th numeric>Order</Th>
          <Th numeric>Share</Th>
          <Th from="desktop">Regions</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {routes.map((route) => (
          <RouteRow key={route.id} route={route} revision={revision} />
        ))}
      </tbody>
    </Table>
  );
}

function RouteRow({ route, revision }: { route: OperatorRoute; revision: number }) {
  const { id, models, provider, upstream_model, priority, weight, regions, problem, serves, overruled } =
    route;
  const more = models.length - shownModels;
  return (
    <Tr>
      <Td className="max-w-80">
        <RowLink href={`/operator/mapping/${encodeURIComponent(id)}`} className="block wrap-anywhere">
          {models.slice(0, shownModels).join(", ")}
          {more > 0 && ` and ${more} more`}
        </RowLink>
        <span className="flex flex-wrap gap-1.5">
          {route.managed_by === "file" && <ManagedByFile />}
          {problem && (
            <Badge tone="bad" title={problem}>
              {serves.length === 0 ? "Cannot run" : "Has a problem"}
            </Badge>
          )}
          {overruled.length > 0 && (
            <Badge tone="warn" title="The providers file overrides this route for some operations">
              The file overrides {overruled.length} of its operations
            </Badge>
          )}
        </span>
        {problem && <span className="block text-meta text-bad wrap-anywhere">{problem}</span>}
      </Td>
      <Td className="max-w-72">
        <span className="block wrap-anywhere">{provider}</span>
        <span className="block font-mono text-meta text-muted wrap-anywhere">{upstream_model}</span>
      </Td>
      <Td numeric label="Order">
        {priority}
      </Td>
      <Td numeric label="Share">
        {weight ?? "–"}
      </Td>
      <Td className="text-meta text-muted" from="desktop" label="Regions">
        {regions?.join(", ") ?? "all of the provider"}
      </Td>
      <Td className="text-right">
        {route.managed_by === "console" && (
          <RowControls>
            <RemoveRouteButton id={id} what={`${upstream_model} at ${provider}`} revision={revision} />
          </RowControls>
        )}
      </Td>
    </Tr>
  );
}
