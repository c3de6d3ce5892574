"use client";

import { useState } from "react";
import { useWords } from "#words";
import { Switch } from "@/components/ui/form/switch";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Link } from "@/components/ui/page/link";
import type { CompareRow } from "./compare-rows.ts";

interface CompareTableProps {
  ids: readonly string[];
  rows: readonly CompareRow[];
}

/** Models side by side. Facts that are the same for all can be hidden. */
export function CompareTable({ ids, rows }: CompareTableProps) {
  const t = useWords("catalog");
  const [onlyDifferences, setOnlyDifferences] = useState(true);
  const shown = onlyDifferences ? rows.filter((row) => row.differs) : rows;
  return (
    <>
      <div className="mb-3">
        <Switch
          label={t("onlyDifferences")}
          checked={onlyDifferences}
          onChange={(event) => setOnlyDifferences(event.target.checked)}
        />
      </div>
      {shown.length === 0 ? (
        <p className="text-muted">{t("theseModelsHaveNoDifferences")}</p>
      ) : (
        <Table label={t("modelsSideBySide")}>
          <thead>
            <tr>
              <Th>{t("property")}</Th>
              {ids.map((id) => (
                <Th key={id}>
                  <Link href={`/catalog/${id}`} className="font-mono text-accent hover:underline">
                    {id}
                  </Link>
                </Th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Tr key={`${row.group} ${row.name}`}>
                <th
                  scope="row"
                  className="row-padding px-3 text-left align-top font-medium whitespace-nowrap"
                >
                  <span className={row.group === "Input" ? "font-mono" : undefined}>{row.name}</span>
                  <span className="block text-meta font-normal text-muted">
                    {t("group", { group: row.group })}
                  </span>
                </th>
                {row.values.map((value, column) => (
                  <Td key={ids[column]} className="min-w-44 align-top wrap-anywhere">
                    {value ?? <span className="text-faint">{t("notAvailable")}</span>}
                  </Td>
                ))}
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </>
  );
}
