"use client";

import { useState } from "react";
import { type Cause, causeRules } from "#contract/notice-constants.ts";
import type { NoticePreferences } from "#contract/notices.ts";
import { useWords } from "#words";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { failureToast } from "@/components/ui/page/failure-toast";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { causeHint, causeLabel } from "@/lib/notices/cause-labels";

const groups = [
  { title: "yourAccounts", isOf: (cause: Cause) => causeRules[cause].roles !== null },
  { title: "yourInstallation", isOf: (cause: Cause) => causeRules[cause].roles === null },
] as const;

/** A table of causes and channels. Each checkbox is saved as soon as it changes. */
export function PreferencesPart({ preferences }: { preferences: NoticePreferences }) {
  const t = useWords("noticePages");
  const { toast } = useToast();
  const [choices, setChoices] = useState(preferences.data);
  const { email } = preferences;

  const change = async (cause: Cause, way: "console" | "email", isOn: boolean) => {
    const before = choices.find((choice) => choice.cause === cause);
    if (!before) return;
    const choice = { console: before.console, email: before.email, [way]: isOn };
    const replace = (next: (typeof choices)[number]) =>
      setChoices((all) => all.map((each) => (each.cause === cause ? next : each)));
    replace({ ...before, ...choice });
    const answer = await answerOf(
      act("PATCH /notices/preferences", { body: { choices: { [cause]: choice } } }),
    );
    if (answer.ok) return;
    replace(before);
    toast(await failureToast(answer.error));
  };

  return (
    <div className="space-y-5">
      <p className="text-table text-muted wrap-anywhere">
        {email.available ? t("mailsGoTo", { address: email.address }) : t("noMail")}
      </p>
      {groups.map(({ title, isOf }) => {
        const shown = choices.filter(({ cause }) => isOf(cause));
        if (shown.length === 0) return null;
        return (
          <Table key={title} label={t(title)}>
            <thead>
              <tr>
                <Th className="w-full">{t(title)}</Th>
                <Th className="text-center">{t("console")}</Th>
                <Th className="text-center">{t("email")}</Th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ cause, ...on }) => {
                const label = causeLabel(t, cause);
                return (
                  <Tr key={cause}>
                    <Td className="min-w-40">
                      <span className="block font-medium">{label}</span>
                      <span className="block text-meta text-muted">{causeHint(t, cause)}</span>
                    </Td>
                    {(["console", "email"] as const).map((way) => (
                      <Td key={way} className="text-center">
                        <Checkbox
                          hideLabel
                          label={t(way === "email" ? "causeByMail" : "causeInConsole", { cause: label })}
                          checked={on[way]}
                          onChange={(event) => void change(cause, way, event.currentTarget.checked)}
                        />
                      </Td>
                    ))}
                  </Tr>
                );
              })}
            </tbody>
          </Table>
        );
      })}
    </div>
  );
}
