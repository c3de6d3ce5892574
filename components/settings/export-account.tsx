"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import type { ExportAccountProps } from "./export-account-dialog.tsx";

const ExportAccountDialog = dynamic(
  () => import("./export-account-dialog.tsx").then((module) => module.ExportAccountDialog),
  { ssr: false },
);

/** The button with its dialog. */
export function ExportAccount(props: ExportAccountProps) {
  const t = useWords("settings");
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t("export")}</Button>
      {open && <ExportAccountDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
