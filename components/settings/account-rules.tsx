"use client";

import dynamic from "next/dynamic";
import { type FormEvent, type ReactNode, useState } from "react";
import type { Account } from "#contract/accounts/account.ts";
import { metadataLimits } from "#contract/metadata.ts";
import type { BodyOf } from "#contract/routes/client.ts";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { InputField, TextareaField } from "@/components/ui/form/input-fields";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { Switch } from "@/components/ui/form/switch";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

interface RuleProps {
  account: Account;
  /** Only owners may change the rule. */
  mayChange: boolean;
}

/** Whether every member of the account needs a second factor, and from when. */
export function SecondFactorRule({ account, mayChange }: RuleProps) {
  const from = account.second_factor_from;
  return (
    <AccountRule
      label="Require a second factor of every member"
      isOn={from !== null}
      meaning={
        from === null ? (
          "Each member decides whether to have a second factor."
        ) : (
          <>
            Members without one must set one up from <Time value={from} mode="absolute" /> on.
          </>
        )
      }
      texts={
        from === null
          ? {
              title: "Require a second factor?",
              body: "Members see a notice for a week. After that, members with neither a passkey nor an authenticator app must set one up before they can use the account. Keys keep working. Members who sign in with an identity provider follow the provider's rules instead.",
              confirm: "Require it in a week",
              done: "Members have a week to set up a second factor",
            }
          : {
              title: "No longer require a second factor?",
              body: "Members without a second factor can sign in with only a password again.",
              confirm: "Stop requiring a second factor",
              done: "A second factor is no longer required",
            }
      }
      change={{ second_factor_required: from === null }}
      mayChange={mayChange}
    />
  );
}

/** Whether only sessions that were opened through the identity provider can use the account. */
export function ProviderRule({
  name,
  account,
  mayChange,
}: RuleProps & { /** The identity provider's name. */ name: string }) {
  const isOn = account.sign_in === "provider";
  return (
    <AccountRule
      label={`Sign in only with ${name}`}
      isOn={isOn}
      meaning={
        isOn
          ? "Sessions that were opened with a password or passkey cannot use this account."
          : "Members can also use this account after signing in with a password or passkey."
      }
      texts={
        isOn
          ? {
              title: "Allow signing in with a password again?",
              body: "Members can sign in with their password or a passkey again.",
              confirm: "Allow passwords",
              done: "Members can sign in with a password again",
            }
          : {
              title: `Sign in only with ${name}?`,
              body: `Members who are signed in another way cannot use this account until they sign in with ${name}. At least one owner must already have signed in with ${name}. Keys keep working.`,
              confirm: `Only ${name}`,
              done: `Members now sign in only with ${name}`,
            }
      }
      change={{ sign_in: isOn ? "any" : "provider" }}
      mayChange={mayChange}
    />
  );
}

/** Whether members may share outputs of gated models by link. */
export function GatedSharingRule({ account, mayChange }: RuleProps) {
  const isOn = account.share_gated_outputs;
  return (
    <AccountRule
      label="Allow sharing outputs of gated models"
      isOn={isOn}
      meaning={
        isOn
          ? "Only signed-in people who have attested what the model requires can open such a link."
          : "Outputs of models that require attestations cannot be shared by link."
      }
      texts={
        isOn
          ? {
              title: "Stop allowing links to outputs of gated models?",
              body: "Links to outputs of gated models stop working at once. If you allow sharing again, links that have not expired work again.",
              confirm: "Stop allowing it",
              done: "Sharing outputs of gated models is no longer allowed",
            }
          : {
              title: "Allow sharing outputs of gated models?",
              body: "Members can create links to outputs of models that require attestations. To open one, a person must be signed in at this gateway, in any account, and have made the same attestations.",
              confirm: "Allow it",
              done: "Allowed",
            }
      }
      change={{ share_gated_outputs: !isOn }}
      mayChange={mayChange}
    />
  );
}

interface AccountRuleProps {
  label: string;
  isOn: boolean;
  /** Explains the current setting. */
  meaning: ReactNode;
  /** The texts of the confirmation before the change, and of the toast after it. */
  texts: { title: string; body: string; confirm: string; done: string };
  /** The change that the switch sends. */
  change: BodyOf<"PATCH /account">;
  /** Only owners may change the rule. */
  mayChange: boolean;
}

/** A rule of the account about signing in, which is changed after a confirmation. */
function AccountRule({ label, isOn, meaning, texts, change, mayChange }: AccountRuleProps) {
  const router = usePageRouter();
  const { toast } = useToast();
  const [asking, setAsking] = useState(false);
  const { busy, failure, show, send } = useSend();
  const open = (next: boolean) => {
    show(null);
    setAsking(next);
  };
  const confirm = async () => {
    if (!(await send(() => answerOf(act("PATCH /account", { body: change })))).ok) return;
    setAsking(false);
    toast({ title: texts.done });
    router.refresh();
  };
  return (
    <div className="space-y-2">
      <Switch label={label} checked={isOn} disabled={!mayChange} onChange={() => open(true)} />
      <p className="text-table text-muted">
        {meaning}
        {!mayChange && " Only owners can change this."}
      </p>
      <ConfirmDialog
        open={asking}
        onOpenChange={open}
        title={texts.title}
        body={texts.body}
        confirmLabel={texts.confirm}
        busy={busy}
        failure={failure}
        onConfirm={confirm}
      />
    </div>
  );
}

