"use client";

import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { answerOutsideSession } from "@/lib/browser/action-answer";
import type { GatewayResult } from "@/lib/gateway/result";
import { NewPasswordField, newPasswordRule } from "./new-password-field.tsx";

interface NewPerson {
  name: string;
  password: string;
}

interface JoinAsNewProps {
  email: string;
  join: (person: NewPerson) => Promise<GatewayResult<string>>;
}

/** Name and password of somebody who is new here. */
export function JoinAsNew({ email, join }: JoinAsNewProps) {
  const { register, handleSubmit, setError, formState } = useForm<NewPerson>();
  const { failure, send } = useSend({ names: ["name", "password"], setError });
  const { errors, isSubmitting, isSubmitSuccessful } = formState;

  const submit = handleSubmit(async (person) => {
    const answer = await send(() => answerOutsideSession(join(person)));
    // A full load: every server component must see the new cookie.
    if (answer.ok) location.replace(answer.data);
  });

  return (
    <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
      {failure && <ErrorPanel error={failure} />}
      <Field label="Your name" required error={errors.name?.message}>
        {(aria) => (
          <Input
            {...aria}
            {...register("name", { validate: (name) => name.trim() !== "" || "Enter your name." })}
            maxLength={100}
            autoComplete="name"
          />
        )}
      </Field>
      <NewPasswordField
        error={errors.password?.message}
        input={register(
          "password",
          newPasswordRule(({ name }) => ({ email, name })),
        )}
      />
      <Button type="submit" variant="primary" busy={isSubmitting || (isSubmitSuccessful && !failure)}>
        Join
      </Button>
    </form>
  );
}
