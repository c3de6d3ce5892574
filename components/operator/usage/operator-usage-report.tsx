"use client";

import { type ReactNode, useState } from "react";
import type { OperatorUsageList, OperatorUsageRow } from "#contract/operator/usage.ts";
import type { UsageCost } from "#contract/usage.ts";
import { LinkButton } from "@/components/ui/button";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { formatValue, UsagePlot } from "@/components/usage/usage-plot";
import { formatCount, formatNumber } from "@/lib/format";
import { formatMoney } from "@/lib/money";
import { marginOf, sidesBy } from "@/lib/operator/sides";
import { money, totalsByDay, totalsByUnit } from "@/lib/usage/summary";
import { RunsBehind } from "./runs-behind.tsx";

interface OperatorUsageReportProps {
  total: OperatorUsageList["total"];
  accounts: OperatorUsageRow[];
  models: OperatorUsageRow[];
  providers: OperatorUsageRow[];
  byDay: OperatorUsageRow[];
  /** Usage by key and member. Empty unless the page is filtered by one account. */
  keys: OperatorUsageRow[];
  span: { from: string; to: string };
  /** The page's filter. */
  filter: Readonly<Record<string, string>>;
}

/** The sum whose runs are shown. */
interface Opened {
  title: string;
  of: Readonly<Record<string, string>>;
}

