"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect } from "react";
import type { CurrentAccount } from "#contract/accounts/account.ts";
import type { ContentsRule, Role } from "#contract/accounts/constants.ts";
import type { Permission, PermissionsByRoles } from "#contract/accounts/permissions.ts";
import { usePageRouter } from "@/components/ui/page/link";
import { callRoute, roleRefusedEvent } from "@/lib/browser/gateway";
import { queryKeys } from "@/lib/query-keys";

const askEveryMs = 30_000;

export interface Access {
  /**
   * Null for a key, and if the gateway has no roles. In both cases only the gateway decides what is allowed.
   */
  role: Role | null;
  userId: string | null;
  may(permission: Permission): boolean;
  /** The roles that have the permission. */
  rolesWith(permission: Permission): readonly Role[];
  /**
   * Whether the role can run operations. Roles that cannot get no buttons. Others get every button, and one
   * that they may not use shows who may.
   */
  acts: boolean;
  /** Whether the visitor is an operator of this installation. */
  operator: boolean;
  /** Null if the gateway did not return the name. */
  accountName: string | null;
  /** Whether outputs can be kept in the library. */
  keepsOutputs: boolean;
  /** After how many minutes inputs and outputs are removed, if an owner chose less than the installation's time. */
  retentionMinutes: number | null;
  /** Of which calls the account keeps the contents. */
  keepsContents: ContentsRule;
  /** True when the installation sends nothing to other machines. */
  quiet: boolean;
  /** True when the account will be deleted, or is being deleted. */
  deletion: CurrentAccount["deletion"];
}

const AccessContext = createContext<CurrentAccount | null>(null);
const RolesContext = createContext<PermissionsByRoles>([]);

/**
 * Provides the visitor's permissions to pages. A change of role takes effect with the next answer of the
 * gateway, or at once if it refused something.
 */
export function AccessProvider({
  account,
  permissionsByRoles,
  children,
}: {
  account: CurrentAccount | null;
  permissionsByRoles: PermissionsByRoles;
  children: ReactNode;
}) {
  const router = usePageRouter();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: queryKeys.account(),
    queryFn: async () => {
      const answer = await callRoute("GET /account");
      return answer.ok ? answer.data : account;
    },
    initialData: account,
    refetchInterval: askEveryMs,
    staleTime: askEveryMs,
    enabled: account !== null && account.user !== null,
  });

  useEffect(() => {
    queries.setQueryData(queryKeys.account(), account);
  }, [queries, account]);

  useEffect(() => {
    const onRefused = () => void queries.invalidateQueries({ queryKey: queryKeys.account() });
    window.addEventListener(roleRefusedEvent, onRefused);
    return () => window.removeEventListener(roleRefusedEvent, onRefused);
  }, [queries]);

  const changed =
    data?.id === account?.id &&
    (data?.role !== account?.role || data?.deletion?.state !== account?.deletion?.state);
  useEffect(() => {
    if (changed) router.refresh();
  }, [changed, router]);

  return (
    <RolesContext value={permissionsByRoles}>
      <AccessContext value={data ?? account}>{children}</AccessContext>
    </RolesContext>
  );
}

export function useAccess(): Access {
  const account = useContext(AccessContext);
  const permissionsByRoles = useContext(RolesContext);
  const role = account?.user ? account.role : null;
  const permissions = new Set(account?.permissions);
  return {
    role,
    userId: account?.user?.id ?? null,
    may: (permission) => role === null || permissions.has(permission),
    rolesWith: (permission) => permissionsByRoles.find(([, alike]) => alike.includes(permission))?.[0] ?? [],
    acts: role === null || permissions.has("operations:run"),
    operator: account?.user?.operator ?? false,
    accountName: account?.name ?? null,
    keepsOutputs: account?.keeps_outputs ?? true,
    retentionMinutes: account?.retention_minutes ?? null,
    // Null: the operator keeps none, whatever the account chose before.
    keepsContents: account?.contents_max_days === null ? "off" : (account?.contents?.keep ?? "off"),
    quiet: account?.quiet ?? false,
    deletion: account?.deletion ?? null,
  };
}
