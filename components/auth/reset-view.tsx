"use client";

import { useState } from "react";
import { useForm } from "react-hook-form";
import type {
  PasswordResetAccept,
  PasswordResetDone,
  PasswordResetPreview,
} from "#contract/accounts/credentials.ts";
import { Button, LinkButton } from "@/components/ui/button";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { useWords } from "@/components/words/use-words";
import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult } from "@/lib/gateway/result";
import { NewPasswordField, newPasswordRule } from "./new-password-field.tsx";
import { bold, LinkProblem, useLinkPreview } from "./use-link-preview.tsx";

interface ResetViewProps {
  look: (token: string) => ActionResult<PasswordResetPreview>;
  setPassword: (body: PasswordResetAccept) => ActionResult<PasswordResetDone>;
}

/** Sets a new password through a one-time link. */
export function ResetView({ look, setPassword }: ResetViewProps) {
  const t = useWords("links");
  const link = useLinkPreview(look);
  const [done, setDone] = useState<PasswordResetDone | null>(null);
  if (done)
    return (
      <div role="status" className="flex flex-col items-start gap-3">
        <h2 className="text-title font-semibold">{t("passwordSet")}</h2>
        <p className="text-muted wrap-anywhere">
          {t("passwordSetNext", { email: done.email, count: done.sessions_ended })}
        </p>
        <LinkButton variant="primary" href="/sign-in">
          {t("toSignIn")}
        </LinkButton>
      </div>
    );
  if (link.state === "loading") return <p className="text-muted">{t("loading")}</p>;
  if (link.state === "none")
    return <LinkProblem title={t("incomplete")}>{t("incompleteAdvice")}</LinkProblem>;
  if (link.state === "failed")
    return link.error.code === "reset_not_found" ? (
      <LinkProblem title={t("notValid")}>{t("notValidAdvice")}</LinkProblem>
    ) : (
      <ErrorPanel error={link.error} onRetry={link.retry} />
    );
  const { token, preview } = link;
  if (preview.state === "used") return <LinkProblem title={t("used")}>{t("usedForPassword")}</LinkProblem>;
  if (preview.state === "expired")
    return <LinkProblem title={t("expired")}>{t("expiredForPassword")}</LinkProblem>;
  return (
    <div className="flex flex-col gap-4">
      <p className="wrap-anywhere">
        {t.rich("resetMeans", { name: preview.name, email: preview.email }, { b: bold })}
      </p>
      <ResetForm
        email={preview.email}
        name={preview.name}
        submit={(password) => answerOf(setPassword({ token, password }))}
        onDone={setDone}
      />
    </div>
  );
}

interface ResetFormProps {
  email: string;
  name: string;
  submit: (password: string) => ReturnType<typeof answerOf<PasswordResetDone>>;
  onDone: (done: PasswordResetDone) => void;
}

function ResetForm({ email, name, submit, onDone }: ResetFormProps) {
  const t = useWords("links");
  const fields = useWords("fields");
  const { register, handleSubmit, setError, formState } = useForm<{ password: string }>();
  const { failure, send: ask } = useSend({ names: ["password"], setError });

  const send = handleSubmit(async ({ password }) => {
    const answer = await ask(() => submit(password));
    if (answer.ok) onDone(answer.data);
  });

  return (
    <form method="post" onSubmit={send} noValidate className="flex flex-col gap-4">
      {failure && <ErrorPanel error={failure} />}
      {/* Password managers save the new password under this address. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <NewPasswordField
        label={fields("newPassword")}
        error={formState.errors.password?.message}
        input={register(
          "password",
          newPasswordRule(fields, () => ({ email, name })),
        )}
      />
      <Button type="submit" variant="primary" busy={formState.isSubmitting}>
        {t("setPassword")}
      </Button>
    </form>
  );
}