/** Cost and charge, in total and in parts. */
export function OperatorUsageReport({
  total,
  accounts,
  models,
  providers,
  byDay,
  keys,
  span,
  filter,
}: OperatorUsageReportProps) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const opens = (name: string, title: (id: string) => string) => (id: string) =>
    // A sum without an id cannot be used as a filter, so its runs cannot be listed.
    id === "" ? null : () => setOpened({ title: title(id), of: { [name]: id } });
  const accountNames = new Map(
    accounts.map(({ account_id: id = "", account_name: name }) => [id, name ?? id]),
  );
  if (total.requests === 0)
    return (
      <EmptyState
        title={
          Object.keys(filter).length > 0
            ? "No usage in this period with these filters"
            : "No usage in this period"
        }
        body="Runs of all accounts appear here within seconds."
        action={<LinkButton href="/operator/prices">Open the prices</LinkButton>}
      />
    );
  const { currency } = total.cost;
  const margin = marginOf(total.cost, total.charge);
  const units = totalsByUnit(byDay);
  const isPriced = [total.cost, total.charge].some(({ amount }) => Number(amount ?? 0) > 0);
  /** Without prices, the unit that most runs used. */
  const shown = isPriced ? money : (units[0]?.name ?? money);
  const days = totalsByDay(byDay, shown, span.from, span.to);
  const formatDay = (day: Parameters<typeof formatValue>[0]) =>
    formatValue(day, unitLabel(shown), isPriced ? currency : null);
  const heading = `${isPriced ? "Cost" : `${unitLabel(shown)}s`} by day`;
  const title = heading.charAt(0).toUpperCase() + heading.slice(1);
  return (
    <>
      {!isPriced && (
        <p className="mb-3 text-table text-muted">
          No run in this period has a price, so quantities are shown.{" "}
          <Link href="/operator/prices" className="text-accent underline underline-offset-2">
            Open the prices
          </Link>
        </p>
      )}
      <dl className="mb-6 flex flex-wrap gap-2">
        {isPriced && (
          <>
            <Total label="Cost of runs" cost={total.cost} />
            <Total label="Charge to accounts" cost={total.charge} />
          </>
        )}
        {!isPriced &&
          units.map(({ name, quantity }) => (
            <div
              key={name}
              className="min-w-36 flex-1 rounded-panel border bg-panel px-4 py-3 phone:flex-none"
            >
              <dt className="text-meta text-muted first-letter:uppercase">{unitLabel(name)}s</dt>
              <dd className="tabular text-page font-semibold">{formatNumber(quantity)}</dd>
            </div>
          ))}
        {isPriced && margin && (
          <div className="min-w-36 flex-1 rounded-panel border bg-panel px-4 py-3 phone:flex-none">
            <dt className="text-meta text-muted">Margin</dt>
            <dd className="tabular text-page font-semibold" title={`${margin.amount} ${currency}`}>
              {formatMoney(margin.amount, currency)}
            </dd>
            {margin.percent !== null && (
              <dd className="tabular text-meta text-muted">{margin.percent} % of what accounts pay</dd>
            )}
          </div>
        )}
        <div className="min-w-36 flex-1 rounded-panel border bg-panel px-4 py-3 phone:flex-none">
          <dt className="text-meta text-muted">Runs</dt>
          <dd className="tabular text-page font-semibold">{formatNumber(total.requests)}</dd>
        </div>
      </dl>
      <Section title={title}>
        <UsagePlot
          days={days}
          before={[]}
          shown={shown}
          currency={currency}
          label={isPriced ? `${title}, ${total.cost.amount ?? "nothing"} ${currency} in total` : title}
          formatDay={formatDay}
        />
        <details className="mt-2">
          <summary className="w-fit rounded-control text-table text-muted">Show as table</summary>
          <div className="mt-2">
            <SidesTable
              label={`${title}, as a table`}
              isPriced={isPriced}
              heading="Day (UTC)"
              rows={byDay}
              idOf={({ day }) => day ?? ""}
              onOpen={(day) => () => setOpened({ title: `Runs on ${day}`, of: { from: day, to: day } })}
              inOrder
            />
          </div>
        </details>
      </Section>
      <SidesBy
        what="account"
        isPriced={isPriced}
        rows={accounts}
        idOf={({ account_id: id = "" }) => id}
        nameOf={(row) => row.account_name ?? row.account_id ?? ""}
        onOpen={opens("account_id", (id) => `Runs of ${accountNames.get(id)}`)}
      />
      <SidesBy
        what="model"
        isPriced={isPriced}
        rows={models}
        idOf={({ model }) => model ?? ""}
        onOpen={opens("model", (id) => `Runs of ${id}`)}
      />
      <SidesBy
        what="provider"
        isPriced={isPriced}
        rows={providers}
        idOf={({ provider }) => provider ?? ""}
        nameOf={({ provider }) => provider ?? "Not recorded"}
        onOpen={opens("provider", (id) => `Runs at ${id}`)}
      />
      {keys.length > 0 && (
        <>
          <SidesBy
            what="key"
            isPriced={isPriced}
            rows={keys}
            idOf={({ key_id: id }) => id ?? ""}
            nameOf={({ key_id: id }) => id ?? "Signed-in people"}
            onOpen={opens("key_id", (id) => `Runs of ${id}`)}
          />
          <SidesBy
            what="member"
            isPriced={isPriced}
            rows={keys}
            idOf={({ user_id: id }) => id ?? ""}
            nameOf={({ user_id: id }) => id ?? "Service keys"}
            onOpen={opens("user_id", (id) => `Runs of ${id}`)}
          />
        </>
      )}
      {opened && (
        <RunsBehind
          title={opened.title}
          query={{ ...span, ...filter, ...opened.of }}
          currency={currency}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

function Total({
  label,
  cost: { amount, currency, not_priced: notPriced },
}: {
  label: string;
  cost: UsageCost;
}) {
  return (
    <div className="min-w-36 flex-1 rounded-panel border bg-panel px-4 py-3 phone:flex-none">
      <dt className="text-meta text-muted">{label}</dt>
      <dd
        className="tabular text-page font-semibold"
        title={amount === null ? undefined : `${amount} ${currency}`}
      >
        {amount === null ? "Not priced" : formatMoney(amount, currency)}
      </dd>
      {notPriced > 0 && amount !== null && (
        <dd className="tabular text-meta text-muted">and {formatCount(notPriced, "run")} not priced</dd>
      )}
    </div>
  );
}

/** The sums of a grouping. */
function SidesBy({ what, ...table }: { what: string } & Omit<SidesTableProps, "label" | "heading">) {
  const title = `By ${what}`;
  return (
    <Section title={title}>
      <SidesTable label={title} heading={what.charAt(0).toUpperCase() + what.slice(1)} {...table} />
    </Section>
  );
}

interface SidesTableProps {
  label: string;
  heading: string;
  rows: readonly OperatorUsageRow[];
  idOf: (row: OperatorUsageRow) => string;
  /** False: shows quantities instead of money. */
  isPriced: boolean;
  /** If omitted, the id is shown. */
  nameOf?: (row: OperatorUsageRow) => string;
  /** Shows the runs of a row. Null if they cannot be listed separately. */
  onOpen: (id: string) => (() => void) | null;
  /** Keeps the order of the rows instead of sorting them by cost, then by runs. */
  inOrder?: boolean;
}

/** The operator's cost beside the charge to accounts. */
function SidesTable(props: SidesTableProps) {
  const { label, heading, rows, idOf, isPriced, nameOf = idOf, onOpen, inOrder = false } = props;
  const totals = sidesBy(rows, idOf);
  const names = new Map(rows.map((row) => [idOf(row), nameOf(row)]));
  return (
    <Table label={label}>
      <thead>
        <tr>
          <Th>{heading}</Th>
          {isPriced ? (
            <>
              <Th numeric>Cost</Th>
              <Th numeric>Accounts pay</Th>
              <Th numeric>Margin</Th>
            </>
          ) : (
            <Th numeric>Usage</Th>
          )}
          <Th numeric>Runs</Th>
        </tr>
      </thead>
      <tbody>
        {(inOrder
          ? totals
          : totals.toSorted(
              (one, other) =>
                Number(other.cost.amount ?? 0) - Number(one.cost.amount ?? 0) ||
                other.requests - one.requests,
            )
        ).map(({ id, cost, charge, requests }) => (
          <Tr key={id}>
            <Td className="max-w-80 wrap-anywhere">
              <Name open={onOpen(id)}>{names.get(id)}</Name>
            </Td>
            {isPriced ? (
              <>
                <Td numeric label="Cost">
                  <Side cost={cost} />
                </Td>
                <Td numeric label="Accounts pay">
                  <Side cost={charge} />
                </Td>
                <Td numeric label="Margin">
                  <Margin cost={cost} charge={charge} />
                </Td>
              </>
            ) : (
              <Td numeric label="Usage">
                {totalsByUnit(rows.filter((row) => idOf(row) === id)).map(({ name, quantity }) => (
                  <span key={name} className="block whitespace-nowrap">
                    {formatCount(quantity, unitLabel(name))}
                  </span>
                ))}
              </Td>
            )}
            <Td numeric label="Runs">
              {formatNumber(requests)}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

function unitLabel(unit: string): string {
  return unit.replace("_", " ");
}

function Name({ open, children }: { open: (() => void) | null; children: ReactNode }) {
  if (!open) return children;
  return (
    <button
      type="button"
      onClick={open}
      title="Show the runs"
      className="rounded-control text-left font-medium text-ink hover:text-accent"
    >
      {children}
    </button>
  );
}

function Margin({ cost, charge }: { cost: UsageCost; charge: UsageCost }) {
  const margin = marginOf(cost, charge);
  if (!margin) return <span className="text-faint">–</span>;
  return (
    <span title={`${margin.amount} ${cost.currency}`} className="block whitespace-nowrap">
      {formatMoney(margin.amount, cost.currency)}
      {margin.percent !== null && <span className="block text-meta text-muted">{margin.percent} %</span>}
    </span>
  );
}

function Side({ cost: { amount, currency, not_priced: notPriced } }: { cost: UsageCost }) {
  return (
    <>
      {amount !== null && (
        <span title={`${amount} ${currency}`} className="block whitespace-nowrap">
          {formatMoney(amount, currency)}
        </span>
      )}
      {notPriced > 0 && (
        <span className="block text-meta text-warn">{formatCount(notPriced, "run")} not priced</span>
      )}
    </>
  );
}
