"use client";

import { type FormEvent, useState } from "react";
import type { Account } from "#contract/accounts/account.ts";
import { contentsDays } from "#contract/accounts/constants.ts";
import type { BodyOf } from "#contract/routes/client.ts";
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

const choices = [
  { value: "off", label: "Nothing", hint: "The request log has figures only." },
  {
    value: "chosen_keys",
    label: "Calls of chosen keys",
    hint: "Only calls of keys that were created or changed with contents: on.",
  },
  {
    value: "all",
    label: "All calls",
    hint: "Also those of this console. A key with contents: off is left out, and a request can decline.",
  },
] as const;

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
  const rule = account.contents;
  const router = usePageRouter();
  const { toast } = useToast();
  const [keep, setKeep] = useState(rule.keep);
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const { busy, failure, show, send } = useSend();

  const save = async (contents: Wanted) => {
    if (!(await send(() => answerOf(act("PATCH /account", { body: { contents } })))).ok) return;
    setAsking(false);
    toast({ title: contents.keep === "off" ? "Nothing is kept any more" : "Saved. New calls are kept." });
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
    setProblem(isRight ? null : `Enter a whole number from ${contentsDays.minimum} to ${maxDays}.`);
    if (isRight) void save({ keep, days, embeddings: typed.get("embeddings") === "on" });
  };

  if (maxDays === null)
    return (
      <p className="text-table text-muted">
        Contents cannot be kept here: the setting of this installation is <code>KEEP_CONTENTS=off</code>.
      </p>
    );
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4 rounded-panel border bg-panel p-4">
      {failure && !isAsking && <ErrorPanel error={failure} />}
      <fieldset disabled={!mayChange} className="flex flex-col gap-4">
        <RadioGroup legend="Keep contents of" options={choices} value={keep} onChange={setKeep} />
        {keep !== "off" && (
          <>
            <InputField
              label="Days"
              hint={`Then they are deleted. At most ${maxDays} here.`}
              error={problem}
              name="days"
              type="number"
              min={contentsDays.minimum}
              max={maxDays}
              defaultValue={rule.days}
              className="max-w-40"
            />
            <Checkbox
              label="Also texts of embeddings and rankings"
              name="embeddings"
              defaultChecked={rule.embeddings}
            />
          </>
        )}
      </fieldset>
      <p className="text-table text-muted">
        Owners and admins can then read what people wrote in every kept call, and so can keys with the scope{" "}
        <code>contents</code>. Tell the people concerned first. Texts are sealed in the database; files are
        never kept. Each opening is in the audit log.
        {!mayChange && " Only owners can change this."}
      </p>
      {mayChange && (
        <Button type="submit" className="self-start" busy={busy}>
          Save
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Keep nothing any more?"
        body="Everything that was kept becomes unreadable at once and is deleted, stored chat completions too. This cannot be undone."
        confirmLabel="Delete everything kept"
        tone="bad"
        busy={busy}
        failure={failure}
        onConfirm={() => void save({ keep: "off" })}
      />
    </form>
  );
}
