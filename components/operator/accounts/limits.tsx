"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { OperatorAccountDetail } from "#contract/operator/accounts.ts";
import { Button } from "@/components/ui/button";

const LimitsDialog = dynamic(() => import("./limits-dialog.tsx").then((module) => module.LimitsDialog), {
  ssr: false,
});

interface ChangeLimitsProps {
  account: OperatorAccountDetail;
  modelIds: string[];
}

/** Changes what limits one account. */
export function ChangeLimits(props: ChangeLimitsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Change limits</Button>
      {isOpen && <LimitsDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
