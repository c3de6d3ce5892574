"use client";

import { useState } from "react";
import { type Cause, causeRules } from "#contract/notice-constants.ts";
import type { NoticePreferences } from "#contract/notices.ts";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { failureToast } from "@/components/ui/page/failure-toast";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { causeLabels } from "@/lib/notices/cause-labels";

const groups = [
  { title: "Your accounts", isOf: (cause: Cause) => causeRules[cause].roles !== null },
  { title: "The installation that you run", isOf: (cause: Cause) => causeRules[cause].roles === null },
];

/** A table of causes and channels. Each checkbox is saved as soon as it changes. */
export function PreferencesPart({ preferences }: { preferences: NoticePreferences }) {
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
        {email.available
          ? `E-mails go to ${email.address}: one per cause and hour, then a digest of the rest.`
          : "This installation does not send e-mail. Notices appear only in the bell's menu. Your choices apply as soon as e-mail is set up."}
      </p>
      {groups.map(({ title, isOf }) => {
        const shown = choices.filter(({ cause }) => isOf(cause));
        if (shown.length === 0) return null;
        return (
          <Table key={title} label={title}>
            <thead>
              <tr>
                <Th className="w-full">{title}</Th>
                <Th className="text-center">Console</Th>
                <Th className="text-center">E-mail</Th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ cause, ...on }) => {
                const { label, hint } = causeLabels[cause];
                return (
                  <Tr key={cause}>
                    <Td className="min-w-40">
                      <span className="block font-medium">{label}</span>
                      <span className="block text-meta text-muted">{hint}</span>
                    </Td>
                    {(["console", "email"] as const).map((way) => (
                      <Td key={way} className="text-center">
                        <Checkbox
                          hideLabel
                          label={`${label}: ${way === "email" ? "by e-mail" : "in the console"}`}
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
