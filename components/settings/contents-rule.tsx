"use client";

import { type FormEvent, useState } from "react";
import type { Account } from "#contract/accounts/account.ts";
import { contentsDays } from "#contract/accounts/constants.ts";
import type { BodyOf } from "#contract/routes/client.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Checkbox } from "@/components/ui/form/checkbox";
import { InputField } from "@/components/ui/form/input-fields";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

type Wanted = NonNullable<BodyOf<"PATCH /account">["contents"]>;

interface ContentsRuleProps {
  account: Account;
  /** The longest time that the operator allows; null: nothing can be kept. */
  maxDays: number | null;
  /** Only owners may change the rule. */
  mayChange: boolean;
}

/** What the account keeps of the contents of its calls. Turning that off asks first, because it cannot be undone. */
export function ContentsRule({ account, maxDays, mayChange }: ContentsRuleProps) {
  const t = useWords("settings");
  const rule = account.contents;
  const router = usePageRouter();
  const { toast } = useToast();
  const [keep, setKeep] = useState(rule.keep);
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const { busy, failure, show, send } = useSend();
  const choices = [
    { value: "off", label: t("nothing"), hint: t("figuresOnly") },
    { value: "chosen_keys", label: t("callsOfChosenKeys"), hint: t("callsOfChosenKeysMeans") },
    { value: "all", label: t("allCalls"), hint: t("allCallsMeans") },
  ] as const;

  const save = async (contents: Wanted) => {
    if (!(await send(() => answerOf(act("PATCH /account", { body: { contents } })))).ok) return;
    setAsking(false);
    toast({ title: contents.keep === "off" ? t("nothingIsKeptAnyMore") : t("savedNewCallsAreKept") });
    router.refresh();
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    show(null);
    setProblem(null);
    if (keep === "off") {
      if (rule.keep !== "off") setAsking(true);
      return;
    }
    const days = Number(typed.get("days"));
    const isRight = Number.isInteger(days) && days >= contentsDays.minimum && days <= (maxDays ?? 0);
    setProblem(
      isRight ? null : t("enterDays", { least: String(contentsDays.minimum), most: String(maxDays) }),
    );
    if (isRight) void save({ keep, days, embeddings: typed.get("embeddings") === "on" });
  };

  if (maxDays === null)
    return (
      <p className="text-table text-muted">
        {t.rich("contentsCannotBeKept", {}, { code: (text) => <code key="setting">{text}</code> })}
      </p>
    );
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4 rounded-panel border bg-panel p-4">
      {failure && !isAsking && <ErrorPanel error={failure} />}
      <fieldset disabled={!mayChange} className="flex flex-col gap-4">
        <RadioGroup legend={t("keepContentsOf")} options={choices} value={keep} onChange={setKeep} />
        {keep !== "off" && (
          <>
            <InputField
              label={t("days")}
              hint={t("daysHint", { most: String(maxDays) })}
              error={problem}
              name="days"
              type="number"
              min={contentsDays.minimum}
              max={maxDays}
              defaultValue={rule.days}
              className="max-w-40"
            />
            <Checkbox
              label={t("alsoTextsOfEmbeddingsAnd")}
              name="embeddings"
              defaultChecked={rule.embeddings}
            />
          </>
        )}
      </fieldset>
      <p className="text-table text-muted">
        {t.rich("contentsCanBeRead", {}, { code: (text) => <code key="scope">{text}</code> })}
        {!mayChange && t("andOnlyOwners")}
      </p>
      {mayChange && (
        <Button type="submit" className="self-start" busy={busy}>
          {t("save")}
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t("keepNothingAnyMore")}
        body={t("everythingThatWasKeptBecomes")}
        confirmLabel={t("deleteEverythingKept")}
        tone="bad"
        busy={busy}
        failure={failure}
        onConfirm={() => void save({ keep: "off" })}
      />
    </form>
  );
}
