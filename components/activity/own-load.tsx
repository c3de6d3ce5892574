"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { ApiKey } from "#contract/accounts/keys.ts";
import { useAccess } from "@/components/team/access";
import { Button } from "@/components/ui/button";
import { usePageRouter } from "@/components/ui/page/link";
import { Load } from "./load.tsx";

const LimitKeyDialog = dynamic(
  () => import("@/components/keys/limit-key-dialog").then((module) => module.LimitKeyDialog),
  { ssr: false },
);

/** The load of the account. From the row of a key, owners and admins limit it. */
export function OwnLoad({ keys }: { keys: readonly ApiKey[] }) {
  const router = usePageRouter();
  const [limited, setLimited] = useState<ApiKey | null>(null);
  const mayLimit = useAccess().may("keys:manage");
  return (
    <>
      <Load
        of="account"
        action={({ group }) => {
          const key = keys.find(({ id }) => id === group);
          if (!mayLimit || !key) return null;
          return (
            <Button size="sm" aria-label={`Limit the key ${key.name}`} onClick={() => setLimited(key)}>
              Limit key
            </Button>
          );
        }}
      />
      {limited && (
        <LimitKeyDialog
          apiKey={limited}
          onClose={() => setLimited(null)}
          onChanged={() => router.refresh()}
        />
      )}
    </>
  );
}
