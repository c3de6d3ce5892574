"use client";

import { useState } from "react";
import type { Attempt } from "#contract/webhook.ts";
import { useAccess } from "@/components/team/access";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { JsonView } from "@/components/ui/json-view";
import { Tabs } from "@/components/ui/tabs";
import { formatDuration } from "@/lib/format";
import { whyRemoved } from "@/lib/retention";
import { attemptAsCurl, type TimingBar, timingBars } from "@/lib/webhooks/attempt-timeline";

type DetailTab = "response" | "request" | "timings" | "curl";

interface AttemptDetailProps {
  attempt: Attempt;
  /** True when the reader needs an attestation to see the bodies. */
  isHidden?: boolean;
}

const hiddenBody =
  "This body is hidden because it may contain adult content or images of real people. Give the attestation that the model requires on the page Attestations.";

/** The request, the response, and the duration of each phase. */
export function AttemptDetail({ attempt, isHidden = false }: AttemptDetailProps) {
  const [tab, setTab] = useState<DetailTab>("response");
  return (
    <Tabs<DetailTab>
      label={`Attempt ${attempt.number}`}
      value={tab}
      onChange={setTab}
      tabs={[
        {
          value: "response",
          label: "Response",
          content: <ResponsePart attempt={attempt} isHidden={isHidden} />,
        },
        {
          value: "request",
          label: "Request",
          content: <RequestPart attempt={attempt} isHidden={isHidden} />,
        },
        { value: "timings", label: "Timings", content: <TimingChart attempt={attempt} /> },
        {
          value: "curl",
          label: "As curl",
          content: (
            <div className="space-y-2">
              <p className="text-table text-muted">
                The original request with its signature, but without the secret. Receivers reject this
                signature after 300 s.{isHidden && " Its body is hidden, so the command does not contain it."}
              </p>
              <CodeBlock label="Request as curl" language="shell" code={attemptAsCurl(attempt)} wrap />
            </div>
          ),
        },
      ]}
    />
  );
}

function ResponsePart({ attempt, isHidden = false }: AttemptDetailProps) {
  if (attempt.response_status === null) {
    const isKnown = attempt.request_headers !== null;
    return (
      <p className="text-base text-muted">
        {isKnown ? "No response." : "It is unknown whether there was a response."}
      </p>
    );
  }
  return (
    <div className="space-y-3">
      <HeaderTable label="Response headers" headers={attempt.response_headers ?? {}} />
      <MessageBody
        label="Response body"
        body={attempt.response_body}
        empty={isHidden ? hiddenBody : "The response had no body."}
        truncated={attempt.response_body_truncated}
      />
    </div>
  );
}

/** An account that keeps little does not keep what was delivered. */
function removedBody(retentionMinutes: number | null): string {
  return retentionMinutes === null
    ? "The event's content was removed after its retention time."
    : `The event's content was removed when it was delivered, or ${whyRemoved(retentionMinutes)}.`;
}

function RequestPart({ attempt, isHidden = false }: AttemptDetailProps) {
  const { retentionMinutes } = useAccess();
  return (
    <div className="space-y-3">
      <p className="font-mono text-table wrap-anywhere">
        POST {attempt.url}
        {attempt.remote_ip && <span className="text-muted"> → {attempt.remote_ip}</span>}
      </p>
      {attempt.request_headers === null ? (
        <p className="text-base text-muted">
          {attempt.error_code === "interrupted"
            ? "It is unknown whether this request was sent."
            : "Nothing was sent, because the attempt ended before there was a connection."}
        </p>
      ) : (
        <HeaderTable label="Request headers" headers={attempt.request_headers} />
      )}
      <MessageBody
        label="Request body"
        body={attempt.request_body}
        empty={isHidden ? hiddenBody : removedBody(retentionMinutes)}
      />
    </div>
  );
}

/** HTTP headers, each value with a copy button. */
function HeaderTable({ label, headers }: { label: string; headers: Record<string, string> }) {
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <dl aria-label={label} className="rounded-panel border bg-sunken px-3 py-1.5 font-mono text-meta">
      {entries.map(([name, value]) => (
        <div key={name} className="flex min-w-0 flex-wrap items-center gap-x-2">
          <dt className="text-muted">{name}:</dt>
          <dd className="flex min-w-0 items-center gap-1 text-ink">
            <span className="min-w-0 wrap-anywhere">{value}</span>
            <CopyButton value={value} label={`Copy ${name}`} />
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

const meanings: Record<TimingBar["name"], string> = {
  DNS: "DNS",
  Connect: "Connect",
  TLS: "TLS",
  Wait: "Waiting for response",
  Body: "Reading response",
};

/** The phases of an attempt, one below the other on one axis. */
function TimingChart({ attempt }: { attempt: Attempt }) {
  const bars = timingBars(attempt.timings);
  const total = attempt.timings.total ?? attempt.duration_ms;
  return (
    <div className="max-w-2xl text-table">
      <dl className="space-y-1">
        {bars.map((bar) => (
          <div key={bar.name} className="grid grid-cols-[150px_minmax(0,1fr)_72px] items-center gap-3">
            <dt className="text-muted">{meanings[bar.name]}</dt>
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
            <dd className="tabular text-right">{formatDuration(bar.ms)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-muted">
        {total === null
          ? "No timings were saved."
          : `${formatDuration(total)} in total. The receiver has 10 s from the moment the request was sent.`}
        {attempt.remote_ip && (
          <>
            {" "}
            Connected to <code className="text-meta">{attempt.remote_ip}</code>.
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
  if (body === null || body === "") return <p className="text-base text-muted">{empty}</p>;
  const json = parsed(body);
  return (
    <div className="space-y-2">
      {truncated && <p className="text-table text-warn">Only the beginning of the body was saved.</p>}
      {json === undefined ? (
        <CodeBlock label={label} language="text" code={body} wrap />
      ) : (
        <>
          <JsonView label={label} value={json} />
          <details className="text-table text-muted">
            <summary className="w-fit rounded-control">Original text</summary>
            <div className="mt-2">
              <CodeBlock label={`${label}, original text`} language="text" code={body} wrap />
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
