"use client";

import type { ReactNode } from "react";
import type { MetadataUsageList, UsageRow } from "#contract/usage.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Section } from "@/components/ui/page/section";
import { formatNumber, shortenId } from "@/lib/format";
import { metadataHref } from "@/lib/metadata-href";
import { formatMoney } from "@/lib/money";
import type { RequestFilterName } from "@/lib/request-list";
import type { Forecast } from "@/lib/usage/forecast";
import type { UsageSpan } from "@/lib/usage/span";
import { money, totalsBy, totalsByDay, totalsByUnit, type UsageTotal, utcDay } from "@/lib/usage/summary";
import type { Words } from "@/messages/words";
import { formatValue, UsagePlot, UsageValue } from "./usage-plot.tsx";

/** The usage of one period, with one list per grouping. */
export interface UsageSums {
  byDay: UsageRow[];
  byModel: UsageRow[];
  byKey: UsageRow[];
  byProvider: UsageRow[];
  byBatch: UsageRow[];
  /** The previous period of the same length. */
  before: UsageRow[];
}

interface UsageReportProps {
  sums: UsageSums;
  byMetadata: MetadataUsageList | null;
  span: UsageSpan;
  /** The page's filter. */
  filter: Readonly<Record<string, string>>;
  forecast: Forecast | null;
  currency: string;
  keyNames: Record<string, string>;
  memberNames: Record<string, string>;
  /**
   * The quantity that the report shows: `cost` or a billing unit. Empty: the cost, or if nothing cost
   * anything, the unit that was used.
   */
  shown: string;
  onShow: (shown: string) => void;
  /** What the account may still spend, beside what it spent in the period. */
  budgets: ReactNode;
}

/** Usage and cost by day and by every other grouping. */
export function UsageReport(props: UsageReportProps) {
  const t = useWords("usage");
  const { sums, byMetadata, span, filter, forecast, currency, keyNames, memberNames, onShow, budgets } =
    props;
  const units = totalsByUnit(sums.byDay);
  const [cost = null] = totalsBy(sums.byDay, money, () => "");
  const wanted = props.shown || (cost?.quantity ? money : units[0]?.name);
  const shown = units.find(({ name }) => name === wanted)?.name ?? money;
  const isMoney = shown === money;
  const heading = isMoney ? t("cost") : capitalised(unitsOf(t, shown));
  const days = totalsByDay(sums.byDay, shown, span.from, span.to);
  const before = totalsByDay(sums.before, shown, span.beforeFrom, span.beforeTo);
  const [total] = totalsBy(sums.byDay, shown, () => "");
  const [totalBefore] = totalsBy(sums.before, shown, () => "");
  const table = { valueHeading: heading, currency: isMoney ? currency : null };
  const formatDay = (day: Parameters<typeof formatValue>[1]) =>
    formatValue(t, day, shown.replace("_", " "), table.currency);
  const { may } = useAccess();
  /** A link to the runs of a row in the request log, as far as the log's filters allow. */
  const runsOf = (of: Partial<Record<RequestFilterName, string>>, from = span.from, to = span.to) => {
    const { provider: _, ...logged } = filter;
    const time = { created_after: `${from}T00:00:00Z`, created_before: `${nextDay(to)}T00:00:00Z` };
    return may("requests:read") ? `/requests?${new URLSearchParams({ ...logged, ...of, ...time })}` : null;
  };
  /**
   * The log has no index by provider, and a prediction's row does not name one, so such a row filters this
   * page instead of linking to the log.
   */
  const narrowedTo = (of: Record<string, string>) =>
    `/usage?${new URLSearchParams({ ...filter, from: span.from, to: span.to, ...of })}`;
  const labelled = byMetadata?.data ?? [];
  const metadataKeys = [...new Set(labelled.map(({ key }) => key))];
  return (
    <>
      <div className="mb-6 flex flex-wrap gap-2">
        <ShownChoice
          units={units}
          cost={cost}
          before={totalsBy(sums.before, money, () => "")[0] ?? null}
          forecast={forecast}
          currency={currency}
          shown={shown}
          onChoose={onShow}
        />
        {budgets}
      </div>
      <Section
        title={t("headingByDay", { heading })}
        description={
          totalBefore &&
          t("greyBarsThePreviousBefore", { before: before.length, totalBefore: formatDay(totalBefore) })
        }
      >
        <UsagePlot
          days={days}
          before={before}
          shown={shown}
          currency={currency}
          label={t("chartOfDays", { heading, total: total ? formatDay(total) : t("nothing") })}
          formatDay={formatDay}
        />
        <UsageDays
          days={days}
          before={before}
          heading={heading}
          currency={table.currency}
          hrefOf={(day) => runsOf({}, day, day)}
        />
      </Section>
      <div className="grid gap-x-6 desktop:grid-cols-2">
        <UsageBy
          what={["model", t("byModel"), t("model")]}
          {...table}
          totals={totalsBy(sums.byModel, shown, ({ model }) => model ?? "")}
          hrefOf={(model) => runsOf({ model })}
          nameOf={(model) => model}
        />
        {!filter.metadata && (
          <>
            <UsageBy
              what={["key", t("byKey"), t("key")]}
              {...table}
              totals={totalsBy(sums.byKey, shown, ({ key_id }) => key_id ?? "")}
              nameOf={(key) => (key === "" ? t("signedInPeople") : (keyNames[key] ?? key))}
              hrefOf={(key) => runsOf(key === "" ? { actor: "user" } : { key_id: key })}
            />
            {Object.keys(memberNames).length > 1 && (
              <UsageBy
                what={["member", t("byMember"), t("member")]}
                {...table}
                totals={totalsBy(sums.byKey, shown, ({ user_id }) => user_id ?? "")}
                nameOf={(id) => (id === "" ? t("serviceKeys") : (memberNames[id] ?? t("formerMember")))}
                hrefOf={(id) => (id === "" ? null : runsOf({ user_id: id }))}
              />
            )}
            <UsageBy
              what={["provider", t("byProvider"), t("provider")]}
              {...table}
              totals={totalsBy(sums.byProvider, shown, ({ provider }) => provider ?? "")}
              nameOf={(name) => name || t("notRecorded")}
              hrefOf={(name) => (name === "" ? null : narrowedTo({ provider: name }))}
            />
            {sums.byBatch.some(({ batch_id }) => batch_id) && (
              <UsageBy
                what={["batch", t("byBatch"), t("batch")]}
                {...table}
                totals={totalsBy(sums.byBatch, shown, ({ batch_id }) => batch_id ?? "")}
                nameOf={(id) => id || t("outsideBatches")}
                hrefOf={(id) => (id ? `/batches/${id}` : runsOf({}))}
              />
            )}
          </>
        )}
        {metadataKeys.map((key) => (
          <UsageBy
            key={key}
            what={[key, t("byWhat", { what: key }), key]}
            description={t("runsWithMetadataKey", { key })}
            {...table}
            totals={totalsBy(
              labelled.filter((row) => row.key === key),
              shown,
              ({ value }) => value ?? "",
            )}
            nameOf={(value) => value || t("allOthers")}
            hrefOf={(value) => (value === "" ? null : metadataHref(`${key}=${value}`))}
          />
        ))}
      </div>
    </>
  );
}

