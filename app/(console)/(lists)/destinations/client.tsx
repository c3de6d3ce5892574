"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Destination } from "#contract/copies.ts";
import type { List } from "#contract/list.ts";
import { useWords } from "#words";
import { bucketName, describeAutomatic } from "@/components/destinations/destination-labels";
import { useAccess } from "@/components/team/access";
import { Permitted } from "@/components/team/permitted";
import { StatusPill } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ListPage } from "@/components/ui/list/list-page";
import { RowsTable } from "@/components/ui/list/rows-table";
import { RowLink } from "@/components/ui/list/table";
import { NoneWithWords, WordsFilter } from "@/components/ui/list/text-filter";
import { EmptyState } from "@/components/ui/page/empty-state";
import { usePageRouter } from "@/components/ui/page/link";
import { NotOffered } from "@/components/ui/page/not-offered";
import { useAsked } from "@/components/ui/page/use-asked";
import { Time } from "@/components/ui/time";
import { formatNumber } from "@/lib/format";
import type { GatewayResult } from "@/lib/gateway/result";
import { searchedList } from "@/lib/lists";
import { destinationLook } from "@/lib/status/copy";

const DestinationDialog = dynamic(
  () => import("@/components/destinations/destination-dialog").then((module) => module.DestinationDialog),
  { ssr: false },
);

/** The buckets that outputs are copied to, with a form to add one. */
export function DestinationsClient({ destinations }: { destinations: GatewayResult<List<Destination>> }) {
  const t = useWords("destinations");
  const router = usePageRouter();
  const [adding, setAdding] = useState(false);
  useAsked("add", useAccess().may("destinations:manage") && (() => setAdding(true)));
  const add = (label: string) => (
    <Permitted to="destinations:manage">
      <Button variant="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
        {label}
      </Button>
    </Permitted>
  );

  return (
    <>
      <ListPage
        title={t("destinations")}
        description={t("yourOwnBucketsWhichReceive")}
        actions={add(t("addDestination"))}
        list={searchedList}
        answer={destinations}
        total={{ route: "GET /destinations", noun: "destination" }}
        notOffered={<NotOffered what={t("destinationsNoun")}>{t("downloadOutputsInstead")}</NotOffered>}
        filters={(list) => <WordsFilter list={list} of={t("namesAndBuckets")} />}
        isFilled
        empty={({ active }) =>
          active > 0 ? (
            <NoneWithWords what={t("destinationsNoun")} />
          ) : (
            <EmptyState
              drawing="frames"
              title={t("noDestinationsYet")}
              body={t("addABucketOfAny")}
              action={add(t("addFirst"))}
            />
          )
        }
      >
        {(rows) => <DestinationsTable destinations={rows} />}
      </ListPage>
      {adding && (
        <DestinationDialog
          destination={null}
          onClose={() => setAdding(false)}
          onSaved={({ id }) => router.push(`/destinations/${id}`)}
        />
      )}
    </>
  );
}

function DestinationsTable({ destinations }: { destinations: Destination[] }) {
  const t = useWords("destinations");
  const states = useWords("states");
  return (
    <RowsTable
      label={t("destinations")}
      rows={destinations}
      columns={[
        {
          head: t("destination"),
          cellClass: "tablet:min-w-44",
          cell: (destination) => (
            <>
              <RowLink href={`/destinations/${destination.id}`} className="wrap-anywhere">
                {destination.name}
              </RowLink>
              <span className="block font-mono text-meta text-muted wrap-anywhere">
                {bucketName(destination)}
              </span>
            </>
          ),
        },
        {
          head: t("status"),
          cell(destination) {
            const look = destinationLook(states, destination);
            return (
              <StatusPill
                {...look}
                title={destination.last_error ? t(destination.last_error.code) : look.meaning}
              />
            );
          },
        },
        {
          head: t("automatic"),
          from: "tablet",
          cell: (destination) => describeAutomatic(t, destination),
        },
        {
          head: t("failed"),
          numeric: true,
          from: "tablet",
          cell: ({ failed_copies }) => formatNumber(failed_copies),
        },
        {
          head: t("lastCopied"),
          from: "tablet",
          cell: ({ last_copied_at }) => <Time value={last_copied_at} />,
        },
      ]}
    />
  );
}
