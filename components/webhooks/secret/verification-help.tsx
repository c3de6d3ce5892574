"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { Section } from "@/components/ui/page/section";
import { Tabs } from "@/components/ui/tabs";

const Verifier = dynamic(() => import("./verifier.tsx").then((module) => module.Verifier), { ssr: false });

type HelpTab = "code" | "verify";

/** How a receiver verifies a signature: `code` that runs, and a form to try one by hand. */
export function VerificationHelp({ code }: { code: ReactNode }) {
  const [tab, setTab] = useState<HelpTab>("code");
  // Loaded when first opened. From then on it keeps typed text.
  const [verifying, setVerifying] = useState(false);
  const choose = (next: HelpTab) => {
    setTab(next);
    if (next === "verify") setVerifying(true);
  };
  return (
    <Section
      title="Verify signatures"
      description="Anyone can send requests to your URL. Check the x-svc-signature header to make sure that an event comes from this gateway."
    >
      <Tabs<HelpTab>
        label="Verification help"
        value={tab}
        onChange={choose}
        keepMounted
        tabs={[
          { value: "code", label: "Receiver code", content: code },
          { value: "verify", label: "Check a signature", content: verifying && <Verifier /> },
        ]}
      />
    </Section>
  );
}
