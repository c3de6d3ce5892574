"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useEffect, useState } from "react";
import type { List } from "#contract/list.ts";
import type { Endpoint } from "#contract/webhook.ts";
import { useWords } from "#words";
import { GuideLink } from "@/components/guides/guide-link";
import { useAccess } from "@/components/team/access";
import { Permitted } from "@/components/team/permitted";
import { StatusPill } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { IdChip } from "@/components/ui/id-chip";
import { FilterBar, FilterSelect } from "@/components/ui/list/filter-bar";
import type { FilteredList } from "@/components/ui/list/list-filters";
import { ListPage } from "@/components/ui/list/list-page";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { NoneWithWords, SearchFilter } from "@/components/ui/list/text-filter";
import { EmptyState } from "@/components/ui/page/empty-state";
import { Link, usePageRouter } from "@/components/ui/page/link";
import { NotOffered } from "@/components/ui/page/not-offered";
import { useAsked } from "@/components/ui/page/use-asked";
import { Time } from "@/components/ui/time";
import { Tooltip } from "@/components/ui/tooltip";
import { WithBreaks } from "@/components/ui/with-breaks";
import { EndpointAddress } from "@/components/webhooks/deliveries/endpoint-address";
import {
  FailureStreak,
  HealthSparkline,
  hasAttempts,
  SuccessRate,
} from "@/components/webhooks/endpoints/endpoint-health";
import type { GatewayResult } from "@/lib/gateway/result";
import type { ViewOf } from "@/lib/list-view";
import { endpointList } from "@/lib/lists";
import { endpointLook, endpointOptions } from "@/lib/status/endpoint";
import { shortAddress } from "@/lib/webhooks/addresses";
import { type KnownEndpoint, readKnownEndpoints } from "@/lib/webhooks/known-endpoints";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";

const AddEndpoint = dynamic(() => import("./add-endpoint.tsx").then((module) => module.AddEndpoint), {
  ssr: false,
});

interface EndpointsClientProps {
  endpoints: GatewayResult<List<Endpoint>>;
  /** Shown below the list of endpoints. */
  children: ReactNode;
}

/** The account's endpoints, with a form to add one. */
export function EndpointsClient({ endpoints, children }: EndpointsClientProps) {
  const t = useWords("webhooks");
  const router = usePageRouter();
  const [adding, setAdding] = useState(false);
  useAsked("add", useAccess().may("endpoints:manage") && (() => setAdding(true)));
  const canList = endpoints.ok || endpoints.error.code !== "route_not_found";

  const add = (label: string, icon?: ReactNode) => (
    <Permitted to="endpoints:manage">
      <Button variant="primary" icon={icon} onClick={() => setAdding(true)}>
        {label}
      </Button>
    </Permitted>
  );

  return (
    <>
      <ListPage
        title={t("endpoints")}
        description={
          <>
            {t("urlsThatGetAnEvent")}{" "}
            <Link href="/webhooks/event-types" className="text-accent underline underline-offset-2">
              {t("allTypesOfEvents")}
            </Link>
          </>
        }
        actions={add(t("addEndpoint"), <Plus size={16} aria-hidden />)}
        list={endpointList}
        answer={endpoints}
        total={{ route: "GET /webhooks/endpoints", noun: "endpoint" }}
        notOffered={<KnownEndpoints key={String(adding)} />}
        filters={(list) => <EndpointFilters list={list} />}
        isFilled
        empty={({ active }) =>
          active > 0 ? (
            <NoneWithWords what={t("endpointsOf")} by="filters" />
          ) : (
            <EmptyState
              drawing="signal"
              title={t("noEndpointsYet")}
              body={
                <>
                  {t("addAPublicUrl")} <GuideLink to="webhooks">{t("howToReceiveWebhooks")}</GuideLink>
                </>
              }
              action={add(t("addFirstEndpoint"))}
            />
          )
        }
      >
        {(rows, { view }) => (
          <EndpointsTable
            // Other filters show another list, in which nothing is selected.
            key={endpointList.searchOf(view)}
            endpoints={rows}
            more={
              endpoints.ok && isPartial(endpoints.data, view) ? endpointList.filterOf(view, Date.now()) : null
            }
          />
        )}
      </ListPage>
      {children}
      {adding && (
        <AddEndpoint
          canList={canList}
          onCancel={() => setAdding(false)}
          onAdded={() => {
            setAdding(false);
            router.refresh();
          }}
        />
      )}
    </>
  );
}

function EndpointFilters({ list }: { list: FilteredList<"search" | "status" | "sort"> }) {
  const t = useWords("webhooks");
  const states = useWords("states");
  const { search, status, sort } = list.view;
  return (
    <FilterBar active={list.active} onClear={list.clear}>
      <SearchFilter
        of={t("descriptionsAndUrls")}
        value={search}
        onChange={(search) => list.change({ search })}
      />
      <FilterSelect
        label={t("status")}
        any={t("anyStatus")}
        options={endpointOptions(states)}
        value={status}
        onChange={(status) => list.change({ status })}
      />
      <FilterSelect
        label={t("order")}
        any={t("newestFirst")}
        options={[{ value: "failures", label: t("mostFailuresFirst") }]}
        value={sort}
        onChange={(sort) => list.change({ sort })}
      />
    </FilterBar>
  );
}

