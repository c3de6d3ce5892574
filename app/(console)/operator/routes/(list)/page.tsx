import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { OperationsTable } from "@/components/operator/routes/operations-table";
import { RoutesTable } from "@/components/operator/routes/routes-table";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { operationsOf } from "@/lib/operator/route-entry";
import { readMapping } from "../read-mapping.ts";
import { MapAllButton } from "./map-all-button.tsx";

export const metadata: Metadata = { title: "Mapping" };

/** Which provider runs which operation. */
export default async function MappingPage() {
  const mapping = await readMapping();
  return (
    <>
      <PageHeader
        title="Mapping"
        description="Which provider runs each operation. Mapped operations never run on the sandbox."
        actions={
          mapping.ok &&
          mapping.data.providers.length > 0 && (
            <>
              <MapAllButton providers={mapping.data.providers} />
              <LinkButton variant="primary" icon={<Plus size={16} aria-hidden />} href="/operator/routes/new">
                Add route
              </LinkButton>
            </>
          )
        }
      />
      {!mapping.ok ? (
        <LoadFailure error={mapping.error} />
      ) : (
        <>
          {mapping.data.table.data.length > 0 ? (
            <Section
              title="Routes"
              description="If an operation has several routes, the one with the lowest order is tried first."
            >
              <RoutesTable routes={mapping.data.table.data} revision={mapping.data.table.revision} />
            </Section>
          ) : (
            <NothingMapped hasProviders={mapping.data.providers.length > 0} />
          )}
          <NuqsAdapter>
            <OperationsTable
              operations={operationsOf(mapping.data.models, mapping.data.table.data)}
              unmapped={mapping.data.table.unmapped}
            />
          </NuqsAdapter>
        </>
      )}
    </>
  );
}

function NothingMapped({ hasProviders }: { hasProviders: boolean }) {
  return (
    <EmptyState
      className="mb-8"
      drawing="signal"
      title="Nothing is mapped yet"
      body={
        hasProviders
          ? "Map all chat models to one model of a provider in a single step, or add a route for one of them."
          : "Add a provider first. Until then the sandbox answers."
      }
      action={
        hasProviders ? (
          <LinkButton variant="primary" href="/operator/routes/new">
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
