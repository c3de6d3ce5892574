"use client";

import { useState } from "react";
import type { InvitationAccept, InvitationPreview } from "#contract/invitations.ts";
import { Tabs } from "@/components/ui/tabs";
import type { GatewayResult } from "@/lib/gateway/result";
import { JoinAsKnown } from "./join-as-known.tsx";
import { JoinAsNew } from "./join-as-new.tsx";

interface JoinChoiceProps {
  preview: InvitationPreview;
  isSignedIn: boolean;
  joinAsNew: (person: Pick<InvitationAccept, "name" | "password">) => Promise<GatewayResult<string>>;
  joinAsSignedIn: () => Promise<GatewayResult<string>>;
}

/** Both ways to join: only the person knows whether they sign in here already, and a link tells nobody. */
export function JoinChoice({ preview, isSignedIn, joinAsNew, joinAsSignedIn }: JoinChoiceProps) {
  const [way, setWay] = useState<"new" | "known">("new");
  const { email, account_name: accountName } = preview;
  const known = (
    <JoinAsKnown email={email} accountName={accountName} isSignedIn={isSignedIn} join={joinAsSignedIn} />
  );
  if (isSignedIn) return known;
  return (
    <Tabs
      label="How to join"
      value={way}
      onChange={setWay}
      tabs={[
        { value: "new", label: "I am new here", content: <JoinAsNew email={email} join={joinAsNew} /> },
        { value: "known", label: "I sign in here already", content: known },
      ]}
    />
  );
}
