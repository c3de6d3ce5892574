"use client";

import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import type { SetupCreate } from "#contract/accounts/account.ts";
import { personFields } from "#contract/accounts/constants.ts";
import { readEmail } from "#contract/accounts/email-address.ts";
import { TextField } from "@/components/ui/form/bound-fields";
import { filledIn } from "@/components/ui/form/field";
import { SubmitButton } from "@/components/ui/form/submit-button";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { useWords } from "@/components/words/use-words";
import type { GatewayResult } from "@/lib/gateway/result";
import { NewPasswordField, newPasswordRule } from "./new-password-field.tsx";
import { PasswordField } from "./password-field.tsx";

const names = ["name", "email", "password"] as const;

/**
 * Name, e-mail and password of the owner. The one-time token is in the URL's fragment, which no server logs.
 */
export function SetupForm({ setUp }: { setUp: (body: SetupCreate) => Promise<GatewayResult<null>> }) {
  const t = useWords("setUp");
  const fields = useWords("fields");
  const form = useForm<SetupCreate>();
  const { register, handleSubmit, setError, setValue, formState } = form;
  const { failure, send } = useSend({ names, setError });
  const [tokenFromLink, setTokenFromLink] = useState(false);
  const { errors, isSubmitting, isSubmitSuccessful } = formState;

  useEffect(() => {
    const read = () => {
      const token = decodeURIComponent(location.hash.slice(1)).replace(/^token=/, "");
      if (!token) return;
      setValue("setup_token", token);
      setTokenFromLink(true);
    };
    read();
    // If the tab already shows this page, opening the link changes only the fragment.
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, [setValue]);

  const submit = handleSubmit(async (body) => {
    const owner = { ...body, ...(t.language !== "en" && { language: t.language }) };
    // The person who sets the gateway up becomes its operator, so the first page lists the remaining steps.
    if ((await send(() => setUp(owner))).ok) location.replace("/operator/first-steps");
  });

  return (
    <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
      {failure && <ErrorPanel error={failure} />}
      <div hidden={tokenFromLink}>
        <PasswordField
          label={t("token")}
          rule={personFields.linkToken}
          hint={t("tokenHint")}
          error={errors.setup_token?.message}
          {...register("setup_token", {
            validate: filledIn(personFields.linkToken, t("tokenMissing")),
          })}
          what="token"
          autoComplete="off"
          look="font-mono"
        />
      </div>
      <TextField
        form={form}
        name="name"
        label={fields("yourName")}
        rule={personFields.name}
        missing={fields("enterName")}
        autoComplete="name"
      />
      <TextField
        form={form}
        name="email"
        label={fields("email")}
        rule={personFields.email}
        missing={fields("enterEmail")}
        check={(email) => {
          const read = readEmail(email);
          return "fault" in read ? fields("emailFault", { reason: read.reason }) : true;
        }}
        type="email"
        autoComplete="username"
      />
      <NewPasswordField
        error={errors.password?.message}
        input={register(
          "password",
          newPasswordRule(fields, ({ email, name }) => ({ email, name })),
        )}
      />
      <SubmitButton busy={isSubmitting || (isSubmitSuccessful && !failure)}>{t("submit")}</SubmitButton>
    </form>
  );
}
