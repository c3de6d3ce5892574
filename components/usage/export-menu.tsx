"use client";

import { Download } from "lucide-react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { saveFrom } from "@/lib/browser/save-file";
import { accountInAddress } from "@/lib/paths";

interface ExportMenuProps {
  route: "usage" | "operator/usage";
  span: { from: string; to: string };
  /** The page's filter, with the gateway's names. */
  filter?: Readonly<Record<string, string>>;
  accountId: string;
}

/** Downloads the sums of the days on the page, streamed whatever the size. */
export function ExportMenu({ route, span: { from, to }, filter = {}, accountId }: ExportMenuProps) {
  const t = useWords("usage");
  const save = (format: string) =>
    saveFrom(
      `/api/gateway/${route}/export?${new URLSearchParams({ ...filter, from, to, format, [accountInAddress]: accountId })}`,
    );
  return (
    <Menu
      label={t("export")}
      trigger={<Button icon={<Download size={16} aria-hidden />}>{t("export")}</Button>}
      items={[
        {
          label: t("tableCsv"),
          hint: t("eachDayModelKeyAnd"),
          onSelect: () => save("csv"),
        },
        {
          label: t("focus12Csv"),
          hint: t("forCostToolsOnlyUsage"),
          onSelect: () => save("focus"),
        },
      ]}
    />
  );
}
