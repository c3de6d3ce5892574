"use client";

import { Link2 } from "lucide-react";
import dynamic from "next/dynamic";
import { type FormEvent, useState } from "react";
import type { SessionRow } from "#contract/accounts/account.ts";
import type { PasswordChange } from "#contract/accounts/credentials.ts";
import type { Identity } from "#contract/accounts/oidc.ts";
import { useWords } from "#words";
import { NewPasswordField } from "@/components/auth/new-password-field";
import { PasswordField } from "@/components/auth/password-field";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { requiredIn } from "@/components/ui/form/field";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { buttonLook } from "@/components/ui/looks";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/link";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { newPasswordProblem } from "@/lib/browser/password-rule";
import { act } from "@/lib/gateway/act";
import type { ActionResult, GatewayFailure } from "@/lib/gateway/result";
import { deviceOf } from "@/lib/team/device";

const EmailDialog = dynamic(() => import("./email-dialog.tsx").then((module) => module.EmailDialog), {
  ssr: false,
});

/** Starts the change to another e-mail address. */
export function EmailPart({ hasPassword }: { hasPassword: boolean }) {
  const t = useWords("profile");
  const { toast } = useToast();
  const [open, setOpen] = useState(false);
  return (
    <div className="mt-3">
      <Button onClick={() => setOpen(true)}>{t("changeEMailAddress")}</Button>
      {open && (
        <EmailDialog
          hasPassword={hasPassword}
          onStarted={({ email }) => {
            setOpen(false);
            toast({
              title: t("aLinkWasSentTo", { email }),
              description: t("openTheLinkToConfirm"),
            });
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

interface PasswordPartProps {
  email: string;
  name: string;
}

export function PasswordPart({ email, name }: PasswordPartProps) {
  const t = useWords("profile");
  const router = usePageRouter();
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<{ current?: string; new?: string }>({});
  const [failure, setFailure] = useState<GatewayFailure | null>(null);

  const words = useWords("fields");
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
    if (body.current === "") return refuse("current", t("enterCurrent"));
    setBusy(true);
    const problem = await newPasswordProblem(words, body.new, { email, name });
    if (problem) {
      setBusy(false);
      return refuse("new", problem);
    }
    const answer = await answerOf(act("POST /account/password", { body }));
    setBusy(false);
    if (answer.ok) {
      form.reset();
      const ended = answer.data.sessions_ended;
      toast({ title: t("passwordChanged"), description: t("otherSessionsEnded", { count: ended }) });
      router.refresh();
    } else if (answer.error.code === "invalid_credentials") refuse("current", t("notCurrent"));
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
      <PasswordField
        label={t("currentPassword")}
        required={requiredIn<PasswordChange>("current")}
        error={errors.current}
        name="current"
        what="current"
        autoComplete="current-password"
      />
      <NewPasswordField label={t("newPassword")} error={errors.new} input={{ name: "new" }} />
      <Button type="submit" className="self-start" busy={busy}>
        {t("changePassword")}
      </Button>
    </form>
  );
}

interface ProviderPartProps {
  /** The provider's name. */
  name: string;
  /** The person's identities at the provider. Empty until they link one. */
  identities: Identity[];
}

/** Links the identity provider to the signed-in person, or unlinks it. */
export function ProviderPart({ name, identities }: ProviderPartProps) {
  const t = useWords("profile");
  const router = usePageRouter();
  const { toast } = useToast();
  const [ending, setEnding] = useState<string | null>(null);

  const end = async (id: string) => {
    setEnding(id);
    const answer = await answerOf(act("DELETE /account/identities/{id}", { params: { id } }));
    setEnding(null);
    if (answer.ok) toast({ title: t("nameUnlinked", { name }) });
    else toast(await failureToast(answer.error, t("couldNotUnlink", { name })));
    router.refresh();
  };

  if (identities.length === 0)
    return (
      // A plain link, because Next would prefetch its own links, and each fetch starts a sign-in.
      <a href="/sign-in/provider?purpose=link&from=%2Fsettings%2Fprofile" className={buttonLook()}>
        <Link2 size={16} aria-hidden />
        {t("linkName", { name })}
      </a>
    );
  return (
    <ul className="flex flex-col gap-2">
      {identities.map(({ id, email, linked_at, last_signed_in_at }) => (
        <li key={id} className="flex flex-wrap items-center gap-3">
          <span className="min-w-0 flex-1">
            <span className="font-medium wrap-anywhere">{email ?? name}</span>
            <span className="block text-table text-muted">
              {t.rich(
                last_signed_in_at ? "lastSignedIn" : "linked",
                {},
                { time: () => <Time key="time" value={last_signed_in_at ?? linked_at} /> },
              )}
            </span>
          </span>
          <Button size="sm" busy={ending === id} onClick={() => end(id)}>
            {t("unlink")}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** The person's own sessions. Ending one takes effect within a second. */
export function SessionsPart({ sessions }: { sessions: SessionRow[] }) {
  const t = useWords("profile");
  const router = usePageRouter();
  const { toast } = useToast();
  const [ending, setEnding] = useState<string | null>(null);
  const others = sessions.filter(({ current }) => !current).length;

  const run = async <Data,>(what: string, call: ActionResult<Data>, title: (data: Data) => string) => {
    setEnding(what);
    const answer = await answerOf(call);
    setEnding(null);
    if (answer.ok) toast({ title: title(answer.data) });
    else toast(await failureToast(answer.error, t("couldNotEnd")));
    router.refresh();
  };

  return (
    <div className="flex flex-col gap-3">
      <Table label={t("yourSessions")}>
        <thead>
          <tr>
            <Th>{t("device")}</Th>
            <Th>{t("address")}</Th>
            <Th>{t("signedIn")}</Th>
            <Th>{t("lastSeen")}</Th>
            <Th>
              <span className="sr-only">{t("actions")}</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => {
            const device = deviceOf(session.user_agent, t);
            return (
              <Tr key={session.id}>
                <Td className="min-w-28">
                  <span data-name title={session.user_agent ?? undefined} className="font-medium">
                    {device}
                  </span>{" "}
                  {session.current && <Badge>{t("thisOne")}</Badge>}
                </Td>
                <Td className="font-mono text-meta" label={t("address")}>
                  {session.ip ?? "–"}
                </Td>
                <Td label={t("signedIn")}>
                  <Time value={session.created_at} />
                  {session.method && <span className="text-muted"> {t(`${session.method}Method`)}</span>}
                </Td>
                <Td label={t("lastSeen")}>
                  <Time value={session.last_seen_at ?? session.created_at} />
                </Td>
                <Td className="text-right">
                  {!session.current && (
                    <Button
                      size="sm"
                      aria-label={t("endTheSessionOnDevice", { device })}
                      busy={ending === session.id}
                      onClick={() =>
                        run(
                          session.id,
                          act("DELETE /account/sessions/{id}", { params: { id: session.id } }),
                          () => t("sessionEnded"),
                        )
                      }
                    >
                      {t("end")}
                    </Button>
                  )}
                </Td>
              </Tr>
            );
          })}
        </tbody>
      </Table>
      {others > 0 && (
        <Button
          className="self-start"
          busy={ending === "others"}
          onClick={() =>
            run("others", act("DELETE /account/sessions"), ({ ended }) =>
              t("sessionsEnded", { count: ended }),
            )
          }
        >
          {t("endAllOtherSessions")}
        </Button>
      )}
    </div>
  );
}
