import { NuqsAdapter } from "nuqs/adapters/next/app";
import { headOf, page, titleOf } from "@/app/console-page";
import { ModelCover } from "@/components/catalog/model-cover";
import { byInterest, type CatalogCard, type CatalogRow, rowOf } from "@/components/catalog/row";
import { catalogSearchParams } from "@/components/catalog/search-params";
import { Time } from "@/components/ui/time";
import { formatDuration } from "@/lib/format";
import { showsMedia } from "@/lib/server/content-policy";
import { getModels, typicalTimes } from "@/lib/server/gateway/reads";
import { words } from "@/lib/server/words";
import { CatalogClient } from "./client.tsx";

const head = headOf({ title: "catalog", parts: ["catalog"] });

export const generateMetadata = titleOf(head);

export default page({ ...head, filters: catalogSearchParams }, async ({ t, need }) => {
  const [{ data, registry }, times] = await Promise.all([need(getModels()), typicalTimes()]);
  const purposes = await words("purposes");
  return (
    <NuqsAdapter>
      <CatalogClient
        rows={data
          .map((model) => rowOf(purposes, model, showsMedia))
          .toSorted(byInterest)
          .map((row) => {
            const time = times.get(row.id);
            return cardOf(row, time === undefined ? null : formatDuration(time, t.language));
          })}
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

function cardOf(row: CatalogRow, time: string | null): CatalogCard {
  const { id, modality, apiTypes, coverUrl: url } = row;
  return {
    ...row,
    time,
    cover: <ModelCover {...{ id, modality, apiTypes, url }} className="aspect-2/1! border-b" />,
  };
}
