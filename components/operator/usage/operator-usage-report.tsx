"use client";

import { type ReactNode, useState } from "react";
import type { BillingUnit } from "#contract/catalog-constants.ts";
import type { OperatorUsageList, OperatorUsageRow } from "#contract/operator/usage.ts";
import type { UsageCost } from "#contract/usage.ts";
import { useFormats, useWords } from "#words";
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
import type { Words } from "@/messages/words";
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
  const t = useWords("operatorUsage");
  const usageWords = useWords("usage");
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
        title={Object.keys(filter).length > 0 ? t("noUsageInThisPeriod") : t("noUsageInThisPeriod2")}
        body={t("runsOfAllAccountsAppear")}
        action={<LinkButton href="/operator/prices">{t("openThePrices")}</LinkButton>}
      />
    );
  const { currency } = total.cost;
  const margin = marginOf(total.cost, total.charge);
  const units = totalsByUnit(byDay);
  const isPriced = [total.cost, total.charge].some(({ amount }) => Number(amount ?? 0) > 0);
  /** Without prices, the unit that most runs used. */
  const shown = isPriced ? money : (units[0]?.name ?? money);
  const days = totalsByDay(byDay, shown, span.from, span.to);
  const formatDay = (day: Parameters<typeof formatValue>[1]) =>
    formatValue(usageWords, day, shown.replace("_", " "), isPriced ? currency : null);
  const title = isPriced ? t("costByDay") : t("unitsByDay", { units: capitalized(unitsLabel(t, shown)) });
  return (
    <>
      {!isPriced && (
        <p className="mb-3 text-table text-muted">
          {t.rich(
            "quantitiesShown",
            {},
            {
              link: (label) => (
                <Link
                  key="prices"
                  href="/operator/prices"
                  className="text-accent underline underline-offset-2"
                >
                  {label}
                </Link>
              ),
            },
          )}
        </p>
      )}
      <dl className="mb-6 flex flex-wrap gap-2">
        {isPriced && (
          <>
            <Total label={t("costOfRuns")} cost={total.cost} />
            <Total label={t("chargeToAccounts")} cost={total.charge} />
          </>
        )}
        {!isPriced &&
          units.map(({ name, quantity }) => (
            <div
              key={name}
              className="min-w-36 flex-1 rounded-panel border bg-panel px-4 py-3 phone:flex-none"
            >
              <dt className="text-meta text-muted first-letter:uppercase">{unitsLabel(t, name)}</dt>
              <dd className="tabular text-page font-semibold">{formatNumber(quantity)}</dd>
            </div>
          ))}
        {isPriced && margin && (
          <div className="min-w-36 flex-1 rounded-panel border bg-panel px-4 py-3 phone:flex-none">
            <dt className="text-meta text-muted">{t("margin")}</dt>
            <dd className="tabular text-page font-semibold" title={`${margin.amount} ${currency}`}>
              {formatMoney(margin.amount, currency)}
            </dd>
            {margin.percent !== null && (
              <dd className="tabular text-meta text-muted">
                {t("percentOfWhatAccountsPay", { percent: margin.percent })}
              </dd>
            )}
          </div>
        )}
        <div className="min-w-36 flex-1 rounded-panel border bg-panel px-4 py-3 phone:flex-none">
          <dt className="text-meta text-muted">{t("runs")}</dt>
          <dd className="tabular text-page font-semibold">{formatNumber(total.requests)}</dd>
        </div>
      </dl>
      <Section title={title}>
        <UsagePlot
          days={days}
          before={[]}
          shown={shown}
          currency={currency}
          label={
            isPriced
              ? t("costInTotal", { title, amount: total.cost.amount ?? t("nothing"), currency })
              : title
          }
          formatDay={formatDay}
        />
        <details className="mt-2">
          <summary className="w-fit rounded-control text-table text-muted">{t("showAsTable")}</summary>
          <div className="mt-2">
            <SidesTable
              label={t("titleAsATable", { title })}
              isPriced={isPriced}
              heading={t("dayUtc")}
              rows={byDay}
              idOf={({ day }) => day ?? ""}
              onOpen={(day) => () =>
                setOpened({ title: t("runsOnDay", { day }), of: { from: day, to: day } })
              }
              inOrder
            />
          </div>
        </details>
      </Section>
      <SidesBy
        title={t("byAccount")}
        heading={t("account")}
        isPriced={isPriced}
        rows={accounts}
        idOf={({ account_id: id = "" }) => id}
        nameOf={(row) => row.account_name ?? row.account_id ?? ""}
        onOpen={opens("account_id", (id) => t("runsOf", { name: accountNames.get(id) ?? id }))}
      />
      <SidesBy
        title={t("byModel")}
        heading={t("model")}
        isPriced={isPriced}
        rows={models}
        idOf={({ model }) => model ?? ""}
        onOpen={opens("model", (id) => t("runsOf", { name: id }))}
      />
      <SidesBy
        title={t("byProvider")}
        heading={t("provider")}
        isPriced={isPriced}
        rows={providers}
        idOf={({ provider }) => provider ?? ""}
        nameOf={({ provider }) => provider ?? t("notRecorded")}
        onOpen={opens("provider", (id) => t("runsAt", { name: id }))}
      />
      {keys.length > 0 && (
        <>
          <SidesBy
            title={t("byKey")}
            heading={t("key")}
            isPriced={isPriced}
            rows={keys}
            idOf={({ key_id: id }) => id ?? ""}
            nameOf={({ key_id: id }) => id ?? t("signedInPeople")}
            onOpen={opens("key_id", (id) => t("runsOf", { name: id }))}
          />
          <SidesBy
            title={t("byMember")}
            heading={t("member")}
            isPriced={isPriced}
            rows={keys}
            idOf={({ user_id: id }) => id ?? ""}
            nameOf={({ user_id: id }) => id ?? t("serviceKeys")}
            onOpen={opens("user_id", (id) => t("runsOf", { name: id }))}
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
  const t = useWords("operatorUsage");
  return (
    <div className="min-w-36 flex-1 rounded-panel border bg-panel px-4 py-3 phone:flex-none">
      <dt className="text-meta text-muted">{label}</dt>
      <dd
        className="tabular text-page font-semibold"
        title={amount === null ? undefined : `${amount} ${currency}`}
      >
        {amount === null ? t("notPriced") : formatMoney(amount, currency)}
      </dd>
      {notPriced > 0 && amount !== null && (
        <dd className="tabular text-meta text-muted">{t("andNotPriced", { count: notPriced })}</dd>
      )}
    </div>
  );
}

/** The sums of a grouping. */
function SidesBy({ title, ...table }: { title: string } & Omit<SidesTableProps, "label">) {
  return (
    <Section title={title}>
      <SidesTable label={title} {...table} />
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
  const t = useWords("operatorUsage");
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
              <Th numeric>{t("cost")}</Th>
              <Th numeric>{t("accountsPay")}</Th>
              <Th numeric>{t("margin")}</Th>
            </>
          ) : (
            <Th numeric>{t("usage")}</Th>
          )}
          <Th numeric>{t("runs")}</Th>
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
                <Td numeric label={t("cost")}>
                  <Side cost={cost} />
                </Td>
                <Td numeric label={t("accountsPay")}>
                  <Side cost={charge} />
                </Td>
                <Td numeric label={t("margin")}>
                  <Margin cost={cost} charge={charge} />
                </Td>
              </>
            ) : (
              <Td numeric label={t("usage")}>
                {totalsByUnit(rows.filter((row) => idOf(row) === id)).map(({ name, quantity }) => (
                  <span key={name} className="block whitespace-nowrap">
                    {quantityLabel(t, name, quantity)}
                  </span>
                ))}
              </Td>
            )}
            <Td numeric label={t("runs")}>
              {formatNumber(requests)}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The names of the billing units. Kinds of usage have their own names. */
