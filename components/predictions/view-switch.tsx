"use client";

import { LayoutGrid, List } from "lucide-react";
import { Link } from "@/components/ui/page/link";
import { galleryList, predictionList } from "@/lib/lists";
import type { SearchParams } from "@/lib/page-props";

interface ViewSwitchProps {
  shown: "list" | "gallery";
  /** The filters. Those that both views have are kept when the user switches. */
  view: SearchParams;
}

/** Switches between the two views of predictions. */
export function ViewSwitch({ shown, view }: ViewSwitchProps) {
  const look =
    "inline-flex items-center gap-1.5 rounded-[6px] pointer-coarse:min-h-11 px-2.5 text-table font-medium text-muted hover:text-ink aria-[current]:bg-panel aria-[current]:text-ink";
  return (
    <nav
      aria-label="View"
      className="control-height flex gap-0.5 rounded-control border border-strong bg-sunken p-0.5"
    >
      <Link
        href={`/predictions${predictionList.searchOf(predictionList.viewOf(view))}`}
        aria-current={shown === "list" ? "page" : undefined}
        className={look}
      >
        <List size={16} aria-hidden />
        List
      </Link>
      <Link
        href={`/predictions${galleryList.searchOf(galleryList.viewOf(view))}`}
        aria-current={shown === "gallery" ? "page" : undefined}
        className={look}
      >
        <LayoutGrid size={16} aria-hidden />
        Gallery
      </Link>
    </nav>
  );
}
