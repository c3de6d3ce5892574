import { page, titleOf } from "@/app/console-page";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import { mappable, readMapping } from "../read-mapping.ts";
import { RouteClient } from "../route-client.tsx";

const head = { title: "addRoute" } as const;

export const generateMetadata = titleOf(head);

export default page(
  {
    ...head,
    description: "Choose which models a provider runs. The route takes effect at once.",
  },
  async ({ word, need }) => {
    // A link from another page can fill in these values.
    const [provider, upstream, model] = [word("provider"), word("upstream"), word("model")];
    const { table, models, providers } = await need(readMapping());
    if (providers.length === 0)
      return (
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
      );
    return (
      <RouteClient
        id={null}
        revision={table.revision}
        initial={{
          ...(provider && { provider }),
          ...(upstream && { upstream_model: upstream }),
          ...(model && { models: [model] }),
        }}
        models={models.map(mappable)}
        providers={providers}
      />
    );
  },
);
