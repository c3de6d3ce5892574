import type { ActivityGroup, ActivityList, ActivitySum } from "#contract/activity.ts";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { Link } from "@/components/ui/page/link";
import { formatNumber } from "@/lib/format";
import { durationText, rateText, shareText } from "./activity-totals.tsx";

interface ActivityGroupsProps {
  list: ActivityList;
  by: ActivityGroup;
  names: Record<string, string>;
}

const heads: Record<ActivityGroup, string> = {
  model: "Model",
  key: "Key or person",
  member: "Member",
  provider: "Provider",
  region: "Region",
  status: "Status",
  code: "Error",
};

/** Labels for runs without a value in this group. */
const none: Record<ActivityGroup, string> = {
  model: "Refused before a model was known",
  key: "Unknown",
  member: "Service keys",
  provider: "None",
  region: "None",
  status: "None",
  code: "No error",
};

/** The filter of the request log for a group. */
const filters: Partial<Record<ActivityGroup, string>> = {
  model: "model",
  key: "key_id",
  status: "status",
  code: "code",
};

/** The same figures per model, key and so on. */
export function ActivityGroups({ list, by, names }: ActivityGroupsProps) {
  const nameOf = (group: string | null): string =>
    group === null ? none[by] : group === "*" ? "All others" : (names[group] ?? group);
  const hrefOf = (group: string | null): string | null => {
    const filter = filters[by];
    if (filter === undefined || group === null || group === "*" || group.startsWith("usr_")) return null;
    const bounds = { created_after: list.from, created_before: list.to };
    return `/requests?${new URLSearchParams({ ...bounds, [filter]: group })}`;
  };
  const rows = list.groups.map((sum) => ({ ...sum, id: sum.group ?? "" }));
  const columns: readonly Column<ActivitySum & { id: string }>[] = [
    {
      head: heads[by],
      cellClass: "wrap-anywhere",
      cell: ({ group }) => {
        const href = hrefOf(group);
        return href ? <Link href={href}>{nameOf(group)}</Link> : nameOf(group);
      },
    },
    { head: "Runs", numeric: true, from: "tablet", cell: ({ runs }) => formatNumber(runs) },
    {
      head: "Errors",
      numeric: true,
      from: "tablet",
      cell: ({ runs, errors }) => (
        <span className={errors > 0 ? "text-bad" : ""}>{shareText(errors, runs)}</span>
      ),
    },
    { head: "p50", numeric: true, from: "tablet", cell: ({ latency_ms }) => durationText(latency_ms.p50) },
    {
      head: "p95",
      numeric: true,
      from: "tablet",
      cell: ({ latency_ms }) => durationText(latency_ms.p95),
    },
    {
      head: "p99",
      numeric: true,
      from: "tablet",
      cell: ({ latency_ms }) => durationText(latency_ms.p99),
    },
    {
      head: "First token",
      numeric: true,
      from: "desktop",
      cell: ({ first_token_ms }) => durationText(first_token_ms.p50),
    },
    {
      head: "Tokens a second",
      numeric: true,
      from: "desktop",
      cell: ({ tokens_per_second }) => rateText(tokens_per_second),
    },
  ];
  return <RowsTable label={`Figures by ${heads[by].toLowerCase()}`} rows={rows} columns={columns} />;
}
