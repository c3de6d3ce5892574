"use client";

import dynamic from "next/dynamic";
import { type FormEvent, useState } from "react";
import type { Account } from "#contract/accounts/account.ts";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { Textarea } from "@/components/ui/form/input";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/use-place";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

const RotateCallbackSecret = dynamic(
  () => import("./rotate-callback-secret").then((part) => part.RotateCallbackSecret),
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
          <Field label="Hosts" hint="One on each line, without https://." error={problem}>
            {(aria) => (
              <Textarea
                {...aria}
                name="hosts"
                defaultValue={hosts?.join("\n")}
                spellCheck={false}
                autoComplete="off"
                className="font-mono"
              />
            )}
          </Field>
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
