import type { RequestRow } from "#contract/usage.ts";
import { useWords } from "#words";
import { Badge } from "@/components/ui/badge";
import { IdChip } from "@/components/ui/id-chip";
import { RowAnchor } from "@/components/ui/list/row-anchor";
import { type Column, type RowSelection, RowsTable } from "@/components/ui/list/rows-table";
import { MetadataPairs } from "@/components/ui/metadata-pairs";
import { Money } from "@/components/ui/money";
import { Duration } from "@/components/ui/quantity";
import { Time } from "@/components/ui/time";
import { WithBreaks } from "@/components/ui/with-breaks";
import type { Tone } from "@/lib/status/status-look";
import { usageLabel } from "@/lib/usage-label";
import type { Words } from "@/messages/words";
import { RequestCaller, WantedModel } from "./request-parts.tsx";

interface RequestTableProps {
  rows: RequestRow[];
  /** The names of keys and members, by id. */
  names: Record<string, string>;
  /** The first words of calls whose contents are kept, by run. */
  openings?: ReadonlyMap<string, string | null>;
  /** The list's filters as `?key_id=…`, so that J and K follow the filtered list. */
  search?: string;
  selection?: RowSelection<RequestRow> | undefined;
}

/** For a cell that is cut where the other columns leave no more room. */
const takesWhatIsLeft = "tablet:max-w-0 tablet:overflow-hidden";

/** A column for windows with room to spare. */
const widest = "tablet:max-[1600px]:hidden";

const dash = <span className="text-faint">–</span>;

export function RequestTable({
  rows,
  names,
  openings = noOpenings,
  search = "",
  selection,
}: RequestTableProps) {
  const t = useWords("requests");
  const amounts = useWords("amounts");
  return (
    <RowsTable
      label={t("requests")}
      className="max-[1400px]:[&_td]:px-2 max-[1400px]:[&_th]:px-2"
      rows={rows}
      selection={selection}
      columns={[
        ...whatAndWhere(
          t,
          openings,
          search,
          rows.some(({ code, count }) => code !== null || count > 1),
        ),
        {
          head: t("by"),
          from: "tablet",
          cellClass: "tablet:max-w-28 tablet:truncate",
          cell: (row) => <RequestCaller request={row} names={names} />,
        },
        ...howLongAndMuch(
          t,
          amounts,
          rows.some(({ cost }) => cost !== null),
        ),
      ]}
    />
  );
}

const noOpenings: ReadonlyMap<string, string | null> = new Map();

/** `hasFailures`: a response needs room for more than its status. */
const whatAndWhere = (
  t: Words<"requests">,
  openings: typeof noOpenings,
  search: string,
  hasFailures: boolean,
): readonly Column<RequestRow>[] => [
  { head: t("when"), from: "tablet", cell: (row) => <Time value={row.at} /> },
  {
    head: t("request"),
    cellClass: `w-3/5 ${takesWhatIsLeft}`,
    cell: (row) => (
      <>
        <RowAnchor
          href={`/requests/${row.id}${search}`}
          title={`${row.method} ${row.route}`}
          className="block py-1 font-mono text-meta wrap-break-word tablet:truncate"
        >
          <span className="text-muted">{row.method}</span> {row.route}
        </RowAnchor>
        {row.run_id && openings.get(row.run_id) && (
          <span
            title={openings.get(row.run_id) ?? undefined}
            className="text-table max-tablet:line-clamp-2 max-tablet:wrap-anywhere tablet:block tablet:truncate"
          >
            {openings.get(row.run_id)}
          </span>
        )}
        {row.metadata && (
          <span className="mt-0.5 flex flex-wrap gap-1">
            <MetadataPairs metadata={row.metadata} />
          </span>
        )}
        <span className="mt-0.5 hidden text-meta text-muted tablet:max-desktop:block">
          <IdChip id={row.id} />
        </span>
      </>
    ),
  },
  {
    head: t("response"),
    cellClass: hasFailures ? `w-2/5 ${takesWhatIsLeft}` : "whitespace-nowrap",
    cell: (row) => (
      <>
        <Badge tone={toneOf(row.status)}>
          <span className="font-mono">{row.status}</span>
        </Badge>{" "}
        {row.code && (
          <code className="text-meta">
            <WithBreaks text={row.code} before="_" />
          </code>
        )}
        {row.count > 1 && (
          <span className="text-meta text-muted"> {t("inThisMinute", { requests: row.count })}</span>
        )}
        {row.message && (
          <p
            lang="en"
            title={row.message}
            className="mt-0.5 text-meta text-muted max-tablet:line-clamp-2 max-tablet:wrap-anywhere tablet:truncate"
          >
            {row.message}
          </p>
        )}
      </>
    ),
  },
  {
    head: t("model"),
    from: "tablet",
    cellClass: "font-mono text-meta tablet:max-w-40 tablet:truncate",
    cell: (row) => (
      <>
        {row.model ?? (row.wanted_model ? <WantedModel name={row.wanted_model} /> : dash)}
        {row.alias && <span className="block text-muted">{t("asAlias", { alias: row.alias })}</span>}
      </>
    ),
  },
  {
    head: t("region"),
    from: "tablet",
    className: widest,
    cellClass: "whitespace-nowrap",
    cell: (row) => row.region ?? dash,
  },
];

const howLongAndMuch = (
  t: Words<"requests">,
  amounts: Words<"amounts">,
  hasCosts: boolean,
): readonly (Column<RequestRow> | false)[] => [
  {
    head: t("duration"),
    numeric: true,
    from: "tablet",
    cell: (row) => <Duration ms={row.duration_ms} />,
  },
  {
    head: t("usage"),
    numeric: true,
    from: "tablet",
    className: widest,
    cellClass: "whitespace-nowrap",
    cell: ({ usage }) => (usage ? usageLabel(amounts, usage) : dash),
  },
  hasCosts && {
    head: t("cost"),
    numeric: true,
    from: "desktop",
    cellClass: "whitespace-nowrap",
    cell: ({ cost }) => (cost ? <Money {...cost} short /> : dash),
  },
  { head: t("requestId"), from: "desktop", cell: (row) => <IdChip id={row.id} /> },
];

function toneOf(status: number): Tone {
  if (status >= 500) return "bad";
  return status >= 400 ? "warn" : "good";
}
