"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import type { Credentials } from "@/lib/browser/sign-in";
import { PasswordInput } from "./password-input.tsx";

export function PasswordForm({ onSubmit }: { onSubmit: (credentials: Credentials) => Promise<boolean> }) {
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    const done = await onSubmit({
      provider: "password",
      email: String(fields.get("email")).trim(),
      password: String(fields.get("password")),
    });
    // Stays busy while the next page loads.
    if (!done) setBusy(false);
  };

  return (
    // `post` keeps a password out of the address even before the page's scripts run.
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      <Field label="E-mail" required>
        {(aria) => (
          <Input {...aria} name="email" type="email" autoComplete="username webauthn" maxLength={254} />
        )}
      </Field>
      <Field label="Password" required>
        {(aria) => <PasswordInput {...aria} name="password" autoComplete="current-password" />}
      </Field>
      <Button type="submit" variant="primary" busy={busy}>
        Sign in
      </Button>
    </form>
  );
}
