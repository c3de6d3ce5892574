"use client";

import { useState } from "react";
import type { Attempt } from "#contract/webhook.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { JsonView } from "@/components/ui/json-view";
import { Tabs } from "@/components/ui/tabs";
import { formatDuration } from "@/lib/format";
import { retentionIn } from "@/lib/retention";
import { attemptAsCurl, type TimingBar, timingBars } from "@/lib/webhooks/attempt-timeline";
import { betweenSentences } from "@/messages/marks";
import type { Key, Words } from "@/messages/words";

type DetailTab = "response" | "request" | "timings" | "curl";

interface AttemptDetailProps {
  attempt: Attempt;
  /** True when the reader needs an attestation to see the bodies. */
  isHidden?: boolean;
}

/** The request, the response, and the duration of each phase. */
export function AttemptDetail({ attempt, isHidden = false }: AttemptDetailProps) {
  const t = useWords("webhooks");
  const [tab, setTab] = useState<DetailTab>("response");
  return (
    <Tabs<DetailTab>
      label={t("attemptNumber", { number: String(attempt.number) })}
      value={tab}
      onChange={setTab}
      tabs={[
        {
          value: "response",
          label: t("response"),
          content: <ResponsePart attempt={attempt} isHidden={isHidden} />,
        },
        {
          value: "request",
          label: t("request"),
          content: <RequestPart attempt={attempt} isHidden={isHidden} />,
        },
        { value: "timings", label: t("timings"), content: <TimingChart attempt={attempt} /> },
        {
          value: "curl",
          label: t("asCurl"),
          content: (
            <div className="space-y-2">
              <p className="text-table text-muted">
                {t("theOriginalRequest")}
                {isHidden && ` ${t("itsBodyIsHiddenSo")}`}
              </p>
              <CodeBlock label={t("requestAsCurl")} language="shell" code={attemptAsCurl(attempt)} wrap />
            </div>
          ),
        },
      ]}
    />
  );
}

function ResponsePart({ attempt, isHidden = false }: AttemptDetailProps) {
  const t = useWords("webhooks");
  if (attempt.response_status === null) {
    return (
      <p className="text-base text-muted">
        {wasInterrupted(attempt) ? t("itIsUnknownWhetherThere") : t("noResponse")}
      </p>
    );
  }
  return (
    <div className="space-y-3">
      <HeaderTable label={t("responseHeaders")} headers={attempt.response_headers ?? {}} />
      <MessageBody
        label={t("responseBody")}
        body={attempt.response_body}
        empty={isHidden ? t("hiddenBody") : t("responseHadNoBody")}
        truncated={attempt.response_body_truncated}
      />
    </div>
  );
}

/** Whether the gateway ended while it sent, so that nobody knows how far the attempt came. */
function wasInterrupted({ error_code, request_headers }: AttemptDetailProps["attempt"]): boolean {
  return error_code === "interrupted" && request_headers === null;
}

/** An account that keeps little does not keep what was delivered. */
function removedBody(t: Words<"webhooks">, retentionMinutes: number | null): string {
  return retentionMinutes === null
    ? t("payload_purged")
    : t("contentRemovedEarly", retentionIn(retentionMinutes));
}

function RequestPart({ attempt, isHidden = false }: AttemptDetailProps) {
  const t = useWords("webhooks");
  const { retentionMinutes } = useAccess();
  return (
    <div className="space-y-3">
      <p className="font-mono text-table wrap-anywhere">
        {["POST", attempt.url].join(" ")}
        {attempt.remote_ip && <span className="text-muted"> → {attempt.remote_ip}</span>}
      </p>
      {attempt.request_headers === null ? (
        <p className="text-base text-muted">
          {wasInterrupted(attempt) ? t("itIsUnknownWhetherThis") : t("nothingWasSentBecauseThe")}
        </p>
      ) : (
        <HeaderTable label={t("requestHeaders")} headers={attempt.request_headers} />
      )}
      <MessageBody
        label={t("requestBody")}
        body={attempt.request_body}
        empty={isHidden ? t("hiddenBody") : removedBody(t, retentionMinutes)}
      />
    </div>
  );
}

