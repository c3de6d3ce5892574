"use client";

import dynamic from "next/dynamic";
import { GallerySkeleton, PredictionsHeader } from "./predictions-header.tsx";

/** Not loaded for the list view. The tiles need the window's size, which the server does not have. */
export const LazyGallery = dynamic(() => import("./gallery/gallery.tsx").then((module) => module.Gallery), {
  ssr: false,
  loading: () => (
    <>
      <PredictionsHeader isGallery />
      <GallerySkeleton />
    </>
  ),
});

/** Loaded late, because it is needed only if the gateway cannot list predictions. */
export const LazyRememberedPredictions = dynamic(
  () => import("./list/remembered-predictions.tsx").then((module) => module.RememberedPredictions),
  { loading: () => null },
);
