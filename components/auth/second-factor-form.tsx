"use client";

import { Fingerprint } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { SecondFactorWay } from "#contract/accounts/second-factor.ts";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";

interface SecondFactorFormProps {
  ways: readonly SecondFactorWay[];
  onCode: (code: string) => Promise<boolean>;
  onPasskey: () => Promise<boolean>;
  onBack: () => void;
}

const fields = {
  totp: {
    label: "Code",
    hint: "The six digits that your authenticator app shows.",
    inputMode: "numeric",
    autoComplete: "one-time-code",
    maxLength: 7,
    other: "Use the authenticator app",
  },
  recovery_code: {
    label: "Recovery code",
    hint: "One of the ten that you stored. Each works once.",
    inputMode: "text",
    autoComplete: "off",
    maxLength: 40,
    other: "Use a recovery code",
  },
} as const;

/** The second step of a sign-in whose password was right. */
export function SecondFactorForm({ ways, onCode, onPasskey, onBack }: SecondFactorFormProps) {
  const [way, setWay] = useState(ways[0] === "passkey" && ways.includes("totp") ? "totp" : ways[0]);
  const [busy, setBusy] = useState(false);
  const run = async (work: Promise<boolean>) => {
    setBusy(true);
    // Stays busy while the next page loads.
    if (!(await work)) setBusy(false);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run(way === "passkey" ? onPasskey() : onCode(String(new FormData(event.currentTarget).get("code"))));
  };
  const field = way === "passkey" || way === undefined ? null : fields[way];

  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      {field ? (
        <Field key={way} label={field.label} hint={field.hint} required>
          {(aria) => (
            <Input
              {...aria}
              ref={focus}
              name="code"
              inputMode={field.inputMode}
              autoComplete={field.autoComplete}
              maxLength={field.maxLength}
              spellCheck={false}
              autoCapitalize="none"
              className="font-mono"
            />
          )}
        </Field>
      ) : (
        <p className="text-muted">Confirm with the passkey that you added to your account.</p>
      )}
      <Button
        type="submit"
        variant="primary"
        busy={busy}
        {...(!field && { ref: focus, icon: <Fingerprint size={16} aria-hidden /> })}
      >
        {field ? "Continue" : "Use a passkey"}
      </Button>
      <div className="flex flex-wrap gap-2">
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} size="sm" disabled={busy} onClick={() => setWay(other)}>
              {other === "passkey" ? "Use a passkey" : fields[other].other}
            </Button>
          ))}
        <Button size="sm" variant="ghost" disabled={busy} onClick={onBack}>
          Back
        </Button>
      </div>
    </form>
  );
}

/** The step comes after a click, so its field may take the focus. */
function focus(element: HTMLElement | null): void {
  element?.focus();
}
