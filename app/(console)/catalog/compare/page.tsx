import { createLoader, parseAsArrayOf, parseAsString } from "nuqs/server";
import { headOf, page, titleOf } from "@/app/console-page";
import { compareRows } from "@/components/catalog/compare-rows";
import { CompareTable } from "@/components/catalog/compare-table";
import { maxCompared } from "@/components/catalog/row";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import { PageHeader } from "@/components/ui/page/page-header";
import { getModels } from "@/lib/server/gateway/reads";

/** The models to compare, from an address such as `/catalog/compare?ids=svc/…,svc/…`. */
const loadSearch = createLoader({ ids: parseAsArrayOf(parseAsString).withDefault([]) });

const head = headOf({ title: "compareModels", parts: ["catalog"] });

export const generateMetadata = titleOf(head);

export default page(head, async ({ t, search, need }) => {
  const { data } = await need(getModels());
  const models = loadSearch(search)
    .ids.slice(0, maxCompared)
    .flatMap((id) => data.find((model) => model.id === id) ?? []);
  return (
    <>
      <PageHeader
        title={t("compareModels")}
        description={t("differencesBetweenModelsInTheir")}
        actions={
          models.length > 1 && (
            <LinkButton href={`/compare?models=${models.map(({ id }) => id).join(",")}`}>
              {t("tryTheseModelsOnOne")}
            </LinkButton>
          )
        }
      />
      {models.length < 2 ? (
        <EmptyState
          title={t("chooseAtLeastTwoModels")}
          body={t("selectUpTo", { max: maxCompared })}
          action={<LinkButton href="/catalog">{t("openTheCatalog")}</LinkButton>}
        />
      ) : (
        <CompareTable ids={models.map((model) => model.id)} rows={compareRows(models, t)} />
      )}
    </>
  );
});
