"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { EndedAccess } from "#contract/operator/constants.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import type { EverybodyOutProps } from "./end-access-dialog.tsx";

const EndAccessDialog = dynamic(
  () => import("./end-access-dialog.tsx").then((module) => module.EndAccessDialog),
  { ssr: false },
);

/** Ends all sessions, or all personal keys. */
export function EverybodyOut(props: EverybodyOutProps) {
  const t = useWords("operatorAccounts");
  const [what, setWhat] = useState<EndedAccess | null>(null);
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => setWhat("sessions")}>{t("endAllSessions")}</Button>
      <Button onClick={() => setWhat("personal_keys")}>{t("endAllPersonalKeys")}</Button>
      {what && <EndAccessDialog {...props} what={what} onClose={() => setWhat(null)} />}
    </div>
  );
}
