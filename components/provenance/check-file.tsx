"use client";

import { useState } from "react";
import type { OutputCheck } from "#contract/outputs.ts";
import type { ReceiptCheck } from "#contract/receipts.ts";
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
        error: localFailure("offline", "The file could not be sent. Check your connection and try again."),
      }));
    setState(
      answer.ok
        ? { name: "checked", file: file.name, check: answer.data }
        : { name: "failed", file: file.name, failure: answer.error },
    );
  };

  if (!may("uploads:write"))
    return <p className="text-muted">Your role may not upload files, and checking a file uploads it.</p>;
  return (
    <>
      <DropAnywhere
        onFiles={(files) => void check(files)}
        texts={{
          rest: "Drop or paste a file anywhere on this page",
          over: "Drop to check",
          button: "Choose a file",
        }}
        also={{ accept: ".json", text: "Receipts, exactly as they were downloaded." }}
      />
      <div aria-live="polite" className="mb-4 empty:mb-0">
        {state.name === "checking" && <Progress value={null} label={`Checking ${state.file}`} />}
        {state.name === "failed" && <ErrorPanel error={state.failure} />}
        {state.name === "checked" && <Checked file={state.file} check={state.check} />}
      </div>
      <ProvenanceLimits />
      <p className="mt-2 max-w-[80ch] text-table text-muted">
        A file counts as made here if it has exactly the same bytes. The file is uploaded for the check and
        deleted afterwards. You must judge whether a label satisfies the law.
      </p>
    </>
  );
}

const states = {
  valid: {
    tone: "good",
    label: "Valid receipt",
    text: "This installation signed the receipt, and no byte was changed since.",
  },
  changed: {
    tone: "bad",
    label: "Changed receipt",
    text: "The file differs from the signed receipt. Even reformatting it is a change. Ask for the file exactly as it was downloaded.",
  },
  unknown_key: {
    tone: "warn",
    label: "Unknown key",
    text: "This installation did not sign the receipt. Check it with the public keys of the gateway that it names.",
  },
} as const satisfies Record<ReceiptCheck["state"], object>;

function Checked({ file, check }: { file: string; check: OutputCheck }) {
  const { made_here: made, provenance, receipt } = check;
  if (receipt) return <CheckedReceipt file={file} check={receipt} />;
  return (
    <>
      <Section title={<span className="wrap-anywhere">{file}</span>}>
        <ProvenanceFacts provenance={provenance} />
      </Section>
      <Section title={made ? "Made here" : "Not made here, as far as this gateway knows"}>
        {made ? (
          <Facts
            facts={[
              [
                "Model",
                <span key="model" className="font-mono text-meta">
                  {made.model}
                </span>,
              ],
              ["Made", <Time key="made" value={made.created_at} />],
              [
                "Run",
                <IdChip
                  key="run"
                  id={made.run_id}
                  href={made.prediction_id ? `/predictions/${made.prediction_id}` : undefined}
                />,
              ],
              ["File", made.file_removed ? "since removed from this gateway" : "still stored"],
            ]}
          />
        ) : (
          <p className="text-table text-muted">
            No run of this account stored a file with exactly these bytes, or the run was too long ago.
          </p>
        )}
      </Section>
    </>
  );
}

/** Whether a file is a receipt of this installation, and the facts that the receipt states. */
function CheckedReceipt({ file, check }: { file: string; check: ReceiptCheck }) {
  const { tone, label, text } = states[check.state];
  return (
    <Section title={<span className="wrap-anywhere">{file}</span>}>
      <p className="mb-3 flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{label}</Badge>
        <span>{text}</span>
      </p>
      {check.receipt && check.kid && <ReceiptFacts receipt={check.receipt} kid={check.kid} />}
    </Section>
  );
}
