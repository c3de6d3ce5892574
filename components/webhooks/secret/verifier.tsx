"use client";

import { CircleAlert, CircleCheck, CircleDashed, type LucideIcon, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { InputField, TextareaField } from "@/components/ui/form/input-fields";
import { type VerifyCheck, type VerifyReport, verifyDelivery } from "@/lib/webhooks/verify";

/** Verifies one delivery by hand. Computed in this browser. Nothing is sent or stored. */
export function Verifier() {
  const [payload, setPayload] = useState("");
  const [header, setHeader] = useState("");
  const [secret, setSecret] = useState("");
  const [report, setReport] = useState<VerifyReport | null>(null);

  /** Editing clears the report, which is for the old values. */
  const edit = (set: (value: string) => void) => (value: string) => {
    set(value);
    setReport(null);
  };

  return (
    <form
      method="post"
      className="grid gap-4 desktop:grid-cols-2"
      autoComplete="off"
      onSubmit={async (event) => {
        event.preventDefault();
        setReport(await verifyDelivery({ payload, header, secret, nowMs: Date.now() }));
      }}
    >
      <div className="space-y-3">
        <TextareaField
          label="Request body"
          hint="Paste the unmodified raw body."
          rows={6}
          value={payload}
          onValue={edit(setPayload)}
          mono
          look="text-table!"
        />
        <InputField
          label="x-svc-signature"
          hint="t=…,v1=…"
          value={header}
          onValue={edit(setHeader)}
          mono
          look="text-table!"
        />
        <InputField
          label="Signing secret"
          hint="The secret stays on this page. It is not sent or stored."
          type="password"
          autoComplete="off"
          data-1p-ignore
          value={secret}
          onValue={edit(setSecret)}
          mono
          look="text-table!"
        />
        <Button type="submit" variant="primary" icon={<ShieldCheck size={16} aria-hidden />}>
          Check signature
        </Button>
      </div>
      <div role="status" className="min-w-0">
        {report ? (
          <VerifierReport report={report} />
        ) : (
          <p className="text-table text-muted">
            The result shows whether the header, timestamp and signature are valid, and how to fix any
            problem.
          </p>
        )}
      </div>
    </form>
  );
}

const looks: Record<VerifyCheck["state"], { icon: LucideIcon; tone: string; word: string }> = {
  pass: { icon: CircleCheck, tone: "text-good", word: "valid" },
  fail: { icon: CircleAlert, tone: "text-bad", word: "invalid" },
  skipped: { icon: CircleDashed, tone: "text-muted", word: "not checked" },
};

function VerifierReport({ report }: { report: VerifyReport }) {
  return (
    <div className="rounded-panel border bg-panel p-4">
      <p className="mb-2 text-title font-semibold">
        {report.valid ? "A receiver would accept this request" : "A receiver would reject this request"}
      </p>
      <ol className="space-y-3">
        {report.checks.map((check) => (
          <CheckLine key={check.name} check={check} />
        ))}
      </ol>
      {report.notes.map((note) => (
        <p key={note} className="mt-3 text-table text-warn">
          {note}
        </p>
      ))}
    </div>
  );
}

function CheckLine({ check }: { check: VerifyCheck }) {
  const { icon: Icon, tone, word } = looks[check.state];
  return (
    <li className="flex gap-2">
      <Icon size={16} aria-hidden className={`mt-0.5 shrink-0 ${tone}`} />
      <div className="min-w-0 text-base wrap-anywhere">
        <p>
          <span className="font-medium">{check.name}</span> <span className={tone}>{word}</span>
        </p>
        <p className="text-ink">{check.text}</p>
        {check.fix && <p className="text-muted">{check.fix}</p>}
      </div>
    </li>
  );
}
