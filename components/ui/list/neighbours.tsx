"use client";

import { useQuery } from "@tanstack/react-query";
import type { List } from "#contract/list.ts";
import type { GatewayResult } from "@/lib/gateway/result";
import { RowSteps } from "./row-steps.tsx";

type Side = { after: string } | { before: string };

interface NeighboursProps {
  /** Singular of the list's items, e.g. `prediction`. */
  noun: string;
  /** Address of the list without its filters, and the filters as `?status=failed…`. */
  list: string;
  search: string;
  id: string;
  queryKey: (query: Record<string, unknown>) => readonly unknown[];
  /** One row of the filtered list, on this side of the id. */
  read: (side: Side & { limit: 1 }, signal: AbortSignal) => Promise<GatewayResult<List<{ id: string }>>>;
}

const freshMs = 60_000;

/** The newer and the older row of the list that the visitor came from. */
export function Neighbours({ noun, list, search, ...place }: NeighboursProps) {
  const newer = useNeighbour({ before: place.id }, search, place);
  const older = useNeighbour({ after: place.id }, search, place);
  const hrefOf = (id: string | null) => id && `${list}/${id}${search}`;
  return <RowSteps noun={noun} list={`${list}${search}`} newer={hrefOf(newer)} older={hrefOf(older)} />;
}

/** The id next to this one in the filtered list; null at its end, or if the gateway cannot list. */
function useNeighbour(
  side: Side,
  search: string,
  { queryKey, read }: Pick<NeighboursProps, "queryKey" | "read">,
): string | null {
  const { data } = useQuery({
    queryKey: queryKey({ neighbour: side, search }),
    queryFn: async ({ signal }) => {
      const answer = await read({ ...side, limit: 1 }, signal);
      return answer.ok ? (answer.data.data[0]?.id ?? null) : null;
    },
    staleTime: freshMs,
  });
  return data ?? null;
}
