"use client";

import { type FormEvent, useState } from "react";
import { metadataLimits } from "#contract/metadata.ts";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/use-place";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

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
          <Field
            key={name}
            label={at === 0 ? "Key" : "Another key"}
            hint={
              at === 0 ? "For example “customer”. If empty, usage is not grouped by metadata." : undefined
            }
            error={at === 1 ? problem : null}
          >
            {(aria) => (
              <Input
                {...aria}
                name={name}
                defaultValue={keys[at] ?? ""}
                maxLength={metadataLimits.keyLength}
                autoComplete="off"
                spellCheck={false}
                className="font-mono"
              />
            )}
          </Field>
        ))}
      </div>
      <Button type="submit" className="self-start" busy={busy}>
        Save keys
      </Button>
    </form>
  );
}
