"use client";

import { useState } from "react";
import { useWords } from "#words";
import { CheckList } from "@/components/keys/check-list";
import { Button } from "@/components/ui/button";
import { SelectField } from "@/components/ui/form/input-fields";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
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
  const t = useWords("operatorSteps");
  const shared = useWords("operator");
  const { busy, change } = useChange();
  const [failure, setFailure] = useState<GatewayFailure | null>(null);
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const [unwanted, setUnwanted] = useState<readonly string[]>([]);
  const rows = freeNames(shared, models, existing).map((row) => ({
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
      await change(changeConfiguration("POST /operator/file", { body }), ({ aliases: made }) =>
        t("aliasesMade", { count: made.length }),
      ),
    );
  };

  return (
    <details>
      <summary className="w-fit cursor-pointer text-table font-medium">
        {t("whichNamesDoYourPrograms")}
      </summary>
      <div className="mt-2 max-w-[720px] space-y-4 rounded-control border p-4">
        {rows.map(({ label, models: offered, model, names, wanted }) => (
          <div key={label} className="space-y-2">
            <SelectField
              label={label}
              value={model}
              onValue={(next: string) => setChosen({ ...chosen, [label]: next })}
              options={[...offered, ["", t("noAliases")] as const]}
            />
            {model !== "" && (
              <CheckList
                legend={t("namesFor", { model })}
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
          <p className="text-table">{t("allUsualNamesThatYour")}</p>
        ) : (
          <Button busy={busy} disabled={aliases.length === 0} onClick={() => void make()}>
            {t("makeAliases", { count: aliases.length })}
          </Button>
        )}
        <p className="text-table text-muted">
          {t.rich(
            "aboutAliases",
            {},
            {
              aliases: (label) => (
                <Link key="aliases" href="/aliases">
                  {label}
                </Link>
              ),
              changes: (label) => (
                <Link key="changes" href="/operator/changes">
                  {label}
                </Link>
              ),
            },
          )}
        </p>
      </div>
    </details>
  );
}