interface UsageByProps {
  /** What the usage is grouped by, the section's title, and the head of the first column. */
  what: readonly [kind: string, title: string, head: string];
  description?: string;
  /** A billing unit, or "Cost". */
  valueHeading: string;
  /** Null: values are quantities. */
  currency: string | null;
  totals: UsageTotal[];
  nameOf: (name: string) => string;
  hrefOf?: (name: string) => string | null;
}

/** The totals of a grouping, with each share drawn beside its number. */
function UsageBy(props: UsageByProps) {
  const t = useWords("usage");
  const { what, description, valueHeading, currency, totals, nameOf, hrefOf } = props;
  const [kind, title, head] = what;
  const largest = Math.max(Number.MIN_VALUE, ...totals.map((total) => total.quantity));
  return (
    <Section title={title} description={description}>
      <Table
        label={t("valueBy", { value: valueHeading, by: title.charAt(0).toLowerCase() + title.slice(1) })}
      >
        <thead>
          <tr>
            <Th>{head}</Th>
            <Th className="max-phone:hidden">
              <span className="sr-only">{t("share")}</span>
            </Th>
            <Th numeric>{valueHeading}</Th>
            <Th numeric>{t("runs")}</Th>
          </tr>
        </thead>
        <tbody>
          {totals.map((total) => {
            const href = hrefOf?.(total.name);
            const name = nameOf(total.name);
            return (
              <Tr key={total.name}>
                <Td className="wrap-anywhere">
                  {href ? (
                    // Ids are shown unchanged, in a monospaced font.
                    <RowLink href={href} className={name === total.name ? "font-mono" : ""}>
                      {kind === "batch" && name === total.name ? shortenId(name) : name}
                    </RowLink>
                  ) : (
                    name
                  )}
                </Td>
                <Td className="w-24 max-phone:hidden">
                  <svg
                    viewBox="0 0 100 6"
                    preserveAspectRatio="none"
                    aria-hidden="true"
                    className="block h-1.5 w-full"
                  >
                    <rect width={100} height={6} rx={1} className="fill-(--sunken)" />
                    <rect
                      width={total.quantity > 0 ? Math.max(1, (total.quantity / largest) * 100) : 0}
                      height={6}
                      className="fill-(--accent-fill)"
                    />
                  </svg>
                </Td>
                <Td numeric>
                  <UsageValue total={total} currency={currency} />
                </Td>
                <Td numeric>{formatNumber(total.requests)}</Td>
              </Tr>
            );
          })}
        </tbody>
      </Table>
    </Section>
  );
}

