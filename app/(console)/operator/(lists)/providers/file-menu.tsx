"use client";

import { EllipsisVertical } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { IconButton } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { useAsked } from "@/components/ui/page/use-asked";

const ExportDialog = dynamic(
  () => import("@/components/operator/file/export-dialog").then((module) => module.ExportDialog),
  { ssr: false },
);
const ImportDialog = dynamic(
  () => import("@/components/operator/file/import-dialog").then((module) => module.ImportDialog),
  { ssr: false },
);

/** Exports the configuration as a providers file; imports such a file, LiteLLM's configuration, or models. */
export function FileMenu() {
  const [open, setOpen] = useState<"export" | "import" | null>(null);
  const close = () => setOpen(null);
  useAsked("export", () => setOpen("export"));
  useAsked("import", () => setOpen("import"));
  return (
    <>
      <Menu
        label="More actions"
        trigger={<IconButton label="More actions" icon={<EllipsisVertical size={16} aria-hidden />} />}
        items={[
          { label: "Export as file…", onSelect: () => setOpen("export") },
          { label: "Import…", onSelect: () => setOpen("import") },
        ]}
      />
      {open === "export" && <ExportDialog onClose={close} />}
      {open === "import" && <ImportDialog onClose={close} />}
    </>
  );
}
