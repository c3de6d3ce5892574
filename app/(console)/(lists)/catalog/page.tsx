import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { Output } from "#contract/outputs.ts";
import type { OwnPrice } from "#contract/prices.ts";
import { headOf, page, titleOf } from "@/app/console-page";
import { ModelCover } from "@/components/catalog/model-cover";
import { isSandboxOnly, priceLabel } from "@/components/catalog/price-label";
import { byInterest, type CatalogCard, type CatalogRow, rowOf } from "@/components/catalog/row";
import { catalogSearchParams } from "@/components/catalog/search-params";
import { Time } from "@/components/ui/time";
import { showsMedia } from "@/lib/server/content-policy";
import { getModels, modelFigures } from "@/lib/server/gateway/reads";
import { words } from "@/lib/server/words";
import { CatalogClient } from "./client.tsx";

const head = headOf({ title: "catalog", parts: ["catalog"] });

export const generateMetadata = titleOf(head);

export default page({ ...head, filters: catalogSearchParams }, async ({ t, need, requestRoute }) => {
  const [{ data, registry }, figures, answer, outputs] = await Promise.all([
    need(getModels()),
    modelFigures(),
    requestRoute("GET /prices/models"),
    requestRoute("GET /outputs", { query: { limit: outputsRead } }),
  ]);
  const purposes = await words("purposes");
  const prices = answer.ok ? answer.data.data : [];
  const costsNothing = prices.length > 0 && prices.every(isSandboxOnly);
  const cards = data
    .map((model) => rowOf(purposes, model, showsMedia))
    .toSorted(byInterest)
    .map((row): CatalogCard => {
      const { id, modality, apiTypes, coverUrl } = row;
      const price = prices.find(({ model, api_type }) => model === id && api_type === apiTypes[0]);
      const { runs = 0, typicalMs = null } = figures.get(id) ?? {};
      return {
        ...row,
        runs,
        typicalMs,
        price: price && !costsNothing && <Price price={price} />,
        cover: (
          <ModelCover
            {...{ id, modality, apiTypes }}
            url={coverUrl ?? (outputs.ok ? newestPicture(outputs.data.data, row) : null)}
            className="aspect-2/1! border-b"
          />
        ),
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

async function Price({ price }: { price: OwnPrice }) {
  const t = await words("catalog");
  const label = priceLabel(await words("amounts"), price);
  if (label) return <span className="font-medium">{label}</span>;
  return <span className="text-muted">{t(isSandboxOnly(price) ? "sandboxCostsNothing" : "notPriced")}</span>;
}

/** The number of newest outputs in which covers are looked for. */
const outputsRead = 100;

/**
 * The newest picture or video that the account made with a model, as its cover. Null for gated models, and for what the
 * sandbox made: the console's own cover shows more.
 */
function newestPicture(outputs: readonly Output[], { id, modality, gates }: CatalogRow): string | null {
  if (gates[0] !== "none" || !["image", "video"].includes(modality)) return null;
  const newest = outputs.find(({ model, sandbox, preview_url }) => model === id && !sandbox && preview_url);
  return newest?.preview_url ?? null;
}
