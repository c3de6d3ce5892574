"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { useAsked } from "@/components/ui/page/use-asked";
import type { LimitsDialogProps } from "./limits-dialog.tsx";

const LimitsDialog = dynamic(() => import("./limits-dialog.tsx").then((module) => module.LimitsDialog), {
  ssr: false,
});

/** Changes what limits one account. */
export function ChangeLimits(props: Omit<LimitsDialogProps, "onClose">) {
  const t = useWords("operatorAccounts");
  const [isOpen, setOpen] = useState(false);
  useAsked("limits", () => setOpen(true));
  return (
    <div>
      <Button onClick={() => setOpen(true)}>{t("changeLimits")}</Button>
      {isOpen && <LimitsDialog {...props} onClose={() => setOpen(false)} />}
    </div>
  );
}
