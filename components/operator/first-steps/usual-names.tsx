"use client";

import { useState } from "react";
import { CheckList } from "@/components/keys/check-list";
import { Button } from "@/components/ui/button";
import { SelectField } from "@/components/ui/form/input-fields";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { formatCount } from "@/lib/format";
import { changeConfiguration } from "@/lib/gateway/act";
import type { GatewayFailure } from "@/lib/gateway/result";
import { freeNames, type ModelsByKind } from "@/lib/operator/usual-names";
import { useChange } from "../use-change.ts";

interface UsualNamesProps {
  models: ModelsByKind;
  /** The aliases that all accounts have already. */
  existing: readonly string[];
}

/** Makes aliases for all accounts as one change, so that programs for other services need not be changed. */
export function UsualNames({ models, existing }: UsualNamesProps) {
  const { busy, change } = useChange();
  const [failure, setFailure] = useState<GatewayFailure | null>(null);
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const [unwanted, setUnwanted] = useState<readonly string[]>([]);
  const rows = freeNames(models, existing).map((row) => ({
    ...row,
    model: chosen[row.label] ?? row.models[0] ?? "",
    wanted: row.names.filter((name) => !unwanted.includes(name)),
  }));
  const aliases = rows.flatMap(({ model, wanted }) =>
    model === "" ? [] : wanted.map((name) => [name, { models: [model] }] as const),
  );
  const make = async () => {
    const body = { file: { providers: {}, routes: [], aliases: Object.fromEntries(aliases) } };
    setFailure(
      await change(
        changeConfiguration("POST /operator/file", { body }),
        ({ aliases: made }) => `${formatCount(made.length, "alias", "aliases")} made`,
      ),
    );
  };

  return (
    <details>
      <summary className="w-fit cursor-pointer text-table font-medium">
        Which names do your programs use?
      </summary>
      <div className="mt-2 max-w-[720px] space-y-4 rounded-control border p-4">
        {rows.map(({ label, models: offered, model, names, wanted }) => (
          <div key={label} className="space-y-2">
            <SelectField
              label={label}
              value={model}
              onValue={(next: string) => setChosen({ ...chosen, [label]: next })}
              options={[...offered, ["", "No aliases"] as const]}
            />
            {model !== "" && (
              <CheckList
                legend={`Names for ${model}`}
                options={names.map((value) => ({
                  value,
                  label: <code className="text-table">{value}</code>,
                }))}
                value={wanted}
                onChange={(kept) =>
                  setUnwanted([
                    ...unwanted.filter((name) => !names.includes(name)),
                    ...names.filter((name) => !kept.includes(name)),
                  ])
                }
              />
            )}
          </div>
        ))}
        {failure && <ErrorPanel error={failure} />}
        {rows.length === 0 ? (
          <p className="text-table">All usual names that your models can have exist already.</p>
        ) : (
          <Button busy={busy} disabled={aliases.length === 0} onClick={() => void make()}>
            Make {formatCount(aliases.length, "alias", "aliases")}
          </Button>
        )}
        <p className="text-table text-muted">
          They apply to all accounts, and an account’s own alias of the same name comes first. Change or
          delete them on the page <Link href="/aliases">Aliases</Link>, or undo all at once under{" "}
          <Link href="/operator/changes">Changes</Link>.
        </p>
      </div>
    </details>
  );
}
