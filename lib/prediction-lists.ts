import { type FilterNameOf, listView } from "./list-view.ts";

/** Predictions, with only the fields that a row shows. */
export const predictionList = listView(
  ["search", "status", "deliveries", "model", "api_type", "svc_region", "user_id", "metadata"],
  (filter) => ({ ...filter, view: "summary" as const }),
);
export type PredictionFilterName = FilterNameOf<typeof predictionList>;

const outputList = listView(["kind", "model", "api_type", "svc_region", "user_id", "metadata"]);

/** The output files of predictions as a gallery, the other view of the predictions page. */
export const galleryList = {
  ...outputList,
  searchOf: (view: typeof outputList.empty) =>
    `?view=${galleryView}${outputList.searchOf(view).replace("?", "&")}`,
};
export type GalleryFilterName = FilterNameOf<typeof galleryList>;
/** Value of `view` in the address. */
export const galleryView = "gallery";
