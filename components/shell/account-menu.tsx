"use client";

import { useWords } from "#words";
import { IconButton } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { failureToast } from "@/components/ui/page/failure-toast";
import { useToast } from "@/components/ui/toast";
import { useChangeLanguage } from "@/components/words/use-language";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import type { SessionView } from "@/lib/person";
import { type Language, languages } from "@/messages/languages";
import { ShellIcon } from "./shell-icon.tsx";
import { useSignOut } from "./use-sign-out.ts";

const languageNames = Object.entries(languages) as [Language, string][];

interface AccountMenuProps {
  session: SessionView;
  signOut: () => Promise<void>;
  openShortcuts: () => void;
}

export function AccountMenu({ session, signOut, openShortcuts }: AccountMenuProps) {
  const t = useWords("shell");
  const titles = useWords("pages");
  const { isLeaving, leave } = useSignOut(signOut);
  const change = useChangeLanguage();
  const { toast } = useToast();
  // A person's choice is also for their other browsers and their e-mails.
  const chooseLanguage = async (language: Language) => {
    change(language);
    if (session.kind !== "user") return;
    const answer = await answerOf(act("PATCH /account/profile", { body: { language } }));
    if (!answer.ok) toast(await failureToast(answer.error));
  };
  const icon = session.kind === "key" ? "key-round" : "user-round";
  return (
    <Menu
      startsOpen
      label={t("profileAndSettings")}
      header={
        <div className="border-b px-2 pt-1 pb-2 mb-1">
          <p className="font-medium wrap-anywhere">{session.name}</p>
          <p className="text-table text-muted wrap-anywhere">
            {session.email ?? t("signedInWithKey", { account: session.accountName })}
          </p>
        </div>
      }
      trigger={
        <IconButton
          label={t("profileAndSettings")}
          busy={isLeaving}
          icon={<ShellIcon name={icon} size={16} />}
        />
      }
      items={[
        ...(session.kind === "user"
          ? [
              {
                label: titles("profile"),
                icon: <ShellIcon name="user-round" size={15} />,
                href: "/settings/profile",
              },
              {
                label: titles("notifications"),
                icon: <ShellIcon name="bell" size={15} />,
                href: "/settings/notifications",
              },
            ]
          : []),
        { label: titles("settings"), icon: <ShellIcon name="settings" size={15} />, href: "/settings" },
        {
          label: t("shortcuts"),
          icon: <ShellIcon name="keyboard" size={15} />,
          onSelect: openShortcuts,
        },
        ...languageNames
          .filter(([language]) => language !== t.language)
          .map(([language, label]) => ({
            label,
            icon: <ShellIcon name="languages" size={15} />,
            onSelect: () => void chooseLanguage(language),
          })),
        {
          label: t("signOut"),
          icon: <ShellIcon name="log-out" size={15} />,
          onSelect: leave,
        },
      ]}
    />
  );
}
