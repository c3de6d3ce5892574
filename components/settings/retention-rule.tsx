"use client";

import { type FormEvent, useState } from "react";
import type { CurrentAccount } from "#contract/accounts/account.ts";
import type { ErrorDetail } from "#contract/error.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { InputField } from "@/components/ui/form/input-fields";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { retentionIn } from "@/lib/retention";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";

interface RetentionRuleProps {
  account: CurrentAccount;
  /** The shortest time that the operator allows, in minutes; null: owners cannot choose one. */
  shortest: number | null;
  /** Only owners may change the rule. */
  mayChange: boolean;
}

/** How long the account keeps inputs and outputs. A shorter time asks first, because it removes what is stored. */
export function RetentionRule({ account, shortest, mayChange }: RetentionRuleProps) {
  const t = useWords("settings");
  const { retention_minutes: current, installation_retention_minutes: usual } = account;
  const router = usePageRouter();
  const { toast } = useToast();
  const [problem, setProblem] = useState<string | null>(null);
  const [asked, setAsked] = useState<number | null>(null);
  const { busy, failure, show, send } = useSend();
  const removesKept = failure?.code === "retention_removes_kept";
  // A longer time is always allowed.
  const least = shortest === null || current === null ? (shortest ?? current) : Math.min(shortest, current);
  const isFaulty = (minutes: number) =>
    !Number.isInteger(minutes) || least === null || minutes < least || minutes >= usual;

  const save = async (minutes: number | null) => {
    const body = { retention_minutes: minutes, ...(removesKept && { remove_kept: true }) };
    if (!(await send(() => answerOf(act("PATCH /account", { body })))).ok) return;
    setAsked(null);
    toast({ title: t("removedAfterARun", retentionIn(minutes ?? usual)) });
    router.refresh();
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("minutes")).trim();
    const minutes = typed === "" ? null : Number(typed);
    show(null);
    const isWrong = minutes !== null && isFaulty(minutes);
    setProblem(isWrong ? t("enterMinutes", { least: String(least), most: Math.ceil(usual) - 1 }) : null);
    if (isWrong) return;
    if (minutes !== null && minutes < (current ?? usual)) setAsked(minutes);
    else void save(minutes);
  };

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4 rounded-panel border bg-panel p-4">
      {failure && asked === null && <ErrorPanel error={failure} />}
      <p>
        {t.rich(
          "removedAfter",
          { ...retentionIn(current ?? usual), by: current === null ? "installation" : "owner" },
          { b: (text) => <strong key="time">{text}</strong> },
        )}
      </p>
      {least === null ? (
        <p className="text-table text-muted">
          {t.rich("noShorterTime", {}, { code: (text) => <code key="setting">{text}</code> })}
        </p>
      ) : (
        <>
          <InputField
            label={t("minutes")}
            hint={t("minutesHint", { least: String(least), ...retentionIn(usual) })}
            error={problem}
            name="minutes"
            type="number"
            min={least}
            max={Math.ceil(usual) - 1}
            defaultValue={current ?? ""}
            disabled={!mayChange}
            className="max-w-64"
          />
          <div className="text-table text-muted">
            <p>{t("aTimeOfYourOwn")}</p>
            <ul className="mt-1 list-disc space-y-1 pl-5">
              <li>{t("removedAfterItInputsAnd")}</li>
              <li>{t("removedOnceDeliveredOrDead")}</li>
              <li>{t("refusedKeepingOutputsSavingPresets")}</li>
            </ul>
            {!mayChange && <p className="mt-2">{t("onlyOwnersCanChangeThis")}</p>}
          </div>
          {mayChange && (
            <Button type="submit" className="self-start" busy={busy}>
              {t("save")}
            </Button>
          )}
        </>
      )}
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => {
          if (open) return;
          setAsked(null);
          show(null);
        }}
        title={t("removeEverythingAfter", retentionIn(asked ?? usual))}
        body={
          <>
            {t("removeEverythingMeans", retentionIn(asked ?? usual))}
            {removesKept && (
              <strong className="mt-3 block">
                {t("keptIsRemoved", {
                  kept: listText(
                    t.language,
                    failure.details.map((kept) => keptThings(t, kept)),
                    "plain",
                  ),
                })}
              </strong>
            )}
          </>
        }
        confirmLabel={removesKept ? t("removeWhatIsKeptToo") : t("removeEarlier")}
        tone="bad"
        busy={busy}
        failure={removesKept ? null : failure}
        onConfirm={() => void save(asked)}
      />
    </form>
  );
}

/** `2 presets`: what is kept, by its keyword, and how many, which begins the gateway's sentence. */
function keptThings(t: Words<"settings">, { keyword, message }: ErrorDetail): string {
  return t("keptThings", { what: keyword, count: Number.parseInt(message, 10) || 0 });
}
