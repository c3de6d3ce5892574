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
import { useToast } from "@/components/ui/toast";
import { copyText } from "@/lib/browser/copy-text";
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
  if (reason === false) return <KeptContent {...{ request, runId, accountId, baseUrl }} />;
  return (
    <Section title={t("whatItSaid")}>
      <p className="text-table text-muted">
        {reason}{" "}
        {contents == null && (
          <Link href="/settings#contents" className="text-accent underline underline-offset-2">
            {t("settings")}
          </Link>
        )}
      </p>
    </Section>
  );
}

const whyNothing = {
  declined: "notKeptDeclined",
  key_left_out: "notKeptKeyLeftOut",
  off: "notKeptOff",
} as const;

interface KeptContentProps extends RequestContentsProps {
  runId: string;
}

function KeptContent({ request, runId, accountId, baseUrl }: KeptContentProps) {
  const t = useWords("requests");
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.content(runId),
    queryFn: ({ signal }) => fetchRoute("GET /contents/{id}", { params: { id: runId }, signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const failure = failureBehind(error);
  // The page already says why a request failed.
  const shown = data && request.status >= 400 ? { ...data, error: null, cut: false } : data;
  return (
    <Section title={t("whatItSaid")}>
      {data?.api_type === "chat-completions" && <Again {...{ content: data, accountId, baseUrl }} />}
      {failure ? (
        <ErrorPanel error={failure} onRetry={() => void refetch()} />
      ) : shown ? (
        <ContentView content={shown} baseUrl={baseUrl} />
      ) : (
        <Skeleton className="h-40" />
      )}
    </Section>
  );
}

interface AgainProps extends Pick<RequestContentsProps, "accountId" | "baseUrl"> {
  content: Content;
}

/** Ways to run a kept chat again, and to keep its input. */
function Again({ content, accountId, baseUrl }: AgainProps) {
  const t = useWords("requests");
  const ui = useWords("ui");
  const { id, model, api_type: apiType } = content;
  const { may } = useAccess();
  const [isKeeping, setKeeping] = useState(false);
  const { toast } = useToast();
  const copy = async () => {
    const { curlSnippet } = await import("@/lib/schema-form/snippets/snippets");
    const operation = { api_type: apiType, execution_mode: "sync" } as const;
    const { input } = keptInput(content, ui);
    await copyText(curlSnippet({ operation, body: { model, ...input }, baseUrl })).then(
      () => toast({ title: ui("copied") }),
      () => toast({ title: ui("copyRefused"), tone: "bad" }),
    );
  };
  return (
    <div className="mb-3 flex flex-wrap gap-2">
      {may("operations:run") && (
        <>
          <LinkButton size="sm" variant="primary" href={runHref({ model, apiType, id })}>
            {t("openInThePlayground")}
          </LinkButton>
          <LinkButton size="sm" href={`/compare?from=${id}`}>
            {t("runOnOtherModels")}
          </LinkButton>
        </>
      )}
      <Button size="sm" onClick={() => void copy()}>
        {t("copyAsCurl")}
      </Button>
      {may("presets:write") && (
        <Button size="sm" onClick={() => setKeeping(true)}>
          {t("keepAsPreset")}
        </Button>
      )}
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
