"use client";

import { type FormEvent, type ReactNode, useState } from "react";
import { personFields } from "#contract/accounts/constants.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/form/input-fields";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

interface NameFormProps {
  label: string;
  hint: string;
  name: string;
  route: "PATCH /account" | "PATCH /account/profile";
  autoComplete?: "name";
  children?: ReactNode;
}

/** A form to change the name of a person or account. */
export function NameForm({ label, hint, name, route, autoComplete, children }: NameFormProps) {
  const t = useWords("fields");
  const router = usePageRouter();
  const { toast } = useToast();
  const [problem, setProblem] = useState<string | null>(null);
  const { busy, failure, show, send } = useSend();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("name")).trim();
    show(null);
    setProblem(text === "" ? t("enterAName") : null);
    if (text === "") return;
    if (!(await send(() => answerOf(act(route, { body: { name: text } })))).ok) return;
    toast({ title: t("nameChanged") });
    router.refresh();
  };

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4 rounded-panel border bg-panel p-4">
      {failure && <ErrorPanel error={failure} />}
      <InputField
        label={label}
        rule={personFields.name}
        hint={hint}
        error={problem}
        name="name"
        defaultValue={name}
        autoComplete={autoComplete ?? "off"}
      />
      {children}
      <Button type="submit" className="self-start" busy={busy}>
        {t("saveName")}
      </Button>
    </form>
  );
}
