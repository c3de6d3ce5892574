"use client";

import { type FormEvent, useState } from "react";
import { personFields } from "#contract/accounts/constants.ts";
import type { PasswordForgottenTaken } from "#contract/accounts/credentials.ts";
import { LinkButton } from "@/components/ui/button";
import { InputField } from "@/components/ui/form/input-fields";
import { SubmitButton } from "@/components/ui/form/submit-button";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { useWords } from "@/components/words/use-words";
import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult } from "@/lib/gateway/result";

/**
 * Requests a link for a new password. The answer is the same for every address, so that it does not reveal
 * who has an account.
 */
export function ForgotForm({ ask }: { ask: (email: string) => ActionResult<PasswordForgottenTaken> }) {
  const t = useWords("links");
  const fields = useWords("fields");
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | undefined>();
  const { busy, failure, send } = useSend();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get("email")).trim();
    setProblem(email.includes("@") ? undefined : fields("enterEmail"));
    if (!email.includes("@")) return;
    const answer = await send(() => answerOf(ask(email)));
    if (answer.ok) setSentTo(email);
  };
  if (sentTo !== null)
    return (
      <div role="status" className="flex flex-col items-start gap-3">
        <h2 className="text-title font-semibold">{t("checkMailbox")}</h2>
        <p className="text-muted wrap-anywhere">{t("linkOnItsWay", { email: sentTo })}</p>
        <LinkButton href="/sign-in">{t("backToSignIn")}</LinkButton>
      </div>
    );
  return (
    <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
      {failure && <ErrorPanel error={failure} />}
      <InputField
        label={fields("email")}
        rule={personFields.email}
        error={problem}
        name="email"
        type="email"
        autoComplete="username"
      />
      <div className="flex flex-wrap gap-2">
        <SubmitButton busy={busy}>{t("sendLink")}</SubmitButton>
        <LinkButton href="/sign-in">{fields("back")}</LinkButton>
      </div>
    </form>
  );
}