/** The endpoints that this browser created and remembers, for a gateway that cannot list them. */
function KnownEndpoints() {
  const t = useWords("webhooks");
  const [known, setKnown] = useState<KnownEndpoint[]>([]);
  // localStorage does not exist while the server renders.
  useEffect(() => setKnown(readKnownEndpoints(window.localStorage)), []);
  return (
    <div className="space-y-4">
      {known.length > 0 && (
        <Table label={t("endpointsCreatedFromThisBrowser")}>
          <thead>
            <tr>
              <Th>{t("url")}</Th>
              <Th>{t("id")}</Th>
              <Th>{t("secretEndsIn")}</Th>
              <Th>{t("created")}</Th>
            </tr>
          </thead>
          <tbody>
            {known.map((endpoint) => (
              <Tr key={endpoint.id}>
                <Td>
                  <EndpointAddress url={endpoint.url} />
                </Td>
                <Td>
                  <IdChip id={endpoint.id} href={`/webhooks/deliveries?endpoint_id=${endpoint.id}`} />
                </Td>
                <Td className="font-mono">{endpoint.secretHint}</Td>
                <Td>
                  <Time value={endpoint.createdAt} />
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
      <NotOffered what={t("aListOfEndpoints")} brief={known.length > 0}>
        {t("youCanAddEndpointsAnd")}
      </NotOffered>
    </div>
  );
}

/** Number of characters that fit into one line of the column. */
const shownLength = 36;

const SelectedEndpoints = dynamic(
  () =>
    import("@/components/webhooks/endpoints/selected-endpoints").then((module) => module.SelectedEndpoints),
  { ssr: false },
);

/** Whether other pages of the list have more endpoints. */
function isPartial({ has_more }: List<Endpoint>, { after, before }: ViewOf<typeof endpointList>): boolean {
  return has_more || after !== "" || before !== "";
}

/** The endpoints of a page. A selection lasts while the person turns pages. */
function EndpointsTable({ endpoints, more }: { endpoints: Endpoint[]; more: object | null }) {
  const t = useWords("webhooks");
  const states = useWords("states");
  const { may } = useAccess();
  const [selected, setSelected] = useState<readonly Endpoint[] | null>(null);
  const isWorkable = may("endpoints:manage") || may("deliveries:retry");
  const known = new Map([...(selected ?? []), ...endpoints].map((endpoint) => [endpoint.id, endpoint]));
  const current = (selected ?? []).map((endpoint) => known.get(endpoint.id) ?? endpoint);
  return (
    <>
      {selected !== null && <SelectedEndpoints selected={current} onSelect={setSelected} more={more} />}
      <RowsTable
        label={t("endpoints")}
        className="max-[1340px]:[&_td]:px-2 max-[1340px]:[&_th]:px-2"
        rows={endpoints}
        columns={columnsOf(t, states)}
        selection={
          isWorkable
            ? {
                ids: new Set(current.map(({ id }) => id)),
                set: (ids) => setSelected([...ids].flatMap((id) => known.get(id) ?? [])),
                allLabel: t("selectAllEndpoints"),
                labelOf: ({ url }) => t("selectEndpoint", { address: shortAddress(url, shownLength).text }),
              }
            : undefined
        }
      />
    </>
  );
}

const columnsOf = (t: Words<"webhooks">, states: Words<"states">): readonly Column<Endpoint>[] => [
  {
    head: t("endpoint"),
    cellClass: "w-full tablet:max-w-0 tablet:min-w-48",
    cell: (endpoint) => <EndpointName endpoint={endpoint} />,
  },
  {
    head: t("status"),
    cell(endpoint) {
      const look = endpointLook(states, endpoint);
      return (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 max-tablet:flex-col max-tablet:items-end">
          <StatusPill {...look} title={look.meaning} />
          <FailureStreak endpoint={endpoint} />
        </span>
      );
    },
  },
  {
    head: t("last24H"),
    from: "tablet",
    cell: ({ health }) =>
      health && hasAttempts(health) ? (
        <HealthSparkline hourly={health.hourly} />
      ) : (
        <span className="text-faint">–</span>
      ),
  },
  {
    head: t("attemptsAccepted"),
    from: "tablet",
    numeric: true,
    cell: ({ health }) => <SuccessRate health={health} />,
  },
  {
    head: t("lastSuccess"),
    from: "tablet",
    cell: ({ health }) => <Time value={health?.last_success_at ?? null} />,
  },
  {
    head: t("events"),
    from: "desktop",
    cellClass: "text-muted desktop:max-w-44",
    cell(endpoint) {
      const events = listText(
        t.language,
        endpoint.events.map((event) => {
          // The ends of predictions are words; other types of events stay codes.
          const end = `end.${event.replace("prediction.", "")}`;
          return t.has(end) ? t.text(end) : event;
        }),
        "plain",
      );
      return (
        <span className="line-clamp-2" title={events}>
          {events}
        </span>
      );
    },
  },
  {
    head: t("secretEndsIn"),
    from: "wide",
    cellClass: "font-mono text-muted",
    cell: ({ secret_hint }) => secret_hint,
  },
];

function EndpointName({ endpoint }: { endpoint: Endpoint }) {
  const { text, isCut } = shortAddress(endpoint.url, shownLength);
  const link = (
    <RowLink
      href={`/webhooks/endpoints/${endpoint.id}`}
      className="block overflow-hidden text-ellipsis tablet:whitespace-nowrap"
    >
      <span translate="no">
        <WithBreaks text={text} before="/" />
      </span>
    </RowLink>
  );
  return (
    <>
      {isCut ? (
        <Tooltip content={<span className="wrap-anywhere">{endpoint.url}</span>}>{link}</Tooltip>
      ) : (
        link
      )}
      {endpoint.description && (
        <span className="block truncate text-meta text-muted">{endpoint.description}</span>
      )}
    </>
  );
}
