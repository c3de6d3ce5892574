"use client";

import { useState } from "react";
import type { EmailChanged, EmailChangePreview } from "#contract/accounts/credentials.ts";
import { Button, LinkButton } from "@/components/ui/button";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult } from "@/lib/gateway/result";
import { LinkProblem, useLinkPreview } from "./use-link-preview.tsx";

interface EmailViewProps {
  look: (token: string) => ActionResult<EmailChangePreview>;
  confirm: (token: string) => ActionResult<EmailChanged>;
}

/**
 * Confirms a new address through the link sent to it. A click is required, because some mail programs open
 * links automatically.
 */
export function EmailView({ look, confirm }: EmailViewProps) {
  const link = useLinkPreview(look);
  const [done, setDone] = useState<EmailChanged | null>(null);
  const { busy, failure, send } = useSend();
  if (done)
    return (
      <div role="status" className="flex flex-col items-start gap-3">
        <h2 className="text-title font-semibold">Address changed</h2>
        <p className="text-muted wrap-anywhere">From now on, sign in as {done.email}.</p>
        <LinkButton variant="primary" href="/settings/profile">
          Go to your profile
        </LinkButton>
      </div>
    );
  if (link.state === "loading") return <p className="text-muted">Loading the link…</p>;
  if (link.state === "none")
    return (
      <LinkProblem title="This link is incomplete">
        Copy the whole link, including the part after the #.
      </LinkProblem>
    );
  if (link.state === "failed")
    return link.error.code === "email_change_not_found" ? (
      <LinkProblem title="This link is not valid">{link.error.message}</LinkProblem>
    ) : (
      <ErrorPanel error={link.error} onRetry={link.retry} />
    );
  const { token, preview } = link;
  if (preview.state === "used")
    return <LinkProblem title="This link was already used">The address was already changed.</LinkProblem>;
  if (preview.state === "expired")
    return (
      <LinkProblem title="This link has expired">
        A link works for a day, and a newer link replaces it. Start again in your profile.
      </LinkProblem>
    );
  return (
    <div className="flex flex-col items-start gap-4">
      <p className="wrap-anywhere">
        From now on, you will sign in as <b>{preview.email}</b> instead of {preview.from}.
      </p>
      {failure && <ErrorPanel error={failure} />}
      <Button
        variant="primary"
        busy={busy}
        onClick={async () => {
          const answer = await send(() => answerOf(confirm(token)));
          if (answer.ok) setDone(answer.data);
        }}
      >
        Change address
      </Button>
    </div>
  );
}
