"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { ViewList } from "#contract/view-constants.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { Button } from "../button.tsx";

const ViewsDialog = dynamic(() => import("./views-dialog.tsx").then((module) => module.ViewsDialog), {
  ssr: false,
});

interface ViewsButtonProps {
  list: ViewList;
  /** The filters in the page's address, without the place in the list. */
  search: string;
}

/** Opens the saved views of a list. Keys have none, because a view belongs to people. */
export function ViewsButton({ list, search }: ViewsButtonProps) {
  const t = useWords("ui");
  const { userId } = useAccess();
  const [open, setOpen] = useState(false);
  if (userId === null) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t("views")}</Button>
      {open && <ViewsDialog list={list} search={search} onClose={() => setOpen(false)} />}
    </>
  );
}
