"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import type { Credentials } from "@/lib/browser/sign-in";
import { PasswordInput } from "./password-input.tsx";

export function KeyForm({ onSubmit }: { onSubmit: (credentials: Credentials) => Promise<boolean> }) {
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get("key")).trim();
    setBusy(true);
    const done = await onSubmit({ provider: "account-key", key });
    if (!done) setBusy(false);
  };

  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label="Account key"
        required
        hint="Stored in an encrypted cookie that scripts cannot read. Attestations require e-mail and password."
      >
        {(aria) => <PasswordInput {...aria} name="key" autoComplete="off" className="font-mono" what="key" />}
      </Field>
      <Button type="submit" variant="primary" busy={busy}>
        Sign in with key
      </Button>
    </form>
  );
}
