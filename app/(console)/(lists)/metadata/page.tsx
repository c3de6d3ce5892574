import type { ReactNode } from "react";
import type { Counted } from "#contract/list.ts";
import type { Endpoint } from "#contract/webhook.ts";
import { useFormats, useWords } from "#words";
import { headOf, page } from "@/app/console-page";
import { type Findings, findByDescription, findByPair, type Part } from "@/components/metadata/findings";
import { type Entry, historyOf } from "@/components/metadata/history";
import { Badge, StatusPill } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Money } from "@/components/ui/money";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { LivePage } from "@/components/ui/page/live-page";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import type { Formats } from "@/lib/format";
import { descriptionHref, metadataHref } from "@/lib/metadata-href";
import type { RouteProps } from "@/lib/page-props";
import { words } from "@/lib/server/words";
import { endpointLook } from "@/lib/status/endpoint";
import { loadFailureWords } from "@/lib/status/failure-words";
import { shortAddress } from "@/lib/webhooks/addresses";

const head = headOf({
  title: "metadata",
  parts: ["metadata"],
  filters: { pair: "", description: "", since: "", show: "" },
});

export async function generateMetadata({ searchParams }: RouteProps) {
  const { pair, description } = await searchParams;
  return { title: [pair ?? description].flat()[0] ?? (await words("pages"))(head.title) };
}

/** The times that the page can show. */
const spans = [
  { value: "24h", name: "day", days: 1 },
  { value: "7d", name: "week", days: 7 },
  { value: "30d", name: "month", days: 30 },
] as const;
type Span = (typeof spans)[number];
const usualSpan: Span = spans[1];

/** Everything of one customer, project or order, named by its pair of metadata or an endpoint's description. */
export default page(head, async ({ t, word, requestRoute }) => {
  const pair = word("pair")?.includes("=", 1) ? word("pair") : null;
  const description = word("description")?.trim() ?? "";
  if (pair === null && description === "")
    return (
      <>
        <PageHeader title={(await words("pages"))(head.title)} />
        <EmptyState title={t("noPair")} body={t("howToAsk")} />
      </>
    );
  const span = spans.find(({ value }) => value === word("since")) ?? usualSpan;
  const nowMs = Date.now();
  const since = { created_after: minuteOf(nowMs - span.days * dayMs) };
  const onlyFailures = word("show") === "failures";
  const failures = await loadFailureWords(t.language);
  const said = { metadata: t, webhooks: await words("webhooks"), failures };
  const found = await (pair === null
    ? findByDescription(said, requestRoute, description, since)
    : findByPair(said, requestRoute, pair, since, minuteOf(nowMs).slice(0, 10)));
  const here = pair === null ? descriptionHref(description) : metadataHref(pair);
  const showWord = (failures: boolean) => (failures ? t("failures") : t("all"));
  const switchTo = (span: string, show: boolean) => `${here}&since=${span}${show ? "&show=failures" : ""}`;
  return (
    <>
      <PageHeader
        title={<span className="font-mono">{pair ?? description}</span>}
        description={pair === null ? t("ofDescription") : t("ofPair")}
        actions={<LivePage drawnAtMs={nowMs} />}
      />
      <nav aria-label={t("filters")} className="mb-4 flex flex-wrap gap-x-6 gap-y-2">
        <Choices
          options={spans.map(({ value }) => ({
            label: t(`span${value}`),
            href: switchTo(value, onlyFailures),
          }))}
          chosen={t(`span${span.value}`)}
        />
        <Choices
          options={[false, true].map((show) => ({ label: showWord(show), href: switchTo(span.value, show) }))}
          chosen={showWord(onlyFailures)}
        />
      </nav>
      {found.failures.map((failure) => (
        <div key={failure.code} className="mb-4">
          <LoadFailure error={failure} />
        </div>
      ))}
      <Counts parts={found.parts} cost={found.cost} />
      {found.pairs.length > 0 && (
        <p className="mb-4 flex flex-wrap items-center gap-2 text-table text-muted">
          {t("pairsWithName")}
          {found.pairs.map((each) => (
            <Link
              key={each}
              href={metadataHref(each)}
              className="font-mono text-accent underline underline-offset-2"
            >
              {each}
            </Link>
          ))}
        </p>
      )}
      {found.endpoints.length > 0 && (
        <Endpoints endpoints={found.endpoints} search={pair?.slice(pair.indexOf("=") + 1) ?? description} />
      )}
      {found.isReadable && (
        <Section title={onlyFailures ? t("failures") : t("history")}>
          <History
            parts={found.parts}
            onlyFailures={onlyFailures}
            empty={
              <EmptyState
                title={t("nothingIn", { which: onlyFailures ? "failures" : "all", span: span.name })}
                body={pair === null ? t("deliveriesAppear") : t("entriesAppear")}
                action={
                  span.value !== "30d" && (
                    <LinkButton href={switchTo("30d", onlyFailures)}>{t("show30Days")}</LinkButton>
                  )
                }
              />
            }
          />
        </Section>
      )}
    </>
  );
});

const dayMs = 86_400_000;

