import { createLoader, parseAsArrayOf, parseAsString } from "nuqs/server";
import { page, titleOf } from "@/app/console-page";
import { compareRows } from "@/components/catalog/compare-rows";
import { CompareTable } from "@/components/catalog/compare-table";
import { maxCompared } from "@/components/catalog/row";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import { PageHeader } from "@/components/ui/page/page-header";
import { getModels } from "@/lib/server/gateway/reads";

/** The models to compare, from an address such as `/catalog/compare?ids=svc/…,svc/…`. */
const loadSearch = createLoader({ ids: parseAsArrayOf(parseAsString).withDefault([]) });

const head = { title: "compareModels" } as const;

export const generateMetadata = titleOf(head);

export default page(head, async ({ search, need }) => {
  const { data } = await need(getModels());
  const models = loadSearch(search)
    .ids.slice(0, maxCompared)
    .flatMap((id) => data.find((model) => model.id === id) ?? []);
  return (
    <>
      <PageHeader
        title="Compare models"
        description="Differences between models in their schemas and limits."
        actions={
          models.length > 1 && (
            <LinkButton href={`/compare?models=${models.map(({ id }) => id).join(",")}`}>
              Try these models on one input
            </LinkButton>
          )
        }
      />
      {models.length < 2 ? (
        <EmptyState
          title="Choose at least two models"
          body={`Select up to ${maxCompared} models in the catalog, then choose Compare.`}
          action={<LinkButton href="/catalog">Open the catalog</LinkButton>}
        />
      ) : (
        <CompareTable ids={models.map((model) => model.id)} rows={compareRows(models)} />
      )}
    </>
  );
});