const RotateCallbackSecret = dynamic(
  () => import("@/components/webhooks/secret/rotate-dialog").then((part) => part.RotateCallbackSecret),
  { ssr: false },
);

const choices = [
  {
    value: "any",
    label: "Any public host",
    hint: "Events do not contain the URLs of files of gated models.",
  },
  {
    value: "listed",
    label: "Only these hosts",
    hint: "Events also contain the URLs of files of gated models.",
  },
  { value: "off", label: "None", hint: "Requests that name a receiver are refused." },
] as const;

type Choice = (typeof choices)[number]["value"];

interface CallbackRuleProps {
  account: Account;
  /** Only owners may change the rule. */
  mayChange: boolean;
}

/** The hosts that requests may name as their receiver, and the secret that signs the callbacks. */
export function CallbackRule({ account, mayChange }: CallbackRuleProps) {
  const hosts = account.callback_hosts;
  const router = usePageRouter();
  const { toast } = useToast();
  const [choice, setChoice] = useState<Choice>(hosts === null ? "any" : hosts.length > 0 ? "listed" : "off");
  const [problem, setProblem] = useState<string | null>(null);
  const [isRotating, setRotating] = useState(false);
  const { busy, failure, send } = useSend();
  const mayRotate = account.permissions.includes("endpoints:manage");

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("hosts") ?? "");
    const listed = typed.split(/[\s,]+/).filter((host) => host !== "");
    const isEmpty = choice === "listed" && listed.length === 0;
    setProblem(isEmpty ? "Enter at least one host, such as hooks.example.com." : null);
    if (isEmpty) return;
    const wanted = choice === "any" ? null : choice === "off" ? [] : listed;
    const saved = await send(() => answerOf(act("PATCH /account", { body: { callback_hosts: wanted } })));
    if (!saved.ok) return;
    toast({ title: "Callback hosts saved" });
    router.refresh();
  };

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4 rounded-panel border bg-panel p-4">
      {failure && <ErrorPanel error={failure} />}
      <fieldset disabled={!mayChange} className="flex flex-col gap-3">
        <RadioGroup legend="Allowed hosts" options={choices} value={choice} onChange={setChoice} />
        {choice === "listed" && (
          <TextareaField
            label="Hosts"
            hint="One on each line, without https://."
            error={problem}
            name="hosts"
            defaultValue={hosts?.join("\n")}
            autoComplete="off"
            mono
          />
        )}
      </fieldset>
      <div className="flex flex-wrap gap-2">
        {mayChange && (
          <Button type="submit" busy={busy}>
            Save hosts
          </Button>
        )}
        {mayRotate && <Button onClick={() => setRotating(true)}>Rotate callback secret…</Button>}
      </div>
      {!mayChange && <p className="text-table text-muted">Only owners can change this.</p>}
      {isRotating && <RotateCallbackSecret onDone={() => setRotating(false)} />}
    </form>
  );
}

const names = ["first", "second"] as const;

/** The metadata keys by which usage is grouped. */
export function UsageKeysForm({ keys }: { keys: readonly string[] }) {
  const router = usePageRouter();
  const { toast } = useToast();
  const [problem, setProblem] = useState<string | null>(null);
  const { busy, failure, show, send } = useSend();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const wanted = names.map((name) => String(typed.get(name)).trim()).filter((key) => key !== "");
    const isTwice = new Set(wanted).size < wanted.length;
    show(null);
    setProblem(isTwice ? "This is the same as the first key." : null);
    if (isTwice) return;
    const saved = await send(() => answerOf(act("PATCH /account", { body: { usage_keys: wanted } })));
    if (!saved.ok) return;
    toast({ title: "Saved. Usage of new runs is grouped by these keys." });
    router.refresh();
  };

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4 rounded-panel border bg-panel p-4">
      {failure && <ErrorPanel error={failure} />}
      <div className="grid gap-3 phone:grid-cols-2">
        {names.map((name, at) => (
          <InputField
            key={name}
            label={at === 0 ? "Key" : "Another key"}
            hint={
              at === 0 ? "For example “customer”. If empty, usage is not grouped by metadata." : undefined
            }
            error={at === 1 ? problem : null}
            name={name}
            defaultValue={keys[at] ?? ""}
            maxLength={metadataLimits.keyLength}
            autoComplete="off"
            mono
          />
        ))}
      </div>
      <Button type="submit" className="self-start" busy={busy}>
        Save keys
      </Button>
    </form>
  );
}
