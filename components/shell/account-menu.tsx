"use client";

import { Keyboard, KeyRound, LogOut, Settings, UserRound } from "lucide-react";
import { unstable_rethrow } from "next/navigation";
import { useTransition } from "react";
import { IconButton } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { useToast } from "@/components/ui/toast";
import type { SessionView } from "@/lib/session-view";

interface AccountMenuProps {
  session: SessionView;
  signOut: () => Promise<void>;
  openShortcuts: () => void;
}

export function AccountMenu({ session, signOut, openShortcuts }: AccountMenuProps) {
  const [leaving, startLeaving] = useTransition();
  const { toast } = useToast();
  const leave = async () => {
    try {
      await signOut();
    } catch (error) {
      unstable_rethrow(error);
      toast({
        tone: "bad",
        title: "Could not sign out",
        description: "Check your connection and try again.",
      });
    }
  };
  const Icon = session.kind === "key" ? KeyRound : UserRound;
  return (
    <Menu
      label="Account"
      header={
        <div className="border-b px-2 pt-1 pb-2 mb-1">
          <p className="font-medium wrap-anywhere">{session.name}</p>
          <p className="text-table text-muted wrap-anywhere">
            {session.email ?? `Signed in with a key of ${session.accountName}`}
          </p>
        </div>
      }
      trigger={<IconButton label="Account" busy={leaving} icon={<Icon size={16} aria-hidden />} />}
      items={[
        ...(session.kind === "user"
          ? [{ label: "Your profile", icon: <UserRound size={15} aria-hidden />, href: "/settings/profile" }]
          : []),
        { label: "Settings", icon: <Settings size={15} aria-hidden />, href: "/settings" },
        { label: "Keyboard shortcuts", icon: <Keyboard size={15} aria-hidden />, onSelect: openShortcuts },
        {
          label: "Sign out",
          icon: <LogOut size={15} aria-hidden />,
          onSelect: () => startLeaving(leave),
        },
      ]}
    />
  );
}
