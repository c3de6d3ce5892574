"use client";

import type { AskedGuard } from "#contract/usage.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { LinkButton } from "@/components/ui/button";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { Section } from "@/components/ui/page/section";
import { formatDuration } from "@/lib/format";

/** What the guards said that were asked about a run, for those who may see a guard with a link to it. */
export function AskedGuards({ guards }: { guards: readonly AskedGuard[] }) {
  const t = useWords("askedGuards");
  const { may, operator, role } = useAccess();
  const last = guards.at(-1);
  const href =
    last?.of === "installation"
      ? operator && "/operator/installation-guard"
      : role !== null && may("account:manage") && "/settings/guard";
  const isReplaced = (stage: AskedGuard["stage"]) =>
    guards.some((guard) => guard.stage === stage && guard.result === "replaced");
  const columns: readonly Column<AskedGuard & { id: string }>[] = [
    { head: t("guard"), cell: ({ of }) => t(of) },
    { head: t("stage"), cell: ({ stage }) => t(stage) },
    { head: t("answer"), cell: ({ result }) => t(result) },
    { head: t("time"), numeric: true, cell: ({ duration_ms: ms }) => formatDuration(ms, t.language) },
  ];
  return (
    <Section
      title={t("title")}
      actions={
        href && (
          <LinkButton size="sm" href={href}>
            {t("open")}
          </LinkButton>
        )
      }
    >
      <RowsTable
        label={t("title")}
        rows={guards.map((guard, index) => ({ ...guard, id: String(index) }))}
        columns={columns}
      />
      {isReplaced("input") && <p className="mt-2 text-table text-muted">{t("inputReplaced")}</p>}
      {isReplaced("output") && <p className="mt-2 text-table text-muted">{t("outputReplaced")}</p>}
    </Section>
  );
}
