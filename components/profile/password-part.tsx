"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { PasswordChange, PasswordChanged } from "#contract/passwords.ts";
import { NewPasswordField, newPasswordRule } from "@/components/auth/new-password-field";
import { PasswordInput } from "@/components/auth/password-input";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import { Field } from "@/components/ui/field";
import { useToast } from "@/components/ui/toast";
import { settled } from "@/lib/browser/settled";
import { formatCount } from "@/lib/format";
import type { Acting, GatewayFailure } from "@/lib/gateway/result";

interface PasswordPartProps {
  email: string;
  change: (body: PasswordChange) => Acting<PasswordChanged>;
}

export function PasswordPart({ email, change }: PasswordPartProps) {
  const router = useRouter();
  const { toast } = useToast();
  const { register, handleSubmit, setError, reset, formState } = useForm<PasswordChange>();
  const [failure, setFailure] = useState<GatewayFailure | null>(null);
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async (body) => {
    setFailure(null);
    const answer = await settled(change(body));
    if (answer.ok) {
      reset();
      const ended = answer.data.sessions_ended;
      toast({ title: "Password changed", description: `${formatCount(ended, "other session")} ended.` });
      router.refresh();
    } else if (answer.error.code === "invalid_credentials")
      setError("current", { message: "This is not your present password." }, { shouldFocus: true });
    else if (answer.error.param === "new")
      setError("new", { message: answer.error.message }, { shouldFocus: true });
    else setFailure(answer.error);
  });

  return (
    <form
      method="post"
      onSubmit={submit}
      noValidate
      className="flex flex-col gap-4 rounded-panel border bg-panel p-4"
    >
      {failure && <ErrorPanel error={failure} />}
      {/* Password managers save the new password under it. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Field label="Present password" required error={errors.current?.message}>
        {(aria) => (
          <PasswordInput
            {...aria}
            {...register("current", { required: "Enter your present password." })}
            what="present password"
            autoComplete="current-password"
          />
        )}
      </Field>
      <NewPasswordField
        label="New password"
        error={errors.new?.message}
        registered={register("new", newPasswordRule)}
      />
      <Button type="submit" className="self-start" busy={isSubmitting}>
        Change password
      </Button>
    </form>
  );
}
