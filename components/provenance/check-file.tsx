"use client";

import { useState } from "react";
import type { OutputCheck } from "#contract/outputs.ts";
import type { ReceiptCheck } from "#contract/receipts.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { Badge } from "@/components/ui/badge";
import { Facts } from "@/components/ui/facts";
import { IdChip } from "@/components/ui/id-chip";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { Progress } from "@/components/ui/progress";
import { Time } from "@/components/ui/time";
import { DropAnywhere } from "@/components/uploads/drop-anywhere";
import { type GatewayFailure, localFailure } from "@/lib/gateway/result";
import { ProvenanceFacts, ProvenanceLimits } from "./provenance-facts.tsx";
import { ReceiptFacts } from "./receipt-facts.tsx";

type State =
  | { name: "empty" }
  | { name: "checking"; file: string }
  | { name: "checked"; file: string; check: OutputCheck }
  | { name: "failed"; file: string; failure: GatewayFailure };

/** Checks a file's stated origin, and whether this account made the file. */
export function CheckFile() {
  const t = useWords("provenance");
  const [state, setState] = useState<State>({ name: "empty" });
  const { may } = useAccess();

  const check = async ([file]: File[]) => {
    if (!file) return;
    setState({ name: "checking", file: file.name });
    // The code for the check is loaded with the first file.
    const answer = await import("./send-check.ts")
      .then(({ sendCheck }) => sendCheck(file))
      .catch(() => ({
        ok: false as const,
        error: localFailure("offline", t("theFileCouldNotBeSent")),
      }));
    setState(
      answer.ok
        ? { name: "checked", file: file.name, check: answer.data }
        : { name: "failed", file: file.name, failure: answer.error },
    );
  };

  if (!may("uploads:write")) return <p className="text-muted">{t("yourRoleMayNotUpload")}</p>;
  return (
    <>
      <DropAnywhere
        onFiles={(files) => void check(files)}
        texts={{
          rest: t("dropOrPasteAFile"),
          over: t("dropToCheck"),
          button: t("chooseAFile"),
        }}
        also={{ accept: ".json", text: t("receiptsExactlyAsTheyWere") }}
      />
      <div aria-live="polite" className="mb-4 empty:mb-0">
        {state.name === "checking" && (
          <Progress value={null} label={t("checkingFile", { file: state.file })} />
        )}
        {state.name === "failed" && <ErrorPanel error={state.failure} />}
        {state.name === "checked" && <Checked file={state.file} check={state.check} />}
      </div>
      <ProvenanceLimits />
      <p className="mt-2 max-w-[80ch] text-table text-muted">{t("aFileCountsAsMade")}</p>
    </>
  );
}

const states = {
  valid: {
    tone: "good",
    label: "validReceipt",
    text: "thisInstallationSigned",
  },
  changed: {
    tone: "bad",
    label: "changedReceipt",
    text: "theFileDiffers",
  },
  unknown_key: {
    tone: "warn",
    label: "unknownKey",
    text: "thisInstallationDidNotSign",
  },
} as const satisfies Record<ReceiptCheck["state"], object>;

function Checked({ file, check }: { file: string; check: OutputCheck }) {
  const t = useWords("provenance");
  const { made_here: made, provenance, receipt } = check;
  if (receipt) return <CheckedReceipt file={file} check={receipt} />;
  return (
    <>
      <Section title={<span className="wrap-anywhere">{file}</span>}>
        <ProvenanceFacts provenance={provenance} />
      </Section>
      <Section title={made ? t("madeHere") : t("notMadeHereAsFar")}>
        {made ? (
          <Facts
            facts={[
              [
                t("model"),
                <span key="model" className="font-mono text-meta">
                  {made.model}
                </span>,
              ],
              [t("made"), <Time key="made" value={made.created_at} />],
              [
                t("run"),
                <IdChip
                  key="run"
                  id={made.run_id}
                  href={made.prediction_id ? `/predictions/${made.prediction_id}` : undefined}
                />,
              ],
              [t("file"), made.file_removed ? t("sinceRemoved") : t("stillStored")],
            ]}
          />
        ) : (
          <p className="text-table text-muted">{t("noRunOfThisAccount")}</p>
        )}
      </Section>
    </>
  );
}

/** Whether a file is a receipt of this installation, and the facts that the receipt states. */
function CheckedReceipt({ file, check }: { file: string; check: ReceiptCheck }) {
  const t = useWords("provenance");
  const { tone, label, text } = states[check.state];
  return (
    <Section title={<span className="wrap-anywhere">{file}</span>}>
      <p className="mb-3 flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{t(label)}</Badge>
        <span>{t(text)}</span>
      </p>
      {check.receipt && check.kid && <ReceiptFacts receipt={check.receipt} kid={check.kid} />}
    </Section>
  );
}
