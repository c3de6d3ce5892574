"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useToast } from "@/components/ui/toast";
import { settled } from "@/lib/browser/settled";
import type { Acting, GatewayFailure } from "@/lib/gateway/result";

interface NameFormProps {
  label: string;
  hint: string;
  name: string;
  save: (name: string) => Acting<{ name: string }>;
  autoComplete?: "name";
  children?: ReactNode;
}

/** The name of a person or an account, to change. */
export function NameForm({ label, hint, name, save, autoComplete, children }: NameFormProps) {
  const router = useRouter();
  const { toast } = useToast();
  const { register, handleSubmit, reset, formState } = useForm({ defaultValues: { name } });
  const [failure, setFailure] = useState<GatewayFailure | null>(null);

  const submit = handleSubmit(async (values) => {
    setFailure(null);
    const answer = await settled(save(values.name.trim()));
    if (!answer.ok) return setFailure(answer.error);
    reset({ name: answer.data.name });
    toast({ title: "Name changed" });
    router.refresh();
  });

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4 rounded-panel border bg-panel p-4">
      {failure && <ErrorPanel error={failure} />}
      <Field label={label} required hint={hint} error={formState.errors.name?.message}>
        {(aria) => (
          <Input
            {...aria}
            {...register("name", { validate: (text) => text.trim() !== "" || "Enter a name." })}
            defaultValue={name}
            maxLength={100}
            autoComplete={autoComplete ?? "off"}
          />
        )}
      </Field>
      {children}
      <Button type="submit" className="self-start" busy={formState.isSubmitting}>
        Save name
      </Button>
    </form>
  );
}
