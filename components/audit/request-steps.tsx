"use client";

import { Neighbours, RowSteps } from "@/components/ui/list/neighbours";
import { callRoute } from "@/lib/browser/gateway";
import type { ViewOf } from "@/lib/list-view";
import { queryKeys } from "@/lib/query-keys";
import { requestList } from "@/lib/request-list";

interface RequestStepsProps {
  id: string;
  /** The list that the reader came from, with its filters. */
  view: ViewOf<typeof requestList>;
}

/** The newer and the older request of the list. */
export function RequestSteps({ id, view }: RequestStepsProps) {
  const search = requestList.searchOf(view);
  // The list of requests does not know which of them have the words.
  if (view.said !== "")
    return <RowSteps noun="request" list={`/requests${search}`} newer={null} older={null} />;
  return (
    <Neighbours
      noun="request"
      list="/requests"
      search={search}
      id={id}
      queryKey={queryKeys.requests}
      read={(side, signal) =>
        callRoute("GET /requests", {
          query: { ...requestList.filterOf(view, Date.now()), ...side },
          signal,
        })
      }
    />
  );
}
