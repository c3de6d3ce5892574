"use client";

import { LogIn } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { personFields } from "#contract/accounts/constants.ts";
import { relyingPartyOf } from "#contract/accounts/relying-party.ts";
import type { InvitationAccept, InvitationPreview } from "#contract/accounts/team.ts";
import { Button, LinkButton } from "@/components/ui/button";
import { TextField } from "@/components/ui/form/bound-fields";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Tabs } from "@/components/ui/tabs";
import { useWords } from "@/components/words/use-words";
import { answerOutsideSession } from "@/lib/browser/action-answer";
import type { ActionResult, GatewayResult } from "@/lib/gateway/result";
import type { SessionView } from "@/lib/person";
import { OrDivider } from "./auth-frame.tsx";
import { NewPasswordField, newPasswordRule } from "./new-password-field.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { bold, LinkProblem, useLinkPreview } from "./use-link-preview.tsx";

interface InviteViewProps {
  /** The session of this browser. */
  session: SessionView | null;
  look: (token: string) => ActionResult<InvitationPreview>;
  /** `leaving` is the person whose session in this browser will end. */
  joinAsNew: (body: InvitationAccept, leaving: string | null) => Promise<GatewayResult<string>>;
  joinAsSignedIn: (token: string) => Promise<GatewayResult<string>>;
  /** Null without an identity provider. */
  providerName: string | null;
  joinWithProvider: (token: string) => Promise<GatewayResult<string>>;
}

/** The account to which a link invites, and the ways to accept. */
export function InviteView(props: InviteViewProps) {
  const t = useWords("joining");
  const links = useWords("links");
  const meanings = useWords("roles");
  const { look, joinAsNew, joinAsSignedIn, providerName, joinWithProvider } = props;
  // Joining starts a session, and its action renders the page once more. The form must not change until the
  // next page is there.
  const [session] = useState(props.session);
  const link = useLinkPreview(look);
  const [leaves, setLeaves] = useState(false);
  if (link.state === "loading") return <p className="text-muted">{t("loading")}</p>;
  if (link.state === "none")
    return <LinkProblem title={links("incomplete")}>{links("incompleteAdvice")}</LinkProblem>;
  if (link.state === "failed")
    return link.error.code === "invitation_not_found" ? (
      <LinkProblem title={links("notValid")}>{links("notValidAdvice")}</LinkProblem>
    ) : link.error.code === "invitation_expired" ? (
      <LinkProblem title={t("replacedLink")}>{t("replacedLinkAdvice")}</LinkProblem>
    ) : (
      <ErrorPanel error={link.error} onRetry={link.retry} />
    );
  const { token, preview } = link;
  const isAnother = session !== null && session.email !== preview.email;
  if (preview.state !== "open")
    return <LinkProblem title={t(preview.state)}>{t(`${preview.state}Advice`)}</LinkProblem>;
  return (
    <div className="flex flex-col gap-4">
      <p className="wrap-anywhere">
        {t.rich(
          "invited",
          {
            named: preview.invited_by === null ? "no" : "yes",
            by: preview.invited_by ?? "",
            email: preview.email,
            account: preview.account_name,
            role: preview.role,
          },
          { b: bold },
        )}{" "}
        <span className="text-muted">{meanings.text(preview.role)}</span>
      </p>
      {isAnother && !leaves ? (
        <SignedInAsAnother session={session} email={preview.email} onContinue={() => setLeaves(true)} />
      ) : (
        <>
          {providerName && (
            <JoinWithProvider
              name={providerName}
              email={preview.email}
              leave={() => joinWithProvider(token)}
            />
          )}
          <JoinChoice
            preview={preview}
            isSignedIn={session !== null && !isAnother}
            joinAsNew={(person) => joinAsNew({ token, ...person }, session?.person ?? null)}
            joinAsSignedIn={() => joinAsSignedIn(token)}
          />
        </>
      )}
    </div>
  );
}

interface JoinChoiceProps {
  preview: InvitationPreview;
  isSignedIn: boolean;
  joinAsNew: (person: Omit<InvitationAccept, "token">) => Promise<GatewayResult<string>>;
  joinAsSignedIn: () => Promise<GatewayResult<string>>;
}

/**
 * Both ways to join. Only the person knows whether they already have an account, and a link must not reveal
 * that.
 */
function JoinChoice({ preview, isSignedIn, joinAsNew, joinAsSignedIn }: JoinChoiceProps) {
  const t = useWords("joining");
  const [way, setWay] = useState<"new" | "known">("new");
  const { email, account_name: accountName } = preview;
  const known = (
    <JoinAsKnown email={email} accountName={accountName} isSignedIn={isSignedIn} join={joinAsSignedIn} />
  );
  if (isSignedIn) return known;
  return (
    <Tabs
      label={t("ways")}
      value={way}
      onChange={setWay}
      tabs={[
        { value: "new", label: t("isNew"), content: <JoinAsNew email={email} join={joinAsNew} /> },
        { value: "known", label: t("isKnown"), content: known },
      ]}
    />
  );
}

