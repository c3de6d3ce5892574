"use client";

import { useState } from "react";
import type { InvitationAccept, InvitationPreview, InvitationState } from "#contract/invitations.ts";
import { ErrorPanel } from "@/components/ui/error-panel";
import type { ActionResult, GatewayResult } from "@/lib/gateway/result";
import type { SessionView } from "@/lib/session-view";
import { roleLabels, roleMeanings } from "@/lib/team/roles";
import { JoinChoice } from "./join-choice.tsx";
import { JoinWithProvider } from "./join-with-provider.tsx";
import { LinkProblem } from "./link-problem.tsx";
import { SignedInAsAnother } from "./signed-in-as-another.tsx";
import { useLinkPreview } from "./use-link-preview.ts";

interface InviteViewProps {
  /** The session of this browser. */
  session: SessionView | null;
  look: (token: string) => ActionResult<InvitationPreview>;
  /** `leaving` is the person whose session ends by it. */
  joinAsNew: (body: InvitationAccept, leaving: string | null) => Promise<GatewayResult<string>>;
  joinAsSignedIn: (token: string) => Promise<GatewayResult<string>>;
  /** Null where people do not sign in with one. */
  providerName: string | null;
  joinWithProvider: (token: string) => Promise<GatewayResult<string>>;
}

const problems: Record<Exclude<InvitationState, "open">, { title: string; advice: string }> = {
  accepted: {
    title: "This invitation was accepted",
    advice: "The link works once. If you accepted it, sign in; if not, tell the person who invited you.",
  },
  expired: {
    title: "This invitation has expired",
    advice: "Ask the person who invited you for a new link.",
  },
  revoked: {
    title: "This invitation was revoked",
    advice: "Ask the person who invited you for a new link.",
  },
  replaced: {
    title: "This invitation was replaced",
    advice: "There is a newer one for the same address. Use its link.",
  },
};

/** What a link invites to, and the way to accept it. */
export function InviteView(props: InviteViewProps) {
  const { session, look, joinAsNew, joinAsSignedIn, providerName, joinWithProvider } = props;
  const link = useLinkPreview(look);
  const [leaves, setLeaves] = useState(false);
  if (link.state === "loading") return <p className="text-muted">Loading the invitation…</p>;
  if (link.state === "none")
    return (
      <LinkProblem title="This link is incomplete">
        Copy the whole link, including the part after the #.
      </LinkProblem>
    );
  if (link.state === "failed")
    return link.error.code === "invitation_not_found" ? (
      <LinkProblem title="This link is not valid">{link.error.message}</LinkProblem>
    ) : link.error.code === "invitation_expired" ? (
      <LinkProblem title="This link was replaced">{link.error.message}</LinkProblem>
    ) : (
      <ErrorPanel error={link.error} onRetry={link.retry} />
    );
  const { token, preview } = link;
  const isAnother = session !== null && session.email !== preview.email;
  if (preview.state !== "open") {
    const { title, advice } = problems[preview.state];
    return <LinkProblem title={title}>{advice}</LinkProblem>;
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="wrap-anywhere">
        {preview.invited_by ?? "Somebody"} invited <b>{preview.email}</b> to join the account{" "}
        <b>{preview.account_name}</b>. Your role will be {roleLabels[preview.role].toLowerCase()}.{" "}
        <span className="text-muted">{roleMeanings[preview.role]}</span>
      </p>
      {isAnother && !leaves ? (
        <SignedInAsAnother session={session} email={preview.email} onContinue={() => setLeaves(true)} />
      ) : (
        <>
          {providerName && (
            <JoinWithProvider
              name={providerName}
              email={preview.email}
              leave={() => joinWithProvider(token)}
            />
          )}
          <JoinChoice
            preview={preview}
            isSignedIn={session !== null && !isAnother}
            joinAsNew={(person) => joinAsNew({ token, ...person }, session?.person ?? null)}
            joinAsSignedIn={() => joinAsSignedIn(token)}
          />
        </>
      )}
    </div>
  );
}
