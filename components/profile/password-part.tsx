"use client";

import { type FormEvent, useState } from "react";
import { NewPasswordField } from "@/components/auth/new-password-field";
import { PasswordInput } from "@/components/auth/password-input";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/use-place";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { newPasswordProblem } from "@/lib/browser/password-rule";
import { formatCount } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import type { GatewayFailure } from "@/lib/gateway/result";

interface PasswordPartProps {
  email: string;
  name: string;
}

export function PasswordPart({ email, name }: PasswordPartProps) {
  const router = usePageRouter();
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<{ current?: string; new?: string }>({});
  const [failure, setFailure] = useState<GatewayFailure | null>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const body = { current: String(fields.get("current")), new: String(fields.get("new")) };
    const refuse = (name: "current" | "new", message: string) => {
      setErrors({ [name]: message });
      form.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus();
    };
    setFailure(null);
    setErrors({});
    if (body.current === "") return refuse("current", "Enter your current password.");
    setBusy(true);
    const problem = await newPasswordProblem(body.new, { email, name });
    if (problem) {
      setBusy(false);
      return refuse("new", problem);
    }
    const answer = await answerOf(act("POST /account/password", { body }));
    setBusy(false);
    if (answer.ok) {
      form.reset();
      const ended = answer.data.sessions_ended;
      toast({ title: "Password changed", description: `${formatCount(ended, "other session")} ended.` });
      router.refresh();
    } else if (answer.error.code === "invalid_credentials")
      refuse("current", "This is not your current password.");
    else if (answer.error.param === "new") refuse("new", answer.error.message);
    else setFailure(answer.error);
  };

  return (
    <form
      method="post"
      onSubmit={submit}
      noValidate
      className="flex flex-col gap-4 rounded-panel border bg-panel p-4"
    >
      {failure && <ErrorPanel error={failure} />}
      {/* Password managers save the new password under this address. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Field label="Current password" required error={errors.current}>
        {(aria) => (
          <PasswordInput {...aria} name="current" what="current password" autoComplete="current-password" />
        )}
      </Field>
      <NewPasswordField label="New password" error={errors.new} input={{ name: "new" }} />
      <Button type="submit" className="self-start" busy={busy}>
        Change password
      </Button>
    </form>
  );
}
