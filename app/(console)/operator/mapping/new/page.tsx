import { headOf, page, titleOf } from "@/app/console-page";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import { mappable, readMapping } from "../read-mapping.ts";
import { RouteClient } from "../route-client.tsx";

const head = headOf({ title: "addRoute", parts: ["mapping", "operator"], description: "aboutNewRoute" });

export const generateMetadata = titleOf(head);

export default page(head, async ({ t, word, need }) => {
  // A link from another page can fill in these values.
  const [provider, upstream, model] = [word("provider"), word("upstream"), word("model")];
  const { table, models, providers } = await need(readMapping());
  if (providers.length === 0)
    return (
      <EmptyState
        drawing="signal"
        title={t("addAProviderFirst")}
        body={t("routeNeedsProvider")}
        action={
          <LinkButton variant="primary" href="/operator/providers/new">
            {t("addProvider")}
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
});
