"use client";

import { useQueryStates } from "nuqs";
import { type FormEvent, useState } from "react";
import type { Price, PriceCreate } from "#contract/operator/prices.ts";
import { ManagedByFile } from "@/components/operator/managed-by-file";
import { PriceEditor } from "@/components/operator/prices/price-editor";
import { type PricedModel, ScopeFields } from "@/components/operator/prices/scope-fields";
import { StartField, type StartTime, startOf } from "@/components/operator/prices/start-field";
import { Button, LinkButton } from "@/components/ui/button";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/use-place";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { formatCount } from "@/lib/format";
import type { InputTable } from "@/lib/input-table";
import { setPrice } from "@/lib/operator/price-actions";
import { readPriceTable, tableOfPrice } from "@/lib/operator/prices/price-table";
import type { PriceScope } from "@/lib/operator/prices/scope";
import { priceScopeParams } from "../search-params.ts";

interface SetPriceClientProps {
  initial: PriceScope;
  models: readonly PricedModel[];
  providers: readonly string[];
  /** The price of the scope that holds now. */
  before: Price | null;
  currency: string;
}

/** What a price is for, its rates beside an example, and when it begins. */
export function SetPriceClient({ initial, models, providers, before, currency }: SetPriceClientProps) {
  const router = usePageRouter();
  const { toast } = useToast();
  // The versions of the chosen scope come with the page.
  const [, setScope] = useQueryStates(priceScopeParams, { shallow: false, history: "replace" });
  const apiType = initial.api_type;
  const [table, setTable] = useState<InputTable | null>(apiType && tableOfPrice(apiType, before?.components));
  const [start, setStart] = useState<StartTime>({ when: "now", at: "" });
  const { busy, failure, send } = useSend();
  const { components, faults } = table ? readPriceTable(table, currency) : { components: [], faults: [] };
  const isOfFile = before?.managed_by === "file";

  const { model, provider, region, account } = initial;
  /** What holds again once the price of this place is removed. */
  const general = account
    ? "the account pays the cost with its markup again"
    : provider || region
      ? "the more general price holds again"
      : null;
  const set = async (wanted: PriceCreate["components"], done: string) => {
    if (!apiType) return;
    const scope = { model, api_type: apiType, provider, region, account_id: account };
    const answer = await send(() => answerOf(setPrice({ ...scope, components: wanted, ...startOf(start) })), {
      leaves: true,
    });
    if (!answer.ok) return;
    toast({ title: `Price of ${model} ${done}`, tone: "good" });
    router.push("/operator/prices");
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (faults.length === 0) await set(components, "set");
  };

  return (
    <form onSubmit={(event) => void submit(event)} className="mb-8 space-y-6">
      <ScopeFields
        scope={initial}
        models={models}
        providers={providers}
        onChange={(next) => void setScope(next)}
      />
      {isOfFile && (
        <p className="flex flex-wrap items-center gap-2 text-table">
          <ManagedByFile /> The prices file has this price, and the file wins. Change it there.
        </p>
      )}
      {table && apiType && (
        <>
          <PriceEditor
            apiType={apiType}
            table={table}
            components={components}
            faults={faults}
            currency={currency}
            onChange={setTable}
          />
          <StartField value={start} onChange={setStart} />
          {failure && <ErrorPanel error={failure} />}
          <div className="flex flex-wrap items-center gap-2">
            <Button
              type="submit"
              variant="primary"
              busy={busy}
              disabled={isOfFile || model === "" || faults.length > 0 || (components.length === 0 && !before)}
            >
              {components.length === 0 && before ? "End this price" : "Set price"}
            </Button>
            {before && general && !isOfFile && (
              <Button disabled={busy} onClick={() => void set(null, "removed")}>
                Remove price
              </Button>
            )}
            <LinkButton href="/operator/prices">Cancel</LinkButton>
            {before && general && !isOfFile && (
              <p className="text-table text-muted">Once it is removed, {general}.</p>
            )}
            {faults.length > 0 && (
              <p role="status" className="text-table text-bad">
                {formatCount(faults.length, "cell")} to fix first
              </p>
            )}
          </div>
        </>
      )}
    </form>
  );
}
