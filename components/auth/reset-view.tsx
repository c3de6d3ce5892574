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
import { answerOf } from "@/lib/browser/action-answer";
import { formatCount } from "@/lib/format";
import type { ActionResult } from "@/lib/gateway/result";
import { NewPasswordField, newPasswordRule } from "./new-password-field.tsx";
import { LinkProblem, useLinkPreview } from "./use-link-preview.tsx";

interface ResetViewProps {
  look: (token: string) => ActionResult<PasswordResetPreview>;
  setPassword: (body: PasswordResetAccept) => ActionResult<PasswordResetDone>;
}

/** Sets a new password through a one-time link. */
export function ResetView({ look, setPassword }: ResetViewProps) {
  const link = useLinkPreview(look);
  const [done, setDone] = useState<PasswordResetDone | null>(null);
  if (done)
    return (
      <div role="status" className="flex flex-col items-start gap-3">
        <h2 className="text-title font-semibold">Password set</h2>
        <p className="text-muted wrap-anywhere">
          Sign in as {done.email} with the new password. {formatCount(done.sessions_ended, "session")} ended.
        </p>
        <LinkButton variant="primary" href="/sign-in">
          Sign in
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
    return link.error.code === "reset_not_found" ? (
      <LinkProblem title="This link is not valid">{link.error.message}</LinkProblem>
    ) : (
      <ErrorPanel error={link.error} onRetry={link.retry} />
    );
  const { token, preview } = link;
  if (preview.state === "used")
    return (
      <LinkProblem title="This link was already used">
        A link works once. Sign in with the new password, or request a new link.
      </LinkProblem>
    );
  if (preview.state === "expired")
    return (
      <LinkProblem title="This link has expired">
        A link works for a day, and a newer link replaces it. Request a new one.
      </LinkProblem>
    );
  return (
    <div className="flex flex-col gap-4">
      <p className="wrap-anywhere">
        This sets a new password for {preview.name} (<b>{preview.email}</b>) and ends all their sessions.
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
        label="New password"
        error={formState.errors.password?.message}
        input={register(
          "password",
          newPasswordRule(() => ({ email, name })),
        )}
      />
      <Button type="submit" variant="primary" busy={formState.isSubmitting}>
        Set password
      </Button>
    </form>
  );
}
