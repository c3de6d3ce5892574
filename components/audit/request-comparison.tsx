"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import type { RequestDetail } from "#contract/usage.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { Switch } from "@/components/ui/form/switch";
import { CompareCell, CompareGroup, CompareRow, CompareTable } from "@/components/ui/list/compare-table";
import { Money } from "@/components/ui/money";
import { Link } from "@/components/ui/page/link";
import { Time } from "@/components/ui/time";
import { formatBytes, formatDuration, shortenId } from "@/lib/format";
import { usageLabel } from "@/lib/usage-label";
import type { Words } from "@/messages/words";
import { RequestCaller } from "./request-parts.tsx";

const ComparedContents = dynamic(
  () => import("./compared-contents.tsx").then((part) => part.ComparedContents),
  {
    ssr: false,
    loading: () => null,
  },
);

interface RequestComparisonProps {
  /** Two requests. */
  requests: readonly RequestDetail[];
  /** The names of keys and members, by id. */
  names: Record<string, string>;
}

/** Two requests side by side: what they said, with the differences marked, and their figures. */
export function RequestComparison({ requests, names }: RequestComparisonProps) {
  const t = useWords("requests");
  const amounts = useWords("amounts");
  const [onlyDifferences, setOnlyDifferences] = useState(true);
  const { may } = useAccess();
  const areKept = requests.every(({ contents }) => contents === "kept");
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Switch
          label={t("onlyDifferences")}
          checked={onlyDifferences}
          onChange={(event) => setOnlyDifferences(event.target.checked)}
        />
        {!may("contents:read") ? (
          <span className="text-meta text-muted">{t("onlyOwnersAndAdminsCan")}</span>
        ) : (
          !areKept && <span className="text-meta text-muted">{t("figuresOnlyWhatTheySaid")}</span>
        )}
      </div>
      <CompareTable
        label={t("requestsSideBySide")}
        heads={requests.map((request) => (
          <div key={request.id}>
            <Link
              href={`/requests/${request.id}`}
              className="font-mono text-meta text-accent hover:underline"
            >
              {shortenId(request.id)}
            </Link>
            <p className="font-mono font-medium wrap-anywhere">{request.model ?? request.route}</p>
            <p className="text-meta text-muted">
              <Time value={request.at} mode="absolute" />
            </p>
          </div>
        ))}
      >
        {areKept && may("contents:read") && (
          <ComparedContents requests={requests} onlyDifferences={onlyDifferences} />
        )}
        <CompareGroup name={t("figures")} columns={requests.length} />
        {figures
          .map(({ name, of }) => ({
            name: t(name),
            values: requests.map((request) => of(request, names, amounts)),
          }))
          .filter(({ values }) => values.some((value) => value !== null))
          .map(({ name, values }) => (
            <CompareRow key={name} name={name}>
              {values.map((value, column) => (
                <CompareCell key={requests[column]?.id}>
                  {value ?? <span className="text-muted">–</span>}
                </CompareCell>
              ))}
            </CompareRow>
          ))}
      </CompareTable>
    </>
  );
}

interface Figure {
  name:
    | "status"
    | "duration"
    | "firstToken"
    | "usage"
    | "output2"
    | "cost"
    | "alias"
    | "provider"
    | "region"
    | "failedTries"
    | "received"
    | "sent"
    | "by";
  /** Null: the request has no such figure. */
  of: (request: RequestDetail, names: Record<string, string>, amounts: Words<"amounts">) => ReactNode;
}

const figures: readonly Figure[] = [
  { name: "status", of: ({ status, code }) => (code ? `${status}, ${code}` : status) },
  { name: "duration", of: ({ duration_ms: ms }, _, { language }) => formatDuration(ms, language) },
  { name: "firstToken", of: ({ first_ms: ms }, _, { language }) => ms && formatDuration(ms, language) },
  { name: "usage", of: ({ usage }, _, amounts) => usage && usageLabel(amounts, usage) },
  {
    name: "output2",
    of: ({ tokens_out: tokens }, _, amounts) =>
      tokens && usageLabel(amounts, { quantity: tokens, unit: "token" }),
  },
  { name: "cost", of: ({ cost }) => cost && <Money {...cost} /> },
  { name: "alias", of: ({ alias }) => alias },
  { name: "provider", of: ({ provider }) => provider },
  { name: "region", of: ({ region }) => region },
  { name: "failedTries", of: ({ failed_tries: tries }) => tries.length || null },
  { name: "received", of: ({ bytes_in: bytes }) => bytes && formatBytes(bytes) },
  { name: "sent", of: ({ bytes_out: bytes }) => bytes && formatBytes(bytes) },
  { name: "by", of: (request, names) => <RequestCaller request={request} names={names} /> },
];
