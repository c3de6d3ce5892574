"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Content } from "#contract/contents.ts";
import type { RequestDetail } from "#contract/usage.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { Button, LinkButton } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { Skeleton } from "@/components/ui/page/skeleton";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { runHref } from "@/lib/playground-links";
import { queryKeys } from "@/lib/query-keys";
import { keptInput } from "@/lib/requests/kept-input";

const ContentView = dynamic(() => import("./content-view.tsx").then((part) => part.ContentView), {
  ssr: false,
  loading: () => <Skeleton className="h-40" />,
});

const PresetsDialog = dynamic(
  () => import("@/components/presets/presets-dialog").then((module) => module.PresetsDialog),
  { ssr: false },
);

interface RequestContentsProps {
  request: RequestDetail;
  accountId: string;
  /** The gateway's public address, which ends with `/v1`. */
  baseUrl: string;
}

/** What a call said, or why nothing can be read. Nothing for requests that asked for no model. */
export function RequestContents({ request, accountId, baseUrl }: RequestContentsProps) {
  const t = useWords("requests");
  const { may } = useAccess();
  const { run_id: runId, contents } = request;
  if (runId?.startsWith("pred_")) return null;
  if (runId === null)
    return request.status >= 400 && (request.model ?? request.wanted_model) ? (
      <Section title={t("whatItSaid")}>
        <p className="text-table text-muted">{t("notKeptNoRun")}</p>
      </Section>
    ) : null;
  const reason = may("contents:read")
    ? contents !== "kept" && t(whyNothing[contents ?? "off"])
    : contents === "kept" && t("onlyOwnersCanRead");
  if (reason === false && !may("contents:read")) return null;
  return (
    <Section title={t("whatItSaid")}>
      {reason ? (
        <p className="text-table text-muted">
          {reason}{" "}
          {contents == null && (
            <Link href="/settings#contents" className="text-accent underline underline-offset-2">
              {t("settings")}
            </Link>
          )}
        </p>
      ) : (
        <KeptContent runId={runId} accountId={accountId} baseUrl={baseUrl} />
      )}
    </Section>
  );
}

const whyNothing = {
  declined: "notKeptDeclined",
  key_left_out: "notKeptKeyLeftOut",
  off: "notKeptOff",
} as const;

interface KeptContentProps extends Omit<RequestContentsProps, "request"> {
  runId: string;
}

function KeptContent({ runId, accountId, baseUrl }: KeptContentProps) {
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
      <ContentView content={data} baseUrl={baseUrl} />
      {data.api_type === "chat-completions" && <Again content={data} accountId={accountId} />}
    </div>
  );
}

/** Ways to run a kept chat again, and to keep its input. */
function Again({ content, accountId }: { content: Content; accountId: string }) {
  const t = useWords("requests");
  const ui = useWords("ui");
  const { id, model, api_type: apiType } = content;
  const { may } = useAccess();
  const [isKeeping, setKeeping] = useState(false);
  return (
    <div className="flex flex-wrap gap-2">
      {may("operations:run") && (
        <>
          <LinkButton href={runHref({ model, apiType, id })}>{t("openInThePlayground")}</LinkButton>
          <LinkButton href={`/compare?from=${id}`}>{t("runOnOtherModels")}</LinkButton>
        </>
      )}
      {may("presets:write") && <Button onClick={() => setKeeping(true)}>{t("keepAsPreset")}</Button>}
      {isKeeping && (
        <PresetsDialog
          open
          onClose={() => setKeeping(false)}
          {...{ model, apiType, accountId, input: keptInput(content, ui).input }}
        />
      )}
    </div>
  );
}
