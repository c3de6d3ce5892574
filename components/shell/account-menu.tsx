"use client";

import { IconButton } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import type { SessionView } from "@/lib/person";
import { ShellIcon } from "./shell-icon.tsx";
import { useSignOut } from "./use-sign-out.ts";

interface AccountMenuProps {
  session: SessionView;
  signOut: () => Promise<void>;
  openShortcuts: () => void;
}

export function AccountMenu({ session, signOut, openShortcuts }: AccountMenuProps) {
  const { isLeaving, leave } = useSignOut(signOut);
  const icon = session.kind === "key" ? "key-round" : "user-round";
  return (
    <Menu
      startsOpen
      label="Profile and settings"
      header={
        <div className="border-b px-2 pt-1 pb-2 mb-1">
          <p className="font-medium wrap-anywhere">{session.name}</p>
          <p className="text-table text-muted wrap-anywhere">
            {session.email ?? `Signed in with a key of ${session.accountName}`}
          </p>
        </div>
      }
      trigger={
        <IconButton
          label="Profile and settings"
          busy={isLeaving}
          icon={<ShellIcon name={icon} size={16} />}
        />
      }
      items={[
        ...(session.kind === "user"
          ? [
              {
                label: "Your profile",
                icon: <ShellIcon name="user-round" size={15} />,
                href: "/settings/profile",
              },
              {
                label: "Notifications",
                icon: <ShellIcon name="bell" size={15} />,
                href: "/settings/notifications",
              },
            ]
          : []),
        { label: "Settings", icon: <ShellIcon name="settings" size={15} />, href: "/settings" },
        {
          label: "Keyboard shortcuts",
          icon: <ShellIcon name="keyboard" size={15} />,
          onSelect: openShortcuts,
        },
        {
          label: "Sign out",
          icon: <ShellIcon name="log-out" size={15} />,
          onSelect: leave,
        },
      ]}
    />
  );
}