interface ShownChoiceProps {
  units: UsageTotal[];
  /** The cost of all usage in the period. */
  cost: UsageTotal | null;
  before: UsageTotal | null;
  forecast: Forecast | null;
  currency: string;
  shown: string;
  onChoose: (shown: string) => void;
}

/** Totals of the period: the cost, and one per billing unit. Choosing one shows it below. */
function ShownChoice({ units, cost, before, forecast, currency, shown, onChoose }: ShownChoiceProps) {
  const t = useWords("usage");
  const value = cost === null || cost.amount === null ? t("notPriced") : formatMoney(cost.amount, currency);
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-2 max-phone:w-full">
      <legend className="sr-only">{t("whatIsShown")}</legend>
      <Choice name={money} label={t("cost")} value={value} shown={shown} onChoose={onChoose}>
        {cost !== null && cost.amount !== null && cost.notPriced > 0 && (
          <span className="block">{t("andNotPriced", { runs: cost.notPriced })}</span>
        )}
        {before !== null && before.amount !== null && (
          <span className="block">
            {t("currencyInThePreviousPeriod", { currency: formatMoney(before.amount, currency) })}
          </span>
        )}
        {forecast && (
          <span
            className="block"
            title={t("currencySoFarAssumesDays", { currency: formatMoney(forecast.soFar, currency) })}
          >
            {t("aboutCurrencyThisMonth", { currency: formatMoney(forecast.expected, currency) })}
          </span>
        )}
      </Choice>
      {units.map((unit) => (
        <Choice
          key={unit.name}
          name={unit.name}
          label={unitsOf(t, unit.name)}
          value={formatNumber(unit.quantity)}
          shown={shown}
          onChoose={onChoose}
        >
          {unit.requests > 0 && <span className="block">{t("countOfRuns", { runs: unit.requests })}</span>}
        </Choice>
      ))}
    </fieldset>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  value: string;
  shown: string;
  onChoose: (name: string) => void;
  children: ReactNode;
}

function Choice({ name, label, value, shown, onChoose, children }: ChoiceProps) {
  return (
    <button
      type="button"
      aria-pressed={name === shown}
      onClick={() => onChoose(name)}
      className="flex min-w-36 flex-1 flex-col rounded-panel border bg-panel px-4 py-3 text-left hover:border-strong aria-pressed:border-accent aria-pressed:bg-accent-soft phone:flex-none"
    >
      <span className="block text-meta text-muted first-letter:uppercase">{label}</span>
      <span className="tabular block text-page font-semibold text-ink">{value}</span>
      <span className="tabular block text-meta text-muted">{children}</span>
    </button>
  );
}

function nextDay(day: string): string {
  return utcDay(Date.parse(day), -1);
}

/** The plural of a billing unit. */
function unitsOf(t: Words<"usage">, unit: string): string {
  return t("unitsOf", { unit, name: unit.replace("_", " ") });
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface UsageDaysProps {
  days: UsageTotal[];
  before: UsageTotal[];
  heading: string;
  /** Null: values are quantities. */
  currency: string | null;
  /** Link to the runs of a day. */
  hrefOf: (day: string) => string | null;
}

/** The chart's numbers as a table. */
function UsageDays({ days, before, heading, currency, hrefOf }: UsageDaysProps) {
  const t = useWords("usage");
  const rows = days.map((day, index) => ({ day, earlier: before[index] })).reverse();
  return (
    <details className="mt-2">
      <summary className="w-fit rounded-control text-table text-muted">{t("showAsTable")}</summary>
      <div className="mt-2 max-w-2xl">
        <Table label={t("headingByDayAsA", { heading })}>
          <thead>
            <tr>
              <Th>{t("dayUtc")}</Th>
              <Th numeric>{heading}</Th>
              <Th numeric>{t("runs")}</Th>
              <Th numeric className="max-phone:hidden">
                {t("previousPeriod")}
              </Th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ day, earlier }) => (
              <Tr key={day.name}>
                <Td className="tabular">
                  <DayName day={day.name} href={day.requests > 0 ? hrefOf(day.name) : null} />
                </Td>
                <Td numeric>
                  <UsageValue total={day} currency={currency} />
                </Td>
                <Td numeric>{formatNumber(day.requests)}</Td>
                <Td numeric className="text-muted max-phone:hidden">
                  {earlier && <UsageValue total={earlier} currency={currency} />}
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </div>
    </details>
  );
}

function DayName({ day, href }: { day: string; href: string | null }) {
  return href ? <RowLink href={href}>{day}</RowLink> : day;
}