const units = {
  token: { many: "tokens", count: "tokenCount" },
  character: { many: "characters", count: "characterCount" },
  second: { many: "seconds", count: "secondCount" },
  generation: { many: "generations", count: "generationCount" },
  operation: { many: "operations", count: "operationCount" },
} as const satisfies Record<BillingUnit, object>;

const isKnown = (unit: string): unit is BillingUnit => Object.hasOwn(units, unit);

/** The name of a unit in the plural. Other units by their own name. */
function unitsLabel(t: Words<"operatorUsage">, unit: string): string {
  return isKnown(unit) ? t(units[unit].many) : `${unit.replace("_", " ")}s`;
}

function quantityLabel(t: Words<"operatorUsage">, unit: string, count: number): string {
  return isKnown(unit) ? t(units[unit].count, { count }) : formatCount(count, unit.replace("_", " "));
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function Name({ open, children }: { open: (() => void) | null; children: ReactNode }) {
  const t = useWords("operatorUsage");
  if (!open) return children;
  return (
    <button
      type="button"
      onClick={open}
      title={t("showTheRuns")}
      className="rounded-control text-left font-medium text-ink hover:text-accent"
    >
      {children}
    </button>
  );
}

function Margin({ cost, charge }: { cost: UsageCost; charge: UsageCost }) {
  const format = useFormats();
  const margin = marginOf(cost, charge);
  if (!margin) return <span className="text-faint">–</span>;
  return (
    <span title={`${margin.amount} ${cost.currency}`} className="block whitespace-nowrap">
      {formatMoney(margin.amount, cost.currency)}
      {margin.percent !== null && (
        <span className="block text-meta text-muted">{format.percent(margin.percent)}</span>
      )}
    </span>
  );
}

function Side({ cost: { amount, currency, not_priced: notPriced } }: { cost: UsageCost }) {
  const t = useWords("operatorUsage");
  return (
    <>
      {amount !== null && (
        <span title={`${amount} ${currency}`} className="block whitespace-nowrap">
          {formatMoney(amount, currency)}
        </span>
      )}
      {notPriced > 0 && (
        <span className="block text-meta text-warn">{t("runsNotPriced", { count: notPriced })}</span>
      )}
    </>
  );
}
