"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { Profile } from "#contract/profile.ts";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useToast } from "@/components/ui/toast";
import { settled } from "@/lib/browser/settled";
import type { Acting, GatewayFailure } from "@/lib/gateway/result";

interface NamePartProps {
  profile: Profile;
  rename: (name: string) => Acting<Profile>;
}

export function NamePart({ profile, rename }: NamePartProps) {
  const router = useRouter();
  const { toast } = useToast();
  const { register, handleSubmit, reset, formState } = useForm({ defaultValues: { name: profile.name } });
  const [failure, setFailure] = useState<GatewayFailure | null>(null);

  const submit = handleSubmit(async ({ name }) => {
    setFailure(null);
    const answer = await settled(rename(name.trim()));
    if (!answer.ok) return setFailure(answer.error);
    reset({ name: answer.data.name });
    toast({ title: "Name changed" });
    router.refresh();
  });

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4 rounded-panel border bg-panel p-4">
      {failure && <ErrorPanel error={failure} />}
      <Field
        label="Name"
        required
        hint="Your colleagues see it with what you do."
        error={formState.errors.name?.message}
      >
        {(aria) => (
          <Input
            {...aria}
            {...register("name", { validate: (name) => name.trim() !== "" || "Enter your name." })}
            defaultValue={profile.name}
            maxLength={100}
            autoComplete="name"
          />
        )}
      </Field>
      <div>
        <p className="text-table font-medium">E-mail</p>
        <p className="flex flex-wrap items-center gap-2 wrap-anywhere">
          {profile.email} <Badge>{profile.email_verified ? "verified" : "not verified"}</Badge>
        </p>
      </div>
      <Button type="submit" className="self-start" busy={formState.isSubmitting}>
        Save name
      </Button>
    </form>
  );
}
