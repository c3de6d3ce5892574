"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { SelectField } from "@/components/ui/form/input-fields";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Link, usePageRouter } from "@/components/ui/page/link";
import { formatCount } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import { runsText } from "@/lib/operator/provider-labels";
import { type ModelsByKind, type NamedKind, usualNames } from "@/lib/operator/usual-names";

interface Report {
  made: string[];
  taken: string[];
}

/** Makes aliases for all accounts, so that programs for other services need not be changed. */
export function UsualNames({ models }: { models: ModelsByKind }) {
  const router = usePageRouter();
  const { busy, failure, attempt } = useSend();
  const kinds = models.filter((each) => each.models.length > 0);
  const [chosen, setChosen] = useState<Partial<Record<NamedKind, string>>>({});
  const [report, setReport] = useState<Report | null>(null);
  const modelOf = ({ kind, models: [first = ""] }: ModelsByKind[number]) => chosen[kind] ?? first;
  const wanted = kinds.flatMap((each) => {
    const model = modelOf(each);
    const { kind } = each;
    return model === "" ? [] : usualNames[kind].map((name) => ({ name, models: [model] }));
  });

  const make = () =>
    attempt(async () => {
      const made: string[] = [];
      const taken: string[] = [];
      for (const alias of wanted) {
        const { answer } = await act("POST /aliases", { body: { ...alias, for_everyone: true } });
        const result = await answer;
        if (result.ok) made.push(alias.name);
        else if (result.error.code === "alias_exists") taken.push(alias.name);
        setReport({ made: [...made], taken: [...taken] });
        if (!result.ok && result.error.code !== "alias_exists") return result.error;
      }
      router.refresh();
      return null;
    });

  return (
    <details>
      <summary className="w-fit cursor-pointer text-table font-medium">
        Which names do your programs use?
      </summary>
      <div className="mt-2 max-w-[720px] space-y-4 rounded-control border p-4">
        {kinds.map((each) => (
          <SelectField
            key={each.kind}
            label={runsText([each.kind])}
            hint={usualNames[each.kind].join(", ")}
            value={modelOf(each)}
            onValue={(model: string) => setChosen({ ...chosen, [each.kind]: model })}
            options={[...each.models, ["", "No aliases"] as const]}
          />
        ))}
        {failure && <ErrorPanel error={failure} />}
        <div className="flex flex-wrap items-center gap-3">
          <Button busy={busy} disabled={wanted.length === 0} onClick={() => void make()}>
            Make {formatCount(wanted.length, "alias", "aliases")}
          </Button>
          <p role="status" className="min-w-0 text-table text-muted wrap-anywhere">
            {report &&
              `Made: ${report.made.join(", ") || "none"}. Already in use: ${report.taken.join(", ") || "none"}.`}
          </p>
        </div>
        <p className="text-table text-muted">
          They apply to all accounts, and an account’s own alias of the same name comes first. Change or
          delete them on the page <Link href="/aliases">Aliases</Link>.
        </p>
      </div>
    </details>
  );
}
