"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Destination } from "#contract/copies.ts";
import type { List } from "#contract/list.ts";
import { DestinationsTable } from "@/components/destinations/destinations-table";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { Pager } from "@/components/ui/list/pager";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { usePageRouter } from "@/components/ui/page/use-place";
import type { GatewayResult } from "@/lib/gateway/result";
import { addDestination, tryDestination } from "../actions";

const DestinationDialog = dynamic(
  () => import("@/components/destinations/destination-dialog").then((module) => module.DestinationDialog),
  { ssr: false },
);

/** The buckets that outputs are copied to, and the way to add one. */
export function DestinationsClient({ destinations }: { destinations: GatewayResult<List<Destination>> }) {
  const router = usePageRouter();
  const [adding, setAdding] = useState(false);
  const add = (label: string) => (
    <Permitted to="destinations:manage">
      <Button variant="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
        {label}
      </Button>
    </Permitted>
  );

  return (
    <>
      <PageHeader
        title="Destinations"
        description="Buckets of your own that outputs are copied to, by hand or as soon as they are made."
        actions={add("Add destination")}
      />
      {!destinations.ok && destinations.error.code === "route_not_found" ? (
        <NotOffered what="destinations">Download outputs instead.</NotOffered>
      ) : !destinations.ok ? (
        <ErrorPanel error={destinations.error} onRetry={() => router.refresh()} />
      ) : destinations.data.data.length === 0 ? (
        <EmptyState
          drawing="frames"
          title="No destinations yet"
          body="Add a bucket of any S3 server. Files arrive byte for byte as they are stored here, and stay when they are removed here."
          action={add("Add first destination")}
        />
      ) : (
        <>
          <DestinationsTable destinations={destinations.data.data} />
          <Pager
            hasMore={destinations.data.has_more}
            first={destinations.data.first_id}
            last={destinations.data.last_id}
          />
        </>
      )}
      {adding && (
        <DestinationDialog
          save={addDestination}
          test={tryDestination}
          onClose={() => setAdding(false)}
          onSaved={({ id }) => router.push(`/destinations/${id}`)}
        />
      )}
    </>
  );
}
