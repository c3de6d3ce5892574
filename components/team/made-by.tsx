"use client";

import { useQuery } from "@tanstack/react-query";
import type { Maker } from "#contract/accounts/people.ts";
import { useWords } from "#words";
import { FilterSelect } from "@/components/ui/list/filter-bar";
import { callRoute } from "@/lib/browser/gateway";
import { queryKeys } from "@/lib/query-keys";
import { makerName } from "@/lib/team/maker";
import { useAccess } from "./access.tsx";

/** A line that names the member or key that created the row. */
export function MadeBy({ maker }: { maker: Maker | undefined }) {
  const t = useWords("shell");
  const name = makerName(maker, t.language);
  if (!name) return null;
  return (
    <span data-name className="block max-w-36 truncate text-meta text-muted" title={t("by", { name })}>
      {t("by", { name })}
    </span>
  );
}

interface MemberFilterProps {
  /** A user's id. Null or empty for everybody. */
  value: string | null;
  label?: string;
  onChange: (userId: string) => void;
}

const freshMs = 5 * 60_000;

/** Filters a list by the member who created the rows, in accounts with several. */
export function MemberFilter({ value, label, onChange }: MemberFilterProps) {
  const t = useWords("shell");
  const { role, may } = useAccess();
  const { data } = useQuery({
    queryKey: queryKeys.members(),
    queryFn: () => callRoute("GET /account/members"),
    staleTime: freshMs,
    enabled: role !== null && may("members:read"),
  });
  const members = data?.ok ? data.data.data : [];
  if (members.length < 2 && !value) return null;
  return (
    <FilterSelect
      label={label ?? t("madeBy")}
      any={t("anybody")}
      value={value ?? ""}
      options={members.map(({ user_id, name }) => ({ value: user_id, label: name }))}
      onChange={onChange}
    />
  );
}
