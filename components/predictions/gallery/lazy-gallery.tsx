"use client";

import dynamic from "next/dynamic";
import { PredictionsHeader } from "../list/predictions-header.tsx";
import { galleryDescription } from "./gallery-description.ts";
import { GallerySkeleton } from "./gallery-skeleton.tsx";

/** Not for those who read the list. Its tiles need the size of the window, which the server does not know. */
export const LazyGallery = dynamic(() => import("./gallery.tsx").then((module) => module.Gallery), {
  ssr: false,
  loading: () => (
    <>
      <PredictionsHeader description={galleryDescription} />
      <GallerySkeleton />
    </>
  ),
});
