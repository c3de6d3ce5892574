"use client";

import { CircleAlert, CircleCheck, CircleDashed, type LucideIcon, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { InputField, TextareaField } from "@/components/ui/form/input-fields";
import { type VerifyCheck, type VerifyReport, verifyDelivery } from "@/lib/webhooks/verify";
import type { Key } from "@/messages/words";

const signatureHeader = "x-svc-signature";

/** Verifies one delivery by hand. Computed in this browser. Nothing is sent or stored. */
export function Verifier() {
  const t = useWords("webhooks");
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
        setReport(await verifyDelivery({ payload, header, secret, nowMs: Date.now() }, t));
      }}
    >
      <div className="space-y-3">
        <TextareaField
          label={t("requestBody")}
          hint={t("pasteTheUnmodifiedRawBody")}
          rows={6}
          value={payload}
          onValue={edit(setPayload)}
          mono
          look="text-table!"
        />
        <InputField
          label={signatureHeader}
          hint="t=…,v1=…"
          value={header}
          onValue={edit(setHeader)}
          mono
          look="text-table!"
        />
        <InputField
          label={t("signingSecret")}
          hint={t("theSecretStaysOnThis")}
          type="password"
          autoComplete="off"
          data-1p-ignore
          value={secret}
          onValue={edit(setSecret)}
          mono
          look="text-table!"
        />
        <Button type="submit" variant="primary" icon={<ShieldCheck size={16} aria-hidden />}>
          {t("checkSignature")}
        </Button>
      </div>
      <div role="status" className="min-w-0">
        {report ? (
          <VerifierReport report={report} />
        ) : (
          <p className="text-table text-muted">{t("theResultShowsWhetherThe")}</p>
        )}
      </div>
    </form>
  );
}

const looks: Record<VerifyCheck["state"], { icon: LucideIcon; tone: string; word: Key<"webhooks"> }> = {
  pass: { icon: CircleCheck, tone: "text-good", word: "checkPassed" },
  fail: { icon: CircleAlert, tone: "text-bad", word: "checkFailed" },
  skipped: { icon: CircleDashed, tone: "text-muted", word: "checkSkipped" },
};

const checkNames = {
  Header: "headerCheck",
  Timestamp: "timestampCheck",
  Signature: "signatureCheck",
} as const satisfies Record<VerifyCheck["name"], Key<"webhooks">>;

function VerifierReport({ report }: { report: VerifyReport }) {
  const t = useWords("webhooks");
  return (
    <div className="rounded-panel border bg-panel p-4">
      <p className="mb-2 text-title font-semibold">
        {report.valid ? t("aReceiverWouldAcceptThis") : t("aReceiverWouldRejectThis")}
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
  const t = useWords("webhooks");
  const { icon: Icon, tone, word } = looks[check.state];
  return (
    <li className="flex gap-2">
      <Icon size={16} aria-hidden className={`mt-0.5 shrink-0 ${tone}`} />
      <div className="min-w-0 text-base wrap-anywhere">
        <p>
          <span className="font-medium">{t(checkNames[check.name])}</span>{" "}
          <span className={tone}>{t.text(word)}</span>
        </p>
        <p className="text-ink">{check.text}</p>
        {check.fix && <p className="text-muted">{check.fix}</p>}
      </div>
    </li>
  );
}