/** HTTP headers, each value with a copy button. */
function HeaderTable({ label, headers }: { label: string; headers: Record<string, string> }) {
  const t = useWords("webhooks");
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <dl aria-label={label} className="rounded-panel border bg-sunken px-3 py-1.5 font-mono text-meta">
      {entries.map(([name, value]) => (
        <div key={name} className="flex min-w-0 flex-wrap items-center gap-x-2">
          <dt className="text-muted">{name}:</dt>
          <dd className="flex min-w-0 items-center gap-1 text-ink">
            <span className="min-w-0 wrap-anywhere">{value}</span>
            <CopyButton value={value} label={t("copyName", { name })} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const fills: Record<TimingBar["name"], string> = {
  DNS: "fill-(--waiting)",
  Connect: "fill-(--busy)",
  TLS: "fill-(--accent)",
  Wait: "fill-(--warn)",
  Body: "fill-(--good)",
};

const meanings = {
  DNS: "dnsPhase",
  Connect: "connectPhase",
  TLS: "tlsPhase",
  Wait: "waitPhase",
  Body: "bodyPhase",
} as const satisfies Record<TimingBar["name"], Key<"webhooks">>;

/** The phases of an attempt, one below the other on one axis. */
function TimingChart({ attempt }: { attempt: Attempt }) {
  const t = useWords("webhooks");
  const bars = timingBars(attempt.timings);
  const total = attempt.timings.total ?? attempt.duration_ms;
  return (
    <div className="max-w-2xl text-table">
      <dl className="space-y-1">
        {bars.map((bar) => (
          <div key={bar.name} className="grid grid-cols-[150px_minmax(0,1fr)_72px] items-center gap-3">
            <dt className="text-muted">{t(meanings[bar.name])}</dt>
            <dd aria-hidden className="rounded-[3px] bg-sunken">
              <svg
                viewBox="0 0 100 8"
                preserveAspectRatio="none"
                aria-hidden="true"
                className="block h-2 w-full"
              >
                <rect
                  x={bar.leftPercent}
                  width={Math.max(0.5, bar.widthPercent)}
                  height={8}
                  className={fills[bar.name]}
                />
              </svg>
            </dd>
            <dd className="tabular text-right">{formatDuration(bar.ms, t.language)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-muted">
        {total === null
          ? t("noTimingsWereSaved")
          : t("totalInTotalTheReceiver", { total: formatDuration(total, t.language) })}
        {attempt.remote_ip && (
          <>
            {betweenSentences(t.language)}
            {t.rich(
              "connectedTo",
              { address: attempt.remote_ip },
              {
                code: (content) => (
                  <code key="address" className="text-meta">
                    {content}
                  </code>
                ),
              },
            )}
          </>
        )}
      </p>
    </div>
  );
}

interface MessageBodyProps {
  label: string;
  body: string | null;
  /** Shown if there is no body. */
  empty: string;
  truncated?: boolean;
}

/** A body as a JSON tree with its exact text below, or as text. Never as markup. */
function MessageBody({ label, body, empty, truncated = false }: MessageBodyProps) {
  const t = useWords("webhooks");
  if (body === null || body === "") return <p className="text-base text-muted">{empty}</p>;
  const json = parsed(body);
  return (
    <div className="space-y-2">
      {truncated && <p className="text-table text-warn">{t("onlyTheBeginningOfThe")}</p>}
      {json === undefined ? (
        <CodeBlock label={label} language="text" code={body} wrap />
      ) : (
        <>
          <JsonView label={label} value={json} />
          <details className="text-table text-muted">
            <summary className="w-fit rounded-control">{t("originalText")}</summary>
            <div className="mt-2">
              <CodeBlock label={t("labelOriginalText", { label })} language="text" code={body} wrap />
            </div>
          </details>
        </>
      )}
    </div>
  );
}

/** The value of a JSON object or array in `body`. Undefined for any other text. */
function parsed(body: string): unknown {
  if (!/^\s*[[{]/.test(body)) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
