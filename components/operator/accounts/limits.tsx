"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import type { LimitsDialogProps } from "./limits-dialog.tsx";

const LimitsDialog = dynamic(() => import("./limits-dialog.tsx").then((module) => module.LimitsDialog), {
  ssr: false,
});

/** Changes what limits one account. `isOpen`: the dialog is open at first, because a link asked for it. */
export function ChangeLimits({
  isOpen: isOpenAtFirst = false,
  ...props
}: Omit<LimitsDialogProps, "onClose"> & { isOpen?: boolean }) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Change limits</Button>
      {isOpen && <LimitsDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
