"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { Section } from "@/components/ui/section";
import { Tabs } from "@/components/ui/tabs";
import { verifySnippets } from "@/lib/webhooks/verify-snippets";

const Verifier = dynamic(() => import("./verifier.tsx").then((module) => module.Verifier), { ssr: false });

type HelpTab = "code" | "verify";

/** How a receiver checks a signature: code that runs, and a place to try one by hand. */
export function VerificationHelp() {
  const [tab, setTab] = useState<HelpTab>("code");
  // Fetched when it is first looked at; from then on it keeps what was typed.
  const [verifying, setVerifying] = useState(false);
  const choose = (next: HelpTab) => {
    setTab(next);
    if (next === "verify") setVerifying(true);
  };
  return (
    <Section
      title="Verify what arrives"
      description="Anyone can post to your URL. Only the signature in x-svc-signature proves that it was us."
    >
      <Tabs<HelpTab>
        label="Verification help"
        value={tab}
        onChange={choose}
        keepMounted
        tabs={[
          { value: "code", label: "Receiver code", content: <ReceiverCode /> },
          { value: "verify", label: "Check a signature", content: verifying && <Verifier /> },
        ]}
      />
    </Section>
  );
}

function ReceiverCode() {
  return (
    <div className="space-y-3">
      <ul className="list-disc space-y-0.5 pl-5 text-base text-muted">
        <li>Verify the raw bytes of the body: parsed and printed again they are others.</li>
        <li>Refuse timestamps older than 300 s, and compare in constant time.</li>
        <li>Deliveries come at least once: skip an event id that you have handled.</li>
        <li>Answer 2xx within 10 s and do the work afterwards.</li>
      </ul>
      <ReceiverCommands />
      <CodeBlock
        label="Receiver code"
        tabs={verifySnippets.map((snippet) => ({
          label: snippet.label,
          language: snippet.id,
          code: snippet.code,
        }))}
      />
    </div>
  );
}

/** How each of them is started. */
function ReceiverCommands() {
  return (
    <details className="text-table text-muted">
      <summary className="w-fit rounded-control">How to start them</summary>
      <ul className="mt-1 space-y-1">
        {verifySnippets.map((snippet) => (
          <li key={snippet.id} className="wrap-anywhere">
            {snippet.label}, as <code>{snippet.fileName}</code>:{" "}
            <code className="text-ink">{snippet.run}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
