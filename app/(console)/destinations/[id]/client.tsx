"use client";

import { useQuery } from "@tanstack/react-query";
import type { Destination } from "#contract/copies.ts";
import { CopyLog, type CopyLogProps } from "@/components/destinations/copy-log";
import { DestinationAlert } from "@/components/destinations/destination-alert";
import { DestinationFacts } from "@/components/destinations/destination-facts";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { StatusPill } from "@/components/ui/status-pill";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { queryKeys } from "@/lib/query-keys";
import { destinationLook } from "@/lib/status/destination";
import { retryAllFailed } from "../actions";
import { DestinationControls } from "./destination-controls";

interface DestinationClientProps {
  initial: Destination;
  copies: CopyLogProps["initial"];
}

const pollMs = 5_000;

/** One destination: where it is, how it does, and what was copied to it. */
export function DestinationClient({ initial, copies }: DestinationClientProps) {
  const { id } = initial;
  const {
    data: destination,
    error,
    refetch,
  } = useQuery({
    queryKey: queryKeys.destination(id),
    queryFn: ({ signal }) => fetchRoute("GET /destinations/{id}", { params: { id }, signal }),
    initialData: initial,
    refetchInterval: pollMs,
  });
  const failure = failureBehind(error);
  const look = destinationLook(destination);
  return (
    <>
      <PageHeader
        log
        title={
          <span className="inline-flex flex-wrap items-center gap-2">
            <span className="wrap-anywhere">{destination.name}</span>{" "}
            <StatusPill {...look} title={look.meaning} />
          </span>
        }
        actions={<DestinationControls destination={destination} />}
      />
      {failure && (
        <div className="mb-4">
          <ErrorPanel error={failure} onRetry={() => void refetch()} />
        </div>
      )}
      <DestinationAlert destination={destination} />
      <DestinationFacts destination={destination} />
      <CopyLog destination={destination} initial={copies} retryAll={retryAllFailed} />
    </>
  );
}
