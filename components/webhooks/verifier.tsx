"use client";

import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input, Textarea } from "@/components/ui/input";
import { type VerifyReport, verifyDelivery } from "@/lib/webhooks/verify";
import { VerifierReport } from "./verifier-report.tsx";

/** Checks one delivery by hand. All of it is computed in this browser; nothing is sent or kept. */
export function Verifier() {
  const [payload, setPayload] = useState("");
  const [header, setHeader] = useState("");
  const [secret, setSecret] = useState("");
  const [report, setReport] = useState<VerifyReport | null>(null);

  /** A report speaks of what was typed when it was made. */
  const edit = (set: (value: string) => void) => (event: { currentTarget: { value: string } }) => {
    set(event.currentTarget.value);
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
        <Field label="Request body" hint="The unmodified raw body.">
          {(aria) => (
            <Textarea
              {...aria}
              rows={6}
              spellCheck={false}
              value={payload}
              onChange={edit(setPayload)}
              className="font-mono text-table!"
            />
          )}
        </Field>
        <Field label="x-svc-signature" hint="t=…,v1=…">
          {(aria) => (
            <Input
              {...aria}
              spellCheck={false}
              value={header}
              onChange={edit(setHeader)}
              className="font-mono text-table!"
            />
          )}
        </Field>
        <Field label="Signing secret" hint="Stays on this page. It is not sent or stored.">
          {(aria) => (
            <Input
              {...aria}
              type="password"
              autoComplete="off"
              data-1p-ignore
              value={secret}
              onChange={edit(setSecret)}
              className="font-mono text-table!"
            />
          )}
        </Field>
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
