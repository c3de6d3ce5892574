import type { Metadata } from "next";
import { createLoader, parseAsString } from "nuqs/server";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import type { RouteProps } from "@/lib/page-props";
import { mappable, readMapping } from "../read-mapping.ts";
import { RouteClient } from "../route-client.tsx";

export const metadata: Metadata = { title: "Add a route" };

export default async function NewRoutePage({ searchParams }: RouteProps) {
  const [{ provider, upstream, model }, mapping] = await Promise.all([
    loadNewRouteSearch(searchParams),
    readMapping(),
  ]);
  return (
    <>
      <PageHeader
        title="Add a route"
        description="Choose which models a provider runs. The route takes effect at once."
      />
      {!mapping.ok ? (
        <LoadFailure error={mapping.error} />
      ) : mapping.data.providers.length === 0 ? (
        <EmptyState
          drawing="signal"
          title="Add a provider first"
          body="A route needs a provider, and no provider is connected yet."
          action={
            <LinkButton variant="primary" href="/operator/providers/new">
              Add provider
            </LinkButton>
          }
        />
      ) : (
        <RouteClient
          id={null}
          revision={mapping.data.table.revision}
          initial={{
            ...(provider && { provider }),
            ...(upstream && { upstream_model: upstream }),
            ...(model && { models: [model] }),
          }}
          models={mapping.data.models.map(mappable)}
          providers={mapping.data.providers}
        />
      )}
    </>
  );
}

/** A link from another page can fill in these values. */
const loadNewRouteSearch = createLoader({
  provider: parseAsString,
  upstream: parseAsString,
  model: parseAsString,
});
