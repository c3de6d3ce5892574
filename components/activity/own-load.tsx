"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { ApiKey } from "#contract/accounts/keys.ts";
import { useWords } from "#words";
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
  const t = useWords("load");
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
            <Button
              size="sm"
              aria-label={t("limitTheKey", { name: key.name })}
              onClick={() => setLimited(key)}
            >
              {t("limitKey")}
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
