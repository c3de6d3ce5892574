"use client";

import { type ComponentProps, type ReactNode, useTransition } from "react";
import type { List } from "#contract/list.ts";
import { PageHeader } from "@/components/ui/page/page-header";
import type { GatewayResult } from "@/lib/gateway/result";
import type { listView } from "@/lib/list-view";
import { ListBody } from "./list-body.tsx";
import type { FilteredList } from "./list-filters.tsx";
import type { TotalOf } from "./pager.tsx";
import { useListView } from "./use-list-view.ts";

interface ListPageProps<Row, Name extends string>
  extends Pick<ComponentProps<typeof PageHeader>, "title" | "description" | "actions" | "log"> {
  /** `list` comes from `lib/lists.ts`. `answer` is the gateway's answer for the view in the address. */
  list: Pick<
    ReturnType<typeof listView<Name, object>>,
    "empty" | "viewOf" | "searchOf" | "countOf" | "filterOf"
  >;
  answer: GatewayResult<List<Row>>;
  /** Missing for lists that the gateway does not count. */
  total?: Omit<TotalOf, "query">;
  notOffered: ReactNode;
  filters: (list: FilteredList<Name>) => ReactNode;
  /** People add the rows themselves, so no filters are shown before the first row. */
  isFilled?: boolean;
  empty: (list: FilteredList<Name>) => ReactNode;
  children: (rows: Row[], list: FilteredList<Name>) => ReactNode;
}

/** A list page. The server reads the list again when a filter changes. */
export function ListPage<Row, Name extends string>(props: ListPageProps<Row, Name>) {
  const { list, answer, total, notOffered, filters, isFilled = false, empty, children, ...header } = props;
  const [loading, startTransition] = useTransition();
  const filtered = useListView(list, startTransition);
  const isOffered = answer.ok || answer.error.code !== "route_not_found";
  const hasRows = answer.ok && (filtered.active > 0 || answer.data.data.length > 0);
  return (
    <>
      <PageHeader {...header} />
      {isOffered && (hasRows || !isFilled) && filters(filtered)}
      <ListBody
        answer={answer}
        {...(total && { total: { ...total, query: list.filterOf(filtered.view, Date.now()) } })}
        notOffered={notOffered}
        empty={empty(filtered)}
        busy={loading}
      >
        {(rows) => children(rows, filtered)}
      </ListBody>
    </>
  );
}
