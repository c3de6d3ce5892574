"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { searchLimits } from "#contract/search-words.ts";
import { failureBehind } from "@/lib/browser/fetch-from-gateway";
import { queryKeys } from "@/lib/query-keys";
import { askGateway } from "./ask.ts";
import { narrow } from "./narrow.ts";

/** One asks when the typing pauses. */
const pauseMs = 150;

/**
 * What the gateway finds by the text. An answer belongs to the text that it was asked for: one that comes later than the next
 * letter is dropped. Until there is another, what was found before stays where it has the words.
 */
export function useFound(text: string, enabled: boolean) {
  const wanted = text.trim().slice(0, searchLimits.length);
  const [asked, setAsked] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), pauseMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: queryKeys.search(asked),
    queryFn: ({ signal }) => askGateway(asked, signal),
    enabled: enabled && asked !== "" && wanted !== "",
    placeholderData: (previous) => previous,
    retry: false,
  });
  const isEarlier = isPlaceholderData || asked !== wanted;
  return {
    found: wanted === "" ? undefined : data && isEarlier ? narrow(data, wanted) : data,
    isSearching: wanted !== "" && (isFetching || asked !== wanted),
    failure: wanted === "" ? null : failureBehind(error),
    again: () => void refetch(),
  };
}
