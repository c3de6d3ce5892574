"use client";

import { useState } from "react";
import type { Attempt } from "#contract/webhook.ts";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { Tabs } from "@/components/ui/tabs";
import { attemptAsCurl } from "@/lib/webhooks/attempt-curl";
import { MessageBody } from "./message-body.tsx";
import { TimingChart } from "./timing-chart.tsx";

type DetailTab = "response" | "request" | "timings" | "curl";

interface AttemptDetailProps {
  attempt: Attempt;
  /** The reader lacks an attestation to see the bodies. */
  isHidden?: boolean;
}

const hiddenBody =
  "Hidden: it may have what a model made for adults or of real people. Confirm what the model requires under Attestations.";

/** What was sent, what came back and how long each phase took. */
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
                signature after 300 s.{isHidden && " Its body is hidden, so it is left out here."}
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

function RequestPart({ attempt, isHidden = false }: AttemptDetailProps) {
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
            : "Nothing was sent: the attempt ended before there was a connection."}
        </p>
      ) : (
        <HeaderTable label="Request headers" headers={attempt.request_headers} />
      )}
      <MessageBody
        label="Request body"
        body={attempt.request_body}
        empty={isHidden ? hiddenBody : "The event's content was removed after its retention time."}
      />
    </div>
  );
}

/** HTTP headers, each value to copy. */
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
