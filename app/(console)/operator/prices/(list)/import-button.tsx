"use client";

import { FileUp } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Price } from "#contract/operator/prices.ts";
import { Button } from "@/components/ui/button";
import type { MappedOperation } from "@/lib/operator/route-entry";

const ImportPricesDialog = dynamic(
  () => import("@/components/operator/prices/import-dialog").then((module) => module.ImportPricesDialog),
  { loading: () => null },
);

export interface ImportButtonProps {
  prices: readonly Price[];
  operations: readonly MappedOperation[];
  presets: Readonly<Record<string, string | null>>;
  currency: string;
}

export function ImportButton(props: ImportButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={<FileUp size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Import
      </Button>
      {open && <ImportPricesDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
