"use client";

import { useQueries } from "@tanstack/react-query";
import { Fragment } from "react";
import type { RequestDetail } from "#contract/usage.ts";
import { useWords } from "#words";
import { Added, Removed } from "@/components/ui/changed-text";
import { FailureInShort } from "@/components/ui/failure-in-short";
import { CompareCell, CompareGroup, CompareRow } from "@/components/ui/list/compare-table";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import type { TextPart } from "@/lib/presets/differences";
import { queryKeys } from "@/lib/query-keys";
import { compareContents } from "@/lib/requests/compare-contents";
import { listText } from "@/lib/words/list-text";

interface ComparedContentsProps {
  /** Two requests with kept contents. */
  requests: readonly RequestDetail[];
  onlyDifferences: boolean;
}

/** The rows of a comparison with what two calls were sent and answered. */
export function ComparedContents({ requests, onlyDifferences }: ComparedContentsProps) {
  const t = useWords("requests");
  const columns = requests.length;
  const { contents, failure, isLoading } = useQueries({
    queries: requests.flatMap(({ run_id: id }) => (id === null ? [] : [contentQuery(id)])),
    combine: (results) => ({
      contents: results.flatMap(({ data }) => data ?? []),
      failure: results.map(({ error }) => failureBehind(error)).find((each) => each !== null),
      isLoading: results.some((result) => result.isLoading),
    }),
  });
  const [left, right] = contents;
  if (failure || isLoading || !left || !right)
    return (
      <CompareRow name={t("contents")}>
        <td colSpan={columns} className="row-padding border-l px-3 text-muted">
          {failure ? <FailureInShort failure={failure} /> : isLoading && t("loading")}
        </td>
      </CompareRow>
    );
  return compareContents(t, left, right).map(({ name, rows }) => {
    const shown = onlyDifferences ? rows.filter(({ differs }) => differs) : rows;
    const same = rows.filter((row) => !shown.includes(row));
    return (
      <Fragment key={name}>
        <CompareGroup name={name} columns={columns} />
        {shown.map((row) => (
          <CompareRow
            key={row.name}
            name={
              <>
                {row.name}
                {row.differs && <span className="sr-only"> {t("differs")}</span>}
              </>
            }
          >
            {row.sides.map((parts, column) => (
              <CompareCell key={requests[column]?.id}>
                {parts === null ? <span className="text-muted">{t("none")}</span> : <Text parts={parts} />}
              </CompareCell>
            ))}
          </CompareRow>
        ))}
        {same.length > 0 && (
          <CompareRow name={t("same")}>
            <td colSpan={columns} className="row-padding border-l px-3 text-muted">
              {listText(
                t.language,
                same.map((row) => row.name),
                "plain",
              )}
            </td>
          </CompareRow>
        )}
      </Fragment>
    );
  });
}

function contentQuery(id: string) {
  return {
    queryKey: queryKeys.content(id),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      fetchRoute("GET /contents/{id}", { params: { id }, signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  };
}

function Text({ parts }: { parts: readonly TextPart[] }) {
  return (
    <div className="whitespace-pre-wrap">
      {parts.map(({ kind, text }, at) => {
        const Part = { same: "span", removed: Removed, added: Added }[kind] as typeof Added;
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, in their order
        return <Part key={at}>{text}</Part>;
      })}
    </div>
  );
}
