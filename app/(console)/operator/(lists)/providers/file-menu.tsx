"use client";

import { EllipsisVertical } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useWords } from "#words";
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
  const t = useWords("providers");
  const [open, setOpen] = useState<"export" | "import" | null>(null);
  const close = () => setOpen(null);
  useAsked("export", () => setOpen("export"));
  useAsked("import", () => setOpen("import"));
  return (
    <>
      <Menu
        label={t("moreActions")}
        trigger={<IconButton label={t("moreActions")} icon={<EllipsisVertical size={16} aria-hidden />} />}
        items={[
          { label: t("exportAsFile2"), onSelect: () => setOpen("export") },
          { label: t("import2"), onSelect: () => setOpen("import") },
        ]}
      />
      {open === "export" && <ExportDialog onClose={close} />}
      {open === "import" && <ImportDialog onClose={close} />}
    </>
  );
}
