"use client";

import { apiTypes, regionNames } from "#contract/catalog-constants.ts";
import { outputKinds } from "#contract/output-constants.ts";
import { MemberFilter } from "@/components/team/member-filter";
import { Button, LinkButton } from "@/components/ui/button";
import { asOptions, type FilteredList, ListFilters } from "@/components/ui/list/list-filters";
import { MetadataFilter } from "@/components/ui/list/metadata-filter";
import type { GalleryFilterName } from "@/lib/lists";
import { compareHref } from "../compare/compare-link.ts";

interface GalleryFiltersProps {
  list: FilteredList<GalleryFilterName>;
  modelIds: string[];
  summary: string;
  /** Ids of the predictions chosen for comparison. */
  compared: ReadonlySet<string>;
  onClearComparison: () => void;
}

const kindLabels = { image: "Images", video: "Videos", audio: "Sound" };
const kindOptions = outputKinds.map((value) => ({ value, label: kindLabels[value] }));

/** The filters of the list of predictions; everything that was made has succeeded, so there is none for the status. */
export function GalleryFilters({
  list,
  modelIds,
  summary,
  compared,
  onClearComparison,
}: GalleryFiltersProps) {
  return (
    <ListFilters
      list={list}
      summary={summary}
      selects={[
        { name: "kind", label: "Kind", any: "Any kind", options: kindOptions },
        { name: "model", label: "Model", any: "Any model", options: asOptions(modelIds) },
        { name: "api_type", label: "Operation", any: "Any operation", options: asOptions(apiTypes) },
        { name: "svc_region", label: "Region", any: "Any region", options: asOptions(regionNames) },
      ]}
      actions={
        compared.size > 0 && (
          <>
            <Button variant="ghost" onClick={onClearComparison}>
              Clear comparison
            </Button>
            <LinkButton variant="primary" href={compareHref([...compared])}>
              Compare {compared.size}
            </LinkButton>
          </>
        )
      }
    >
      <MemberFilter value={list.view.user_id} onChange={(user_id) => list.change({ user_id })} />
      <MetadataFilter value={list.view.metadata} onChange={(metadata) => list.change({ metadata })} />
    </ListFilters>
  );
}
