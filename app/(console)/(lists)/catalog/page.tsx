import { NuqsAdapter } from "nuqs/adapters/next/app";
import { headOf, page, titleOf } from "@/app/console-page";
import { ModelCover } from "@/components/catalog/model-cover";
import { isSandboxOnly, priceLabel } from "@/components/catalog/price-label";
import { byInterest, type CatalogCard, rowOf } from "@/components/catalog/row";
import { catalogSearchParams } from "@/components/catalog/search-params";
import { Time } from "@/components/ui/time";
import { showsMedia } from "@/lib/server/content-policy";
import { getModels, modelFigures } from "@/lib/server/gateway/reads";
import { words } from "@/lib/server/words";
import { CatalogClient } from "./client.tsx";

const head = headOf({ title: "catalog", parts: ["catalog"] });

export const generateMetadata = titleOf(head);

export default page({ ...head, filters: catalogSearchParams }, async ({ t, need, requestRoute }) => {
  const [{ data, registry }, figures, answer] = await Promise.all([
    need(getModels()),
    modelFigures(),
    requestRoute("GET /prices/models"),
  ]);
  const [purposes, amounts] = [await words("purposes"), await words("amounts")];
  const prices = answer.ok ? answer.data.data : [];
  const costsNothing = prices.length > 0 && prices.every(isSandboxOnly);
  const cards = data
    .map((model) => rowOf(purposes, model, showsMedia))
    .toSorted(byInterest)
    .map((row): CatalogCard => {
      const { id, modality, apiTypes, coverUrl: url } = row;
      const price = prices.find(({ model, api_type }) => model === id && api_type === apiTypes[0]);
      const { runs = 0, typicalMs = null } = figures.get(id) ?? {};
      return {
        ...row,
        runs,
        typicalMs,
        price: price && !costsNothing ? priceLabel(amounts, price) : null,
        cover: <ModelCover {...{ id, modality, apiTypes, url }} className="aspect-2/1! border-b" />,
      };
    });
  return (
    <NuqsAdapter>
      <CatalogClient rows={cards} costsNothing={costsNothing} />
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
