"use client";

import { useWords } from "#words";
import { saveFrom } from "@/lib/browser/save-file";
import { accountInAddress, placeOf } from "@/lib/paths";
import { Button } from "../button.tsx";

interface ExportButtonProps {
  route: "requests" | "webhooks/deliveries" | "audit_logs";
  /** The list's filter at the moment of the click, with the gateway's names. */
  filterAt: (nowMs: number) => object;
}

/** Downloads all rows that match the list's filters as CSV, streamed whatever the size. */
export function ExportButton({ route, filterAt }: ExportButtonProps) {
  const t = useWords("ui");
  const save = () => {
    const { accountId } = placeOf(window.location.pathname);
    const given = { ...filterAt(Date.now()), ...(accountId !== null && { [accountInAddress]: accountId }) };
    const query = new URLSearchParams(Object.entries(given).map(([name, value]) => [name, String(value)]));
    saveFrom(`/api/gateway/${route}/export?${query}`);
  };
  return (
    <Button title={t("downloadRows")} onClick={save}>
      CSV
    </Button>
  );
}
