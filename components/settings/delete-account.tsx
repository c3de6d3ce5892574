"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import type { DeleteAccountProps } from "./delete-account-dialog.tsx";

const DeleteAccountDialog = dynamic(
  () => import("./delete-account-dialog.tsx").then((module) => module.DeleteAccountDialog),
  { ssr: false },
);

/** The button with its confirmation. */
export function DeleteAccount(props: DeleteAccountProps) {
  const t = useWords("settings");
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {t("deleteAccount")}
      </Button>
      {asking && <DeleteAccountDialog {...props} onClose={() => setAsking(false)} />}
    </>
  );
}
