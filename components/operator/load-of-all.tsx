"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { useWords } from "#words";
import { Load } from "@/components/activity/load";
import { Button, LinkButton } from "@/components/ui/button";

const OperatorKeyDialog = dynamic(
  () => import("@/components/keys/limit-key-dialog").then((module) => module.OperatorKeyDialog),
  { ssr: false },
);

/** The load of all accounts. From a row, an operator limits the account or the key. */
export function LoadOfAll() {
  const t = useWords("load");
  const [keyId, setKeyId] = useState<string | null>(null);
  return (
    <>
      <Load
        of="everyone"
        action={({ group, account_id: accountId, name }) =>
          group?.startsWith("key_") ? (
            <Button
              size="sm"
              aria-label={t("limitTheKey", { name: name ?? group })}
              onClick={() => setKeyId(group)}
            >
              {t("limitKey")}
            </Button>
          ) : accountId ? (
            <LinkButton size="sm" href={`/operator/accounts/${accountId}?do=limits`}>
              {t("limitAccount")}
            </LinkButton>
          ) : null
        }
      />
      {keyId && <OperatorKeyDialog id={keyId} onClose={() => setKeyId(null)} />}
    </>
  );
}
