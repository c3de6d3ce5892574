"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp } from "lucide-react";
import type { List } from "#contract/list.ts";
import { useWords } from "#words";
import { usePageRouter, usePlace } from "@/components/ui/page/link";
import { useShortcuts } from "@/components/ui/page/use-shortcuts";
import type { GatewayResult } from "@/lib/gateway/result";
import type { Noun } from "@/messages/words";
import { IconButton, LinkButton } from "../button.tsx";
import { stepToRow } from "./row-return.ts";
import { useReturnToRow } from "./use-return-to-row.ts";

type Side = { after: string } | { before: string };

interface NeighboursProps {
  noun: Noun;
  /** Address of the list without its filters, and the filters as `?status=failed…`. */
  list: string;
  search: string;
  id: string;
  queryKey: (query: Record<string, unknown>) => readonly unknown[];
  /** Reads the row of the filtered list that comes before or after the id. */
  read: (side: Side & { limit: 1 }, signal: AbortSignal) => Promise<GatewayResult<List<{ id: string }>>>;
}

/** The newer and the older row of the list that the visitor came from. */
export function Neighbours({ noun, list, search, ...place }: NeighboursProps) {
  const newer = useNeighbour({ before: place.id }, search, place);
  const older = useNeighbour({ after: place.id }, search, place);
  const hrefOf = (id: string | null) => id && `${list}/${id}${search}`;
  return <RowSteps noun={noun} list={`${list}${search}`} newer={hrefOf(newer)} older={hrefOf(older)} />;
}

interface RowStepsProps {
  noun: Noun;
  /** Address of the list. */
  list: string;
  /** Addresses of the neighbours. Null at the list's end and until they are known. */
  newer: string | null;
  older: string | null;
}

/**
 * Buttons to the next and previous row of the list (also K and J), or back to the list (Esc). They are always
 * in the same place.
 */
export function RowSteps({ noun, list, newer, older }: RowStepsProps) {
  const t = useWords("ui");
  const one = useWords("nouns")(noun, { count: 1 });
  const router = usePageRouter();
  const { path: page } = usePlace();
  const go = (href: string | null) => {
    if (href === null) return;
    stepToRow(page, href);
    router.push(href);
  };
  useReturnToRow(list);
  useShortcuts({ k: () => go(newer), j: () => go(older) });
  return (
    <nav aria-label={t("neighbours")} className="flex gap-1">
      <Step
        from={page}
        href={newer}
        label={t("newerOne", { noun: one })}
        icon={<ChevronUp size={16} aria-hidden />}
      />
      <Step
        from={page}
        href={older}
        label={t("olderOne", { noun: one })}
        icon={<ChevronDown size={16} aria-hidden />}
      />
    </nav>
  );
}

interface StepProps {
  from: string;
  href: string | null;
  label: string;
  icon: React.ReactNode;
}

function Step({ from, href, label, icon }: StepProps) {
  const square = "w-[32px] px-0! pointer-coarse:w-[44px]";
  if (href === null) return <IconButton label={label} icon={icon} disabled />;
  return (
    <LinkButton
      variant="ghost"
      href={href}
      onClick={() => stepToRow(from, href)}
      aria-label={label}
      title={label}
      icon={icon}
      className={square}
    />
  );
}

const freshMs = 60_000;

/**
 * The id of the next or previous row in the filtered list. Null at the list's end, or if the gateway cannot
 * list.
 */
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
