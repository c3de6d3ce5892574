"use client";

import { useState } from "react";
import type { EmailChanged, EmailChangePreview } from "#contract/accounts/credentials.ts";
import { Button, LinkButton } from "@/components/ui/button";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { useWords } from "@/components/words/use-words";
import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult } from "@/lib/gateway/result";
import { bold, LinkProblem, useLinkPreview } from "./use-link-preview.tsx";

interface EmailViewProps {
  look: (token: string) => ActionResult<EmailChangePreview>;
  confirm: (token: string) => ActionResult<EmailChanged>;
}

/**
 * Confirms a new address through the link sent to it. A click is required, because some mail programs open
 * links automatically.
 */
export function EmailView({ look, confirm }: EmailViewProps) {
  const t = useWords("links");
  const link = useLinkPreview(look);
  const [done, setDone] = useState<EmailChanged | null>(null);
  const { busy, failure, send } = useSend();
  if (done)
    return (
      <div role="status" className="flex flex-col items-start gap-3">
        <h2 className="text-title font-semibold">{t("addressChanged")}</h2>
        <p className="text-muted wrap-anywhere">{t("addressChangedNext", { email: done.email })}</p>
        <LinkButton variant="primary" href="/settings/profile">
          {t("toProfile")}
        </LinkButton>
      </div>
    );
  if (link.state === "loading") return <p className="text-muted">{t("loading")}</p>;
  if (link.state === "none")
    return <LinkProblem title={t("incomplete")}>{t("incompleteAdvice")}</LinkProblem>;
  if (link.state === "failed")
    return link.error.code === "email_change_not_found" ? (
      <LinkProblem title={t("notValid")}>{t("notValidAdvice")}</LinkProblem>
    ) : (
      <ErrorPanel error={link.error} onRetry={link.retry} />
    );
  const { token, preview } = link;
  if (preview.state === "used") return <LinkProblem title={t("used")}>{t("usedForEmail")}</LinkProblem>;
  if (preview.state === "expired")
    return <LinkProblem title={t("expired")}>{t("expiredForEmail")}</LinkProblem>;
  return (
    <div className="flex flex-col items-start gap-4">
      <p className="wrap-anywhere">
        {t.rich("emailMeans", { email: preview.email, from: preview.from ?? "" }, { b: bold })}
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
        {t("changeAddress")}
      </Button>
    </div>
  );
}
