"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { useWords } from "#words";
import { Section } from "@/components/ui/page/section";
import { Tabs } from "@/components/ui/tabs";

const Verifier = dynamic(() => import("./verifier.tsx").then((module) => module.Verifier), { ssr: false });

type HelpTab = "code" | "verify";

/** How a receiver verifies a signature: `code` that runs, and a form to try one by hand. */
export function VerificationHelp({ code }: { code: ReactNode }) {
  const t = useWords("webhooks");
  const [tab, setTab] = useState<HelpTab>("code");
  // Loaded when first opened. From then on it keeps typed text.
  const [verifying, setVerifying] = useState(false);
  const choose = (next: HelpTab) => {
    setTab(next);
    if (next === "verify") setVerifying(true);
  };
  return (
    <Section title={t("verifySignatures")} description={t("anyoneCanSendRequestsTo")}>
      <Tabs<HelpTab>
        label={t("verificationHelp")}
        value={tab}
        onChange={choose}
        keepMounted
        tabs={[
          { value: "code", label: t("receiverCode"), content: code },
          { value: "verify", label: t("checkASignature"), content: verifying && <Verifier /> },
        ]}
      />
    </Section>
  );
}
