"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import type { RequestDetail } from "#contract/usage.ts";
import { useAccess } from "@/components/team/access";
import { LinkButton } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { Skeleton } from "@/components/ui/page/skeleton";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { runHref } from "@/lib/playground-links";
import { queryKeys } from "@/lib/query-keys";

const ContentView = dynamic(() => import("./content-view.tsx").then((part) => part.ContentView), {
  ssr: false,
  loading: () => <Skeleton className="h-40" />,
});

/** What a call said, or why nothing can be read. Nothing for requests that ran no model. */
export function RequestContents({ request }: { request: RequestDetail }) {
  const { may } = useAccess();
  const { run_id: runId, contents } = request;
  if (runId === null || runId.startsWith("pred_")) return null;
  const reason = may("contents:read")
    ? whyNothing[contents ?? "off"]
    : contents === "kept" && "Only owners and admins can read it.";
  if (reason === false) return null;
  return (
    <Section title="What it said">
      {reason ? (
        <p className="text-table text-muted">
          {reason}{" "}
          {contents == null && (
            <Link href="/settings" className="text-accent underline underline-offset-2">
              Settings
            </Link>
          )}
        </p>
      ) : (
        <KeptContent runId={runId} />
      )}
    </Section>
  );
}

const whyNothing = {
  kept: "",
  declined: "Not kept: the caller asked for this (store: false, or x-svc-keep-contents: false).",
  key_left_out: "Not kept: this key is left out of what the account keeps.",
  off: "Not kept: this account did not keep contents of this call. An owner can turn that on:",
} as const;

function KeptContent({ runId }: { runId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.content(runId),
    queryFn: ({ signal }) => fetchRoute("GET /contents/{id}", { params: { id: runId }, signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const failure = failureBehind(error);
  if (failure) return <ErrorPanel error={failure} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-40" />;
  return (
    <div className="flex flex-col gap-3">
      <ContentView content={data} />
      {data.api_type === "chat-completions" && (
        <LinkButton
          className="self-start"
          href={runHref({ model: data.model, apiType: data.api_type, id: runId })}
        >
          Open in the playground
        </LinkButton>
      )}
    </div>
  );
}