/** A time in RFC 3339, to the minute, so that links stay equal for a while. */
function minuteOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16)}:00Z`;
}

interface ChoicesProps {
  options: readonly { label: string; href: string }[];
  chosen: string;
}

function Choices({ options, chosen }: ChoicesProps) {
  return (
    <span className="flex flex-wrap gap-1">
      {options.map(({ label, href }) => (
        <LinkButton
          key={label}
          size="sm"
          variant={label === chosen ? "secondary" : "ghost"}
          aria-current={label === chosen ? "true" : undefined}
          href={href}
        >
          {label}
        </LinkButton>
      ))}
    </span>
  );
}

/** How many rows of each list exist and failed, and their cost. */
function Counts({ parts, cost }: Pick<Findings, "parts" | "cost">) {
  const t = useWords("metadata");
  const format = useFormats();
  if (parts.length === 0 && cost === null) return null;
  return (
    <ul
      aria-label={t("counts")}
      className="mb-6 grid gap-px overflow-hidden rounded-panel border bg-(--line) tablet:auto-cols-fr tablet:grid-flow-col"
    >
      {parts.map(({ label, href, all, failed, failedText }) => {
        const bad = sumOf(failed);
        return (
          <CountBox
            key={href}
            href={href}
            value={all.ok && all.data.total ? countText(format, all.data.total) : "–"}
          >
            {label}
            {bad.count > 0 && (
              <span className="text-bad">{` · ${t(failedText, { count: countText(format, bad) })}`}</span>
            )}
          </CountBox>
        );
      })}
      {cost === "not summed" && (
        <CountBox
          href="/settings#usage-by-metadata"
          value={<span className="text-table font-normal text-muted">{t("sumInSettings")}</span>}
        >
          {t("cost")}
        </CountBox>
      )}
      {cost !== null && cost !== "not summed" && (
        <CountBox href={cost.href} value={<Money {...cost.money} />}>
          {t("cost")}
        </CountBox>
      )}
    </ul>
  );
}

function CountBox({ href, value, children }: { href: string; value: ReactNode; children: ReactNode }) {
  return (
    <li className="bg-panel">
      <Link
        href={href}
        className="flex h-full flex-col px-3 py-2 hover:bg-sunken focus-visible:-outline-offset-2!"
      >
        <span className="tabular text-title font-semibold">{value}</span>
        <span className="text-table">{children}</span>
      </Link>
    </li>
  );
}

function sumOf(answers: Part["failed"]): Counted {
  const totals = answers.flatMap((answer) => (answer.ok && answer.data.total) || []);
  return {
    count: totals.reduce((sum, { count }) => sum + count, 0),
    more: totals.some(({ more }) => more),
  };
}

function countText(format: Formats, { count, more }: Counted): string {
  return `${format.number(count)}${more ? "+" : ""}`;
}

/** How many endpoints are shown. */
const endpointsShown = 3;

interface EndpointsProps {
  endpoints: readonly Endpoint[];
  /** Finds them in the list. */
  search: string;
}

function Endpoints({ endpoints, search }: EndpointsProps) {
  const states = useWords("states");
  const t = useWords("metadata");
  const others = endpoints.length - endpointsShown;
  return (
    <Section title={t("endpoints")} description={t("endpointsHaveName")}>
      <ul className="divide-y rounded-panel border bg-panel">
        {endpoints.slice(0, endpointsShown).map((endpoint) => {
          const { id, description, url } = endpoint;
          const look = endpointLook(states, endpoint);
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-table">
              <Link
                href={`/webhooks/endpoints/${id}`}
                className="min-w-0 flex-1 basis-60 truncate font-medium"
              >
                {description ?? shortAddress(url, 48).text}
                {description && (
                  <span className="ml-2 font-normal text-muted">{shortAddress(url, 48).text}</span>
                )}
              </Link>
              <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
              <Link
                href={`/webhooks/deliveries?endpoint_id=${id}`}
                className="text-accent underline underline-offset-2"
              >
                {t("deliveries")}
              </Link>
            </li>
          );
        })}
      </ul>
      {others > 0 && (
        <Link
          href={`/webhooks/endpoints?${new URLSearchParams({ search })}`}
          className="mt-1 inline-block text-table text-accent underline underline-offset-2"
        >
          {t("moreEndpoints", { count: others })}
        </Link>
      )}
    </Section>
  );
}

function EntryStatus({ look }: Pick<Entry, "look">) {
  const { label, tone, icon, meaning } = look(useWords("states"));
  return <StatusPill label={label} tone={tone} icon={icon} title={meaning} />;
}

interface HistoryProps {
  parts: readonly Part[];
  onlyFailures: boolean;
  empty: ReactNode;
}

/** Requests, predictions and deliveries in one table, newest first. */
function History({ parts, onlyFailures, empty }: HistoryProps) {
  const t = useWords("metadata");
  const answers = parts.flatMap(({ all, failed }) => (onlyFailures ? failed : [all]));
  const { entries, isWhole } = historyOf(answers.flatMap((answer) => (answer.ok ? [answer.data] : [])));
  if (entries.length === 0) return empty;
  return (
    <>
      <Table label={t("history")}>
        <thead>
          <tr>
            <Th>{t("when")}</Th>
            <Th>{t("what")}</Th>
            <Th>{t("status")}</Th>
            <Th>{t("why")}</Th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ id, href, kind, title, of, look, reason, at }) => (
            <Tr key={id}>
              <Td className="whitespace-nowrap" label={t("when")}>
                <Time value={at} />
              </Td>
              <Td className="max-w-96">
                <RowLink href={href} className="flex min-w-0 items-center gap-2">
                  <Badge>{t(kind)}</Badge>
                  <span className="min-w-0 truncate">{title}</span>
                </RowLink>
                {of && of !== title && (
                  <span className="block truncate font-mono text-meta text-muted">{of}</span>
                )}
              </Td>
              <Td>
                <EntryStatus look={look} />
              </Td>
              <Td className="text-muted wrap-anywhere" label={t("why")}>
                {reason ?? <span className="text-faint">–</span>}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      {!isWhole && <p className="mt-2 text-table text-muted">{t("olderEntries")}</p>}
    </>
  );
}