interface SignedInAsAnotherProps {
  session: Pick<SessionView, "kind" | "name" | "email">;
  /** The invited address. */
  email: string;
  onContinue: () => void;
}

/** Asks first, because joining as another person ends this browser's session. */
function SignedInAsAnother({ session, email, onContinue }: SignedInAsAnotherProps) {
  const t = useWords("joining");
  const { kind, name } = session;
  return (
    <div className="flex flex-col gap-3 rounded-control bg-warn-soft p-3 text-ink">
      <p className="wrap-anywhere">
        {kind === "key"
          ? t.rich("signedInWithKey", { name, invited: email }, { b: bold })
          : t.rich("signedInAs", { name, email: session.email ?? "", invited: email }, { b: bold })}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={onContinue}>
          {t("joinAs", { email })}
        </Button>
        <LinkButton href="/">{t("staySignedIn")}</LinkButton>
      </div>
    </div>
  );
}

interface JoinWithProviderProps {
  name: string;
  email: string;
  /** Resolves to the address at which the identity provider signs the person in. */
  leave: () => Promise<GatewayResult<string>>;
}

/** Accepts an invitation through the identity provider, which must confirm the address. */
function JoinWithProvider({ name, email, leave }: JoinWithProviderProps) {
  const t = useWords("joining");
  const fields = useWords("fields");
  const { busy, failure, send } = useSend();
  const go = async () => {
    const answer = await send(() => answerOutsideSession(leave()), { leaves: true });
    if (answer.ok) window.location.assign(answer.data);
  };
  return (
    <div>
      {failure && <ErrorPanel error={failure} />}
      <Button
        variant="primary"
        className="w-full"
        busy={busy}
        icon={<LogIn size={16} aria-hidden />}
        onClick={go}
      >
        {t("joinWith", { name })}
      </Button>
      <p className="mt-2 text-meta text-muted wrap-anywhere">{t("providerAddress", { email })}</p>
      <OrDivider>{fields("or")}</OrDivider>
    </div>
  );
}

interface JoinAsKnownProps {
  email: string;
  accountName: string;
  isSignedIn: boolean;
  join: () => Promise<GatewayResult<string>>;
}

/** People with an account on this gateway join with one click, after signing in if necessary. */
function JoinAsKnown({ email, accountName, isSignedIn, join }: JoinAsKnownProps) {
  const t = useWords("joining");
  const [signedIn, setSignedIn] = useState(isSignedIn);
  const { busy, failure, send } = useSend();

  const accept = async () => {
    const result = await send(() => answerOutsideSession(join()), { leaves: true });
    if (result.ok) return location.replace(result.data);
    if (result.error.code === "invitation_not_for_you" || result.error.status === 401) setSignedIn(false);
  };

  return (
    <>
      {failure && <ErrorPanel error={failure} />}
      {signedIn ? (
        <Button variant="primary" busy={busy} onClick={accept}>
          {t("joinAccount", { account: accountName })}
        </Button>
      ) : (
        <>
          <p className="text-muted wrap-anywhere">{t("signInToJoin", { email })}</p>
          <SignInForm
            passkeys={relyingPartyOf(location.origin) !== null}
            onSignedIn={() => {
              setSignedIn(true);
              void accept();
            }}
          />
        </>
      )}
    </>
  );
}

interface NewPerson {
  name: string;
  password: string;
}

interface JoinAsNewProps {
  email: string;
  join: (person: Omit<InvitationAccept, "token">) => Promise<GatewayResult<string>>;
}

/** Name and password of a new person. */
function JoinAsNew({ email, join }: JoinAsNewProps) {
  const t = useWords("joining");
  const fields = useWords("fields");
  const form = useForm<NewPerson>();
  const { register, handleSubmit, setError, formState } = form;
  const { failure, send } = useSend({ names: ["name", "password"], setError });
  const { errors, isSubmitting, isSubmitSuccessful } = formState;

  const submit = handleSubmit(async (person) => {
    const inLanguage = { ...person, ...(t.language !== "en" && { language: t.language }) };
    const answer = await send(() => answerOutsideSession(join(inLanguage)));
    // Loads the whole page, because every server component must see the new cookie.
    if (answer.ok) location.replace(answer.data);
  });

  return (
    <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
      {failure && <ErrorPanel error={failure} />}
      <TextField
        form={form}
        name="name"
        label={fields("yourName")}
        rule={personFields.name}
        missing={fields("enterName")}
        autoComplete="name"
      />
      <NewPasswordField
        error={errors.password?.message}
        input={register(
          "password",
          newPasswordRule(fields, ({ name }) => ({ email, name })),
        )}
      />
      <Button type="submit" variant="primary" busy={isSubmitting || (isSubmitSuccessful && !failure)}>
        {t("join")}
      </Button>
    </form>
  );
}
