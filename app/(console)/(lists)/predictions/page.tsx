import { page } from "@/app/console-page";
import { LazyGallery, LazyRememberedPredictions } from "@/components/predictions/late-views";
import { PredictionsList } from "@/components/predictions/list/predictions-list";
import { PredictionsHeader } from "@/components/predictions/predictions-header";
import { ViewSwitch } from "@/components/predictions/run-filters";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import { LoadFailure } from "@/components/ui/page/error-panel";
import type { RouteProps, SearchParams } from "@/lib/page-props";
import { galleryList, galleryView, predictionList } from "@/lib/prediction-lists";
import { getModels } from "@/lib/server/gateway/reads";
import { requestRoute } from "@/lib/server/gateway/request";
import { words } from "@/lib/server/words";

/** Parameter names before 0.3. Bookmarks with them still work. */
const formerNames = new Map([
  ["region", "svc_region"],
  ["member", "user_id"],
  ["period", "since"],
  ["from", "created_after"],
  ["to", "created_before"],
]);

/** Values of `view` other than the gallery. */
const listView = { parse: (text: string) => (text === "list" ? text : null) };

export async function generateMetadata({ searchParams }: RouteProps) {
  const t = await words("predictions");
  const isGallery = (await searchParams).view === galleryView;
  return { title: isGallery ? t("galleryOfPredictions") : t("predictions") };
}

export default page(
  {
    title: "predictions",
    parts: ["predictions", "states", "media", "library", "shares", "attestations"],
  },
  async ({ search, requestRoute, redirectTo }) => {
    const given = Object.entries(search);
    if (given.some(([name]) => formerNames.has(name))) {
      const renamed = given.map(([name, value]) => [formerNames.get(name) ?? name, String(value)]);
      return redirectTo(`/predictions?${new URLSearchParams(renamed)}`);
    }
    if (search.view === galleryView) return <GalleryPage given={search} />;
    const query = predictionList.queryOf(predictionList.viewOf(search), Date.now());
    const [predictions, models] = await Promise.all([
      requestRoute("GET /predictions", { query }),
      getModels(),
    ]);
    if (predictions.ok)
      return (
        <>
          <IgnoredFilters given={search} known={{ ...predictionList.empty, view: listView }} />
          <PredictionsList
            initial={{ query, list: predictions.data }}
            modelIds={models.ok ? models.data.data.map((model) => model.id) : []}
          />
        </>
      );
    return (
      <>
        <PredictionsHeader />
        {predictions.error.code === "route_not_found" ? (
          <LazyRememberedPredictions />
        ) : (
          <LoadFailure error={predictions.error} />
        )}
      </>
    );
  },
);

/** The other view of the list, with the output files. */
async function GalleryPage({ given }: { given: SearchParams }) {
  const view = galleryList.viewOf(given);
  const query = { ...galleryList.filterOf(view, Date.now()), limit: 100 };
  const [outputs, models] = await Promise.all([requestRoute("GET /outputs", { query }), getModels()]);
  if (!outputs.ok)
    return (
      <>
        <PredictionsHeader actions={<ViewSwitch shown="gallery" view={view} />} />
        <LoadFailure error={outputs.error} />
      </>
    );
  return (
    <>
      <IgnoredFilters given={given} known={{ ...galleryList.empty, view: "" }} />
      <LazyGallery
        initial={{ scope: galleryList.searchOf(view), list: outputs.data }}
        modelIds={models.ok ? models.data.data.map((model) => model.id) : []}
      />
    </>
  );
}
