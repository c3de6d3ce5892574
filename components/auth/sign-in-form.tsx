"use client";

import { Fingerprint } from "lucide-react";
import { type FormEvent, useEffect, useEffectEvent, useState } from "react";
import type { SessionCreate } from "#contract/accounts/account.ts";
import { appCode, personFields } from "#contract/accounts/constants.ts";
import type { SecondFactorWay } from "#contract/accounts/second-factor.ts";
import { Button } from "@/components/ui/button";
import { requiredIn } from "@/components/ui/form/field";
import { InputField } from "@/components/ui/form/input-fields";
import { SubmitButton } from "@/components/ui/form/submit-button";
import { Tabs } from "@/components/ui/tabs";
import { useWords } from "@/components/words/use-words";
import { askPasskey, canOfferPasskeys } from "@/lib/browser/passkeys";
import type { Words } from "@/messages/words";
import { PasswordField } from "./password-field.tsx";

interface SignInFormProps {
  /** Called once the browser has a session. If omitted, the page at `returnTo` is loaded. */
  onSignedIn?: () => void;
  returnTo?: string;
  /** The initial way to sign in. */
  first?: "password" | "key";
  sessionEnded?: boolean;
  /** Whether browsers allow passkeys at the console's address. */
  passkeys?: boolean;
}

/** The credentials for one way to sign in, or for the second step. */
type Credentials =
  | { provider: "password"; email: string; password: string }
  | { provider: "second-factor"; code: string }
  | { provider: "second-factor" | "passkey"; credential: string }
  | { provider: "account-key"; key: string };

/** E-mail and password with a second factor, a passkey, or a plain account key. */
export function SignInForm(props: SignInFormProps) {
  const { onSignedIn, returnTo = "/", first = "password", sessionEnded, passkeys = false } = props;
  const t = useWords("signIn");
  const fields = useWords("fields");
  const problemOf = useWords("signInProblems");
  const [way, setWay] = useState(first);
  const [problem, setProblem] = useState<string | null>(null);
  const [ways, setWays] = useState<SecondFactorWay[] | null>(null);
  const [asking, setAsking] = useState(false);

  const submit = async (credentials: Credentials) => {
    setProblem(null);
    const result = await signIn(problemOf, credentials);
    if (!result.ok) {
      // The second step took too long, so the password is needed again.
      if (result.ways || result.code === "sign_in_expired") setWays(result.ways);
      if (!result.ways) setProblem(result.message);
      return false;
    }
    // Loads the whole page, because every server component must see the new cookie.
    if (onSignedIn) onSignedIn();
    else location.assign(returnTo);
    return true;
  };
  const submitPasskey = async (afterPassword: boolean) => {
    setProblem(null);
    const asked = await askPasskey({ afterPassword });
    if (!asked.ok) setProblem(asked.error.message);
    if (!asked.ok || asked.data === null) return false;
    return submit({ provider: afterPassword ? "second-factor" : "passkey", credential: asked.data });
  };
  usePasskeyAutofill(passkeys && !ways && !asking, (credential) =>
    submit({ provider: "passkey", credential }),
  );

  return (
    <>
      {sessionEnded && !problem && !ways && (
        <p role="status" className="mb-4 rounded-control bg-warn-soft p-3 text-ink">
          {t("sessionExpired")}
        </p>
      )}
      <div role="alert">
        {problem && <p className="mb-4 rounded-control bg-bad-soft p-3 font-medium text-bad">{problem}</p>}
      </div>
      {ways ? (
        <SecondFactorForm
          ways={ways}
          onCode={(code) => submit({ provider: "second-factor", code })}
          onPasskey={() => submitPasskey(true)}
          onBack={() => {
            setProblem(null);
            setWays(null);
          }}
        />
      ) : (
        <Tabs
          label={t("method")}
          value={way}
          onChange={(next) => {
            setProblem(null);
            setWay(next);
          }}
          tabs={[
            {
              value: "password",
              label: fields("email"),
              content: (
                <div className="flex flex-col gap-3">
                  <PasswordForm onSubmit={submit} />
                  {passkeys && (
                    <Button
                      busy={asking}
                      icon={<Fingerprint size={16} aria-hidden />}
                      onClick={async () => {
                        setAsking(true);
                        if (!(await submitPasskey(false))) setAsking(false);
                      }}
                    >
                      {t("usePasskey")}
                    </Button>
                  )}
                </div>
              ),
            },
            { value: "key", label: t("accountKey"), content: <KeyForm onSubmit={submit} /> },
          ]}
        />
      )}
    </>
  );
}

/** `ways` is set when the password was correct and a second factor is needed. */
type SignInResult =
  | { ok: true }
  | { ok: false; code: string; message: string; ways: SecondFactorWay[] | null };

