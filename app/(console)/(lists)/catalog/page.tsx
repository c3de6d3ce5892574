import { NuqsAdapter } from "nuqs/adapters/next/app";
import { headOf, page, titleOf } from "@/app/console-page";
import { ModelCover } from "@/components/catalog/model-cover";
import { byInterest, type CatalogCard, type CatalogRow, rowOf } from "@/components/catalog/row";
import { catalogSearchParams } from "@/components/catalog/search-params";
import { Time } from "@/components/ui/time";
import { showsMedia } from "@/lib/server/content-policy";
import { getModels } from "@/lib/server/gateway/reads";
import { words } from "@/lib/server/words";
import { CatalogClient } from "./client.tsx";

const head = headOf({ title: "catalog", parts: ["catalog"] });

export const generateMetadata = titleOf(head);

export default page({ ...head, filters: catalogSearchParams }, async ({ t, need }) => {
  const { data, registry } = await need(getModels());
  const purposes = await words("purposes");
  return (
    <NuqsAdapter>
      <CatalogClient
        rows={data
          .map((model) => rowOf(purposes, model, showsMedia))
          .toSorted(byInterest)
          .map(cardOf)}
      />
      <p className="mt-6 text-meta text-muted">
        {t.rich(
          "registry",
          { revision: registry.revision },
          {
            code: (content) => <code key="code">{content}</code>,
            time: () => <Time key="time" value={registry.published_at} />,
          },
        )}
      </p>
    </NuqsAdapter>
  );
});

function cardOf(row: CatalogRow): CatalogCard {
  const { id, modality, apiTypes, coverUrl: url } = row;
  return {
    ...row,
    cover: <ModelCover {...{ id, modality, apiTypes, url }} className="aspect-2/1! border-b" />,
  };
}
