import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { SearchAnswer } from "#contract/search.ts";
import { foundLimit, searchLimits } from "#contract/search-words.ts";
import { useWords } from "#words";
import { failureBehind, fetchRoute, orThrow } from "@/lib/browser/fetch-from-gateway";
import { callRoute } from "@/lib/browser/gateway";
import { queryKeys } from "@/lib/query-keys";
import { listText } from "@/lib/words/list-text";
import type { Language } from "@/messages/languages";
import { narrow } from "./palette.ts";

/** Delay after the last keystroke before the search. */
const pauseMs = 150;

/**
 * The gateway's results for the text. An answer that arrives after the text has changed is dropped. Until the
 * next answer, earlier results that contain the words stay visible.
 */
export function useFound(text: string, enabled: boolean) {
  const { language } = useWords("shell");
  const wanted = text.trim().slice(0, searchLimits.length);
  const [asked, setAsked] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), pauseMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: queryKeys.search(asked),
    queryFn: ({ signal }) => askGateway(asked, language, signal),
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

/** The gateway's results. Without extensions, the models of its catalog. */
async function askGateway(q: string, language: Language, signal: AbortSignal): Promise<SearchAnswer> {
  const answer = await callRoute("GET /search", { query: { q }, signal });
  if (answer.ok || answer.error.code !== "route_not_found") return orThrow(answer);
  const { data } = await fetchRoute("GET /models", { query: { q, aliases: false }, signal });
  const models = data.slice(0, foundLimit.default).map((model) => ({
    id: model.id,
    kind: "model" as const,
    name: model.display_name ?? model.id,
    about: listText(language, model.api_types, "plain"),
    state: null,
    at: null,
  }));
  const group = { kind: "model" as const, data: models, has_more: data.length > models.length };
  return { object: "search", groups: models.length > 0 ? [group] : [], partial: [] };
}
