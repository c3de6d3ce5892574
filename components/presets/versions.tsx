"use client";

import { useState } from "react";
import type { PresetVersionSummary } from "#contract/presets.ts";
import { useWords } from "#words";
import { Permitted } from "@/components/team/permitted";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { SelectField } from "@/components/ui/form/input-fields";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { failureToast } from "@/components/ui/page/failure-toast";
import { Link, usePageRouter } from "@/components/ui/page/link";
import { useUndoable } from "@/components/ui/page/use-undoable";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { act } from "@/lib/gateway/act";
import { makerName } from "@/lib/team/maker";

interface VersionChoiceProps {
  id: string;
  /** Revisions, newest first. */
  versions: readonly number[];
  from: number;
  to: number;
}

/** Chooses the two versions to compare. */
export function VersionChoice({ id, versions, from, to }: VersionChoiceProps) {
  const t = useWords("presets");
  const router = usePageRouter();
  const choose = (next: { from: number; to: number }) =>
    router.replace(`/presets/${id}?from=${next.from}&to=${next.to}`, { scroll: false });
  return (
    <>
      <VersionSelect
        label={t("from")}
        value={from}
        versions={versions}
        onChange={(value) => choose({ from: value, to })}
      />
      <VersionSelect
        label={t("to")}
        value={to}
        versions={versions}
        onChange={(value) => choose({ from, to: value })}
      />
    </>
  );
}

interface VersionSelectProps {
  label: string;
  value: number;
  versions: readonly number[];
  onChange: (version: number) => void;
}

function VersionSelect({ label, value, versions, onChange }: VersionSelectProps) {
  const t = useWords("presets");
  return (
    <SelectField
      label={label}
      hideLabel
      value={value}
      onValue={(version) => onChange(Number(version))}
      options={versions.map((version) => [
        String(version),
        t("labelVersion", { label, version: String(version) }),
      ])}
    />
  );
}

/**
 * The versions of a preset, the current one first. Each can be restored, and compared with the previous one.
 */
export function VersionsTable({ id, versions }: { id: string; versions: readonly PresetVersionSummary[] }) {
  const t = useWords("presets");
  const router = usePageRouter();
  const { toast } = useToast();
  const { change } = useUndoable(router.refresh);
  const [busy, setBusy] = useState(false);
  const current = versions[0]?.version ?? 1;

  const restoreVersion = (version: number, shown: number) =>
    act("POST /presets/{id}/versions/{version}/restore", {
      params: { id, version: String(version) },
      body: { version: shown },
    });
  const restore = async (version: number) => {
    setBusy(true);
    const done = await change(
      restoreVersion(version, current),
      (preset) => t("versionRestored", { version: String(version), as: String(preset.version) }),
      (preset) => () => restoreVersion(current, preset.version),
    );
    setBusy(false);
    if ("failure" in done) toast(await failureToast(done.failure));
  };

  return (
    <Table label={t("versions")}>
      <thead>
        <tr>
          <Th>{t("version")}</Th>
          <Th>{t("changed")}</Th>
          <Th className="max-tablet:hidden">{t("name")}</Th>
          <Th>
            <span className="sr-only">{t("actions")}</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {versions.map(({ version, name, changed_by, created_at }, at) => {
          const before = versions[at + 1]?.version;
          return (
            <Tr key={version}>
              <Td className="whitespace-nowrap">
                {version} {version === current && <Badge tone="good">{t("current")}</Badge>}
              </Td>
              <Td>
                {t("byName", { by: makerName(changed_by, t.language) ?? t("somebody") })}{" "}
                <Time value={created_at} />
              </Td>
              <Td className="max-tablet:hidden">{name}</Td>
              <Td className="text-right">
                <span className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
                  {before !== undefined && (
                    <Link
                      href={`/presets/${id}?from=${before}&to=${version}`}
                      scroll={false}
                      aria-label={t("whatChangedInVersion", { version: String(version) })}
                      className="text-accent hover:underline"
                    >
                      {t("whatChanged")}
                    </Link>
                  )}
                  {version !== current && (
                    <Permitted to="presets:write">
                      <Button
                        size="sm"
                        disabled={busy}
                        aria-label={t("restoreVersion", { version: String(version) })}
                        onClick={() => void restore(version)}
                      >
                        {t("restore")}
                      </Button>
                    </Permitted>
                  )}
                </span>
              </Td>
            </Tr>
          );
        })}
      </tbody>
    </Table>
  );
}
