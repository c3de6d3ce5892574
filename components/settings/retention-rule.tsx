"use client";

import { type FormEvent, useState } from "react";
import type { CurrentAccount } from "#contract/accounts/account.ts";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { InputField } from "@/components/ui/form/input-fields";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { formatRetention } from "@/lib/retention";

interface RetentionRuleProps {
  account: CurrentAccount;
  /** The shortest time that the operator allows, in minutes; null: owners cannot choose one. */
  shortest: number | null;
  /** Only owners may change the rule. */
  mayChange: boolean;
}

/** How long the account keeps inputs and outputs. A shorter time asks first, because it removes what is stored. */
export function RetentionRule({ account, shortest, mayChange }: RetentionRuleProps) {
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
    toast({ title: `Removed ${formatRetention(minutes ?? usual)} after a run` });
    router.refresh();
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("minutes")).trim();
    const minutes = typed === "" ? null : Number(typed);
    show(null);
    const isWrong = minutes !== null && isFaulty(minutes);
    setProblem(isWrong ? `Enter a whole number from ${least} to ${Math.ceil(usual) - 1}, or nothing.` : null);
    if (isWrong) return;
    if (minutes !== null && minutes < (current ?? usual)) setAsked(minutes);
    else void save(minutes);
  };

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4 rounded-panel border bg-panel p-4">
      {failure && asked === null && <ErrorPanel error={failure} />}
      <p>
        Inputs, outputs and prompts are removed <strong>{formatRetention(current ?? usual)}</strong> after a
        run
        {current === null ? ", as everywhere in this installation." : ", as an owner of this account chose."}
      </p>
      {least === null ? (
        <p className="text-table text-muted">
          The operator allows no shorter time: <code>SHORTEST_RETENTION_MINUTES</code> is not set.
        </p>
      ) : (
        <>
          <InputField
            label="Minutes"
            hint={`From ${least}. Leave it empty for ${formatRetention(usual)}, as in the installation.`}
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
            <p>A time of your own means:</p>
            <ul className="mt-1 list-disc space-y-1 pl-5">
              <li>
                Removed after it: inputs and outputs of predictions and batches, pictures and speech, uploads,
                stored responses, and answers to repeated requests. Figures and metadata stay.
              </li>
              <li>
                Removed once delivered or dead: contents of webhooks, and what receivers answered. They cannot
                be sent again.
              </li>
              <li>
                Refused: keeping outputs, saving presets and conversations, and longer contents of calls.
              </li>
            </ul>
            {!mayChange && <p className="mt-2">Only owners can change this.</p>}
          </div>
          {mayChange && (
            <Button type="submit" className="self-start" busy={busy}>
              Save
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
        title={`Remove everything after ${formatRetention(asked ?? usual)}?`}
        body={
          <>
            This also applies to what is stored now: it is removed {formatRetention(asked ?? usual)} from now
            at the latest. Download what you need first. This cannot be undone.
            {removesKept && (
              <strong className="mt-3 block">
                {failure.message.split(". ")[0]}. What is kept is removed at once, with this change.
              </strong>
            )}
          </>
        }
        confirmLabel={removesKept ? "Remove what is kept, too" : "Remove earlier"}
        tone="bad"
        busy={busy}
        failure={removesKept ? null : failure}
        onConfirm={() => void save(asked)}
      />
    </form>
  );
}
