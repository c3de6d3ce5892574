"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import type { List } from "#contract/list.ts";
import type { Upload } from "#contract/upload.ts";
import { uploadStatuses } from "#contract/upload-constants.ts";
import { GuideLink } from "@/components/guides/guide-link";
import { MemberFilter } from "@/components/team/member-filter";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterSelect } from "@/components/ui/filter-select";
import { Pager } from "@/components/ui/pager";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatCount } from "@/lib/format";
import { queryKeys } from "@/lib/query-keys";
import { uploadLook } from "@/lib/status/upload";
import { type UploadFilter, uploadFilterParsers, uploadPageSize } from "./filter.ts";
import { UploadsTable } from "./uploads-table.tsx";

const EmptyState = dynamic(() => import("@/components/ui/empty-state").then((module) => module.EmptyState), {
  loading: () => null,
});

/** While an upload is unfinished, a program may change its state. */
const unfinishedEveryMs = 5_000;

interface UploadsListProps {
  initial: List<Upload>;
  initialFilter: UploadFilter;
  hidden: ReadonlySet<string>;
  onDelete: (upload: Upload) => void;
}

export function UploadsList({ initial, initialFilter, hidden, onDelete }: UploadsListProps) {
  const [filter, setFilter] = useQueryStates(uploadFilterParsers, { history: "push" });
  const same = JSON.stringify(filter) === JSON.stringify(initialFilter);
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.uploads({ ...filter }),
    queryFn: ({ signal }) =>
      fetchRoute("GET /uploads", { query: { ...filter, limit: uploadPageSize }, signal }),
    ...(same && { initialData: initial }),
    placeholderData: keepPreviousData,
    refetchInterval: (query) =>
      query.state.data?.data.some(({ status }) => status === "pending" || status === "uploaded")
        ? unfinishedEveryMs
        : false,
  });
  const failure = failureBehind(error);
  const rows = data?.data.filter((upload) => !hidden.has(upload.id)) ?? [];
  const choose = (change: Partial<UploadFilter>) => void setFilter({ ...change, after: null, before: null });
  const clear = () => choose({ status: null, user_id: null });
  const active = [filter.status, filter.user_id].filter(Boolean).length;
  return (
    <>
      {(active > 0 || rows.length > 0) && (
        <FilterBar active={active} onClear={clear} summary={formatCount(rows.length, "upload")}>
          <FilterSelect
            label="Status"
            any="Any status"
            value={filter.status ?? ""}
            options={uploadStatuses.map((value) => ({ value, label: uploadLook(value).label }))}
            onChange={(status) => choose({ status: status || null })}
          />
          <MemberFilter value={filter.user_id} onChange={(id) => choose({ user_id: id || null })} />
        </FilterBar>
      )}
      {failure && <ErrorPanel error={failure} onRetry={() => void refetch()} />}
      {rows.length > 0 && <UploadsTable uploads={rows} onDelete={onDelete} />}
      {data && rows.length === 0 && (
        <EmptyState
          drawing="frames"
          title={active > 0 ? "No uploads match this filter" : "No uploads yet"}
          body={
            active > 0 ? (
              "Clear the filter to see all uploads."
            ) : (
              <>
                Upload an image, audio or video file once, then use it in any operation.{" "}
                <GuideLink to="uploads">How to upload from a program</GuideLink>
              </>
            )
          }
          {...(active > 0 && { action: <Button onClick={clear}>Clear filter</Button> })}
        />
      )}
      {data && <Pager hasMore={data.has_more} first={data.first_id} last={data.last_id} />}
    </>
  );
}
