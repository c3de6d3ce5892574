"use client";

import dynamic from "next/dynamic";
import { type FormEvent, type ReactNode, useState } from "react";
import type { Account } from "#contract/accounts/account.ts";
import { metadataLimits } from "#contract/metadata.ts";
import type { BodyOf } from "#contract/routes/client.ts";
import { useWords } from "#words";
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
  const t = useWords("settings");
  const from = account.second_factor_from;
  return (
    <AccountRule
      label={t("requireASecondFactorOf")}
      isOn={from !== null}
      meaning={
        from === null
          ? t("eachMemberDecides")
          : t.rich("membersWithoutOne", {}, { time: () => <Time key="from" value={from} mode="absolute" /> })
      }
      texts={
        from === null
          ? {
              title: t("requireASecondFactor"),
              body: t("membersSeeANoticeFor"),
              confirm: t("requireItInAWeek"),
              done: t("membersHaveAWeekTo"),
            }
          : {
              title: t("noLongerRequireASecond"),
              body: t("membersWithoutASecondFactor"),
              confirm: t("stopRequiringASecondFactor"),
              done: t("aSecondFactorIsNo"),
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
  const t = useWords("settings");
  const isOn = account.sign_in === "provider";
  return (
    <AccountRule
      label={t("signInOnlyWith", { name })}
      isOn={isOn}
      meaning={isOn ? t("otherSessionsRefused") : t("otherSessionsAllowed")}
      texts={
        isOn
          ? {
              title: t("allowSigningInWithA"),
              body: t("membersCanSignInWith"),
              confirm: t("allowPasswords"),
              done: t("membersCanSignInWith2"),
            }
          : {
              title: t("signInOnlyWithAsk", { name }),
              body: t("signInOnlyWithMeans", { name }),
              confirm: t("onlyProvider", { name }),
              done: t("nowOnlyWith", { name }),
            }
      }
      change={{ sign_in: isOn ? "any" : "provider" }}
      mayChange={mayChange}
    />
  );
}

/** Whether members may share outputs of gated models by link. */
export function GatedSharingRule({ account, mayChange }: RuleProps) {
  const t = useWords("settings");
  const isOn = account.share_gated_outputs;
  return (
    <AccountRule
      label={t("allowSharingOutputsOfGated")}
      isOn={isOn}
      meaning={isOn ? t("gatedLinksForAttested") : t("noGatedLinks")}
      texts={
        isOn
          ? {
              title: t("stopAllowingLinksToOutputs"),
              body: t("linksToOutputsOfGated"),
              confirm: t("stopAllowingIt"),
              done: t("sharingOutputsOfGatedModels"),
            }
          : {
              title: t("allowSharingOutputsOfGated2"),
              body: t("membersCanCreateLinksTo"),
              confirm: t("allowIt"),
              done: t("allowed"),
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
  const t = useWords("settings");
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
        {!mayChange && t("andOnlyOwners")}
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

type Choice = "any" | "listed" | "off";

interface CallbackRuleProps {
  account: Account;
  /** Only owners may change the rule. */
  mayChange: boolean;
}

/** The hosts that requests may name as their receiver, and the secret that signs the callbacks. */
export function CallbackRule({ account, mayChange }: CallbackRuleProps) {
  const t = useWords("settings");
  const hosts = account.callback_hosts;
  const router = usePageRouter();
  const { toast } = useToast();
  const [choice, setChoice] = useState<Choice>(hosts === null ? "any" : hosts.length > 0 ? "listed" : "off");
  const [problem, setProblem] = useState<string | null>(null);
  const [isRotating, setRotating] = useState(false);
  const { busy, failure, send } = useSend();
  const mayRotate = account.permissions.includes("endpoints:manage");
  const choices = [
    { value: "any", label: t("anyPublicHost"), hint: t("withoutGatedUrls") },
    { value: "listed", label: t("onlyTheseHosts"), hint: t("withGatedUrls") },
    { value: "off", label: t("noHost"), hint: t("receiversAreRefused") },
  ] as const;

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("hosts") ?? "");
    const listed = typed.split(/[\s,]+/).filter((host) => host !== "");
    const isEmpty = choice === "listed" && listed.length === 0;
    setProblem(isEmpty ? t("enterAtLeastOneHost") : null);
    if (isEmpty) return;
    const wanted = choice === "any" ? null : choice === "off" ? [] : listed;
    const saved = await send(() => answerOf(act("PATCH /account", { body: { callback_hosts: wanted } })));
    if (!saved.ok) return;
    toast({ title: t("callbackHostsSaved") });
    router.refresh();
  };

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4 rounded-panel border bg-panel p-4">
      {failure && <ErrorPanel error={failure} />}
      <fieldset disabled={!mayChange} className="flex flex-col gap-3">
        <RadioGroup legend={t("allowedHosts")} options={choices} value={choice} onChange={setChoice} />
        {choice === "listed" && (
          <TextareaField
            label={t("hosts")}
            hint={t("oneOnEachLineWithout")}
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
            {t("saveHosts")}
          </Button>
        )}
        {mayRotate && <Button onClick={() => setRotating(true)}>{t("rotateCallbackSecret")}</Button>}
      </div>
      {!mayChange && <p className="text-table text-muted">{t("onlyOwnersCanChangeThis")}</p>}
      {isRotating && <RotateCallbackSecret onDone={() => setRotating(false)} />}
    </form>
  );
}

const names = ["first", "second"] as const;

/** The metadata keys by which usage is grouped. */
export function UsageKeysForm({ keys }: { keys: readonly string[] }) {
  const t = useWords("settings");
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
    setProblem(isTwice ? t("sameAsTheFirstKey") : null);
    if (isTwice) return;
    const saved = await send(() => answerOf(act("PATCH /account", { body: { usage_keys: wanted } })));
    if (!saved.ok) return;
    toast({ title: t("savedUsageOfNewRuns") });
    router.refresh();
  };

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4 rounded-panel border bg-panel p-4">
      {failure && <ErrorPanel error={failure} />}
      <div className="grid gap-3 phone:grid-cols-2">
        {names.map((name, at) => (
          <InputField
            key={name}
            label={at === 0 ? t("key") : t("anotherKey")}
            hint={at === 0 ? t("forExampleCustomerIfEmpty") : undefined}
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
        {t("saveKeys")}
      </Button>
    </form>
  );
}