/** Signs in through next-auth's route, without its 9 kB client. */
async function signIn(problemOf: Words<"signInProblems">, credentials: Credentials): Promise<SignInResult> {
  const { provider, ...fields } = credentials;
  try {
    const { csrfToken } = (await (await fetch("/api/auth/csrf", { cache: "no-store" })).json()) as {
      csrfToken: string;
    };
    const response = await fetch(`/api/auth/callback/${provider}`, {
      method: "POST",
      body: new URLSearchParams({ ...fields, csrfToken, callbackUrl: "/", json: "true" }),
    });
    const { url } = (await response.json()) as { url?: string };
    const target = new URL(url ?? "/", location.origin).searchParams;
    if (response.ok && !target.has("error") && !target.has("csrf")) return { ok: true };
    const [code = "", ways] = (target.get("error") ?? "sign_in_failed").split(":");
    const isPasskey = "credential" in credentials && code === "invalid_second_factor";
    const known = isPasskey ? "passkey_refused" : code;
    const message =
      problemOf.has(known) && known !== "withCode" ? problemOf(known) : problemOf("withCode", { code });
    return { ...failure(code, message), ways: ways ? (ways.split(",") as SecondFactorWay[]) : null };
  } catch {
    return failure("offline", problemOf("offline"));
  }
}

function failure(code: string, message: string): SignInResult & { ok: false } {
  return { ok: false, code, message, ways: null };
}

/** Offers passkeys in the autofill of the e-mail address; `use` gets the response of the chosen one. */
function usePasskeyAutofill(active: boolean, use: (credential: string) => void): void {
  const chosen = useEffectEvent(use);
  useEffect(() => {
    if (!active) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const offer = async () => {
      if (!(await canOfferPasskeys()) || signal.aborted) return;
      const asked = await askPasskey({ autofill: true, signal });
      // Without a passkey, the form works as usual.
      if (!signal.aborted && asked.ok && asked.data !== null) chosen(asked.data);
    };
    void offer();
    return () => leaving.abort();
  }, [active]);
}

interface SecondFactorFormProps {
  ways: readonly SecondFactorWay[];
  onCode: (code: string) => Promise<boolean>;
  onPasskey: () => Promise<boolean>;
  onBack: () => void;
}

const codes = {
  totp: {
    label: "code",
    hint: "codeHint",
    inputMode: "numeric",
    autoComplete: "one-time-code",
    rule: appCode,
    other: "useApp",
  },
  recovery_code: {
    label: "recoveryCode",
    hint: "recoveryHint",
    inputMode: "text",
    autoComplete: "off",
    rule: personFields.code,
    other: "useRecoveryCode",
  },
} as const;

/** The second step of a sign-in, after a correct password. */
function SecondFactorForm({ ways, onCode, onPasskey, onBack }: SecondFactorFormProps) {
  const t = useWords("signIn");
  const words = useWords("fields");
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
  const field = way === "passkey" || way === undefined ? null : codes[way];

  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      {field ? (
        <InputField
          key={way}
          label={t(field.label)}
          hint={t(field.hint)}
          rule={field.rule}
          ref={focus}
          name="code"
          inputMode={field.inputMode}
          autoComplete={field.autoComplete}
          autoCapitalize="none"
          mono
        />
      ) : (
        <p className="text-muted">{t("confirmPasskey")}</p>
      )}
      <Button
        type="submit"
        variant="primary"
        busy={busy}
        {...(!field && { ref: focus, icon: <Fingerprint size={16} aria-hidden /> })}
      >
        {t(field ? "next" : "usePasskey")}
      </Button>
      <div className="flex flex-wrap gap-2">
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} size="sm" disabled={busy} onClick={() => setWay(other)}>
              {t(other === "passkey" ? "usePasskey" : codes[other].other)}
            </Button>
          ))}
        <Button size="sm" variant="ghost" disabled={busy} onClick={onBack}>
          {words("back")}
        </Button>
      </div>
    </form>
  );
}

/** A click opened this step, so its field may take the focus. */
function focus(element: HTMLElement | null): void {
  element?.focus();
}

function PasswordForm({ onSubmit }: { onSubmit: (credentials: Credentials) => Promise<boolean> }) {
  const t = useWords("signIn");
  const words = useWords("fields");
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
    // `post` keeps a password out of the address, even before the page's scripts run.
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      <InputField
        label={words("email")}
        rule={personFields.email}
        name="email"
        type="email"
        autoComplete="username webauthn"
      />
      <PasswordField
        label={words("password")}
        required={requiredIn<SessionCreate>("password")}
        name="password"
        autoComplete="current-password"
      />
      <SubmitButton busy={busy}>{t("submit")}</SubmitButton>
    </form>
  );
}

function KeyForm({ onSubmit }: { onSubmit: (credentials: Credentials) => Promise<boolean> }) {
  const t = useWords("signIn");
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
      <PasswordField
        label={t("accountKey")}
        required
        hint={t("keyHint")}
        name="key"
        autoComplete="off"
        look="font-mono"
        what="key"
      />
      <SubmitButton busy={busy}>{t("submitKey")}</SubmitButton>
    </form>
  );
}
