"use client";

import { Plus } from "lucide-react";
import { useQueryStates } from "nuqs";
import { type FormEvent, useState } from "react";
import { type ApiType, regionNames } from "#contract/catalog-constants.ts";
import { type PriceKind, priceFields, priceKinds } from "#contract/money/constants.ts";
import type { Price, PriceComponent, PriceCreate } from "#contract/operator/prices.ts";
import { useWords } from "#words";
import { ManagedByFile } from "@/components/operator/marks";
import { AccountField, StartField, type StartTime, startOf } from "@/components/operator/prices/price-fields";
import { Button, LinkButton } from "@/components/ui/button";
import { ComboboxField } from "@/components/ui/form/combobox";
import { requiredIn } from "@/components/ui/form/field";
import { InputField, SelectField } from "@/components/ui/form/input-fields";
import { type GridFault, InputGrid } from "@/components/ui/form/input-grid";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { formatNumber } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import type { InputTable } from "@/lib/input-table";
import { formatMoney } from "@/lib/money";
import {
  costOfExample,
  defaultQuantities,
  type Example,
  fixedColumns,
  type PriceFault,
  priceColumns,
  readPriceTable,
  tableOfPrice,
} from "@/lib/operator/prices/price-table";
import type { PriceScope } from "@/lib/operator/prices/scope";
import { kindLabel } from "@/lib/operator/provider-labels";
import { countedKind } from "@/lib/rate-labels";
import { listText } from "@/lib/words/list-text";
import { priceScopeParams } from "../../search-params.ts";

interface SetPriceClientProps {
  initial: PriceScope;
  models: readonly PricedModel[];
  providers: readonly string[];
  /** The current price of this scope. */
  before: Price | null;
  currency: string;
}

/** The form of a price: its scope, its rates beside an example, and its start. */
export function SetPriceClient({ initial, models, providers, before, currency }: SetPriceClientProps) {
  const t = useWords("prices");
  const amounts = useWords("amounts");
  const router = usePageRouter();
  const { toast } = useToast();
  // The page needs the versions of the chosen scope, so choosing a scope loads the page again.
  const [, setScope] = useQueryStates(priceScopeParams, { shallow: false, history: "replace" });
  const apiType = initial.api_type;
  const [table, setTable] = useState<InputTable | null>(apiType && tableOfPrice(apiType, before?.components));
  const [start, setStart] = useState<StartTime>({ when: "now", at: "" });
  const { busy, failure, send } = useSend();
  const { components, faults } = table
    ? readPriceTable(t, amounts, table, currency)
    : { components: [], faults: [] };
  const isOfFile = before?.managed_by === "file";

  const { model, provider, region, account } = initial;
  /** What applies when this price is removed. */
  const general = account ? t("markupAgain") : provider || region ? t("generalAgain") : null;
  const set = async (wanted: PriceCreate["components"], done: string) => {
    if (!apiType) return;
    const scope = { model, api_type: apiType, provider, region, account_id: account };
    const body = { ...scope, components: wanted, ...startOf(start) };
    const answer = await send(() => answerOf(act("POST /operator/prices", { body })), {
      leaves: true,
    });
    if (!answer.ok) return;
    toast({ title: done, tone: "good" });
    router.push("/operator/prices");
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (faults.length === 0) await set(components, t("priceSet", { model }));
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
          <ManagedByFile /> {t("thisPriceIsInThe")}
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
              {components.length === 0 && before ? t("endThisPrice") : t("setPrice")}
            </Button>
            {before && general && !isOfFile && (
              <Button disabled={busy} onClick={() => void set(null, t("priceRemoved", { model }))}>
                {t("removePrice")}
              </Button>
            )}
            <LinkButton href="/operator/prices">{t("cancel")}</LinkButton>
            {before && general && !isOfFile && <p className="text-table text-muted">{general}</p>}
            {faults.length > 0 && (
              <p role="status" className="text-table text-bad">
                {t("cellsToFix", { count: faults.length })}
              </p>
            )}
          </div>
        </>
      )}
    </form>
  );
}

/** A model that can have a price. */
interface PricedModel {
  id: string;
  apiTypes: readonly ApiType[];
}

interface ScopeFieldsProps {
  scope: PriceScope;
  models: readonly PricedModel[];
  providers: readonly string[];
  onChange: (scope: Partial<PriceScope>) => void;
}

const maxOffered = 50;

/** The scope of a price: an operation of a model, the provider and region, and the account that pays. */
function ScopeFields({ scope, models, providers, onChange }: ScopeFieldsProps) {
  const t = useWords("prices");
  const shared = useWords("operator");
  const [text, setText] = useState(scope.model);
  const model = models.find(({ id }) => id === scope.model);
  const offered = models.filter(({ id }) => id.toLowerCase().includes(text.trim().toLowerCase()));
  const choose = (id: string) => {
    setText(id);
    const chosen = models.find((each) => each.id === id);
    if (!chosen) return;
    const [first = null] = chosen.apiTypes;
    const kept = scope.api_type && chosen.apiTypes.includes(scope.api_type) ? scope.api_type : first;
    onChange({ model: id, api_type: kept });
  };
  return (
    <div className="grid max-w-4xl gap-4 tablet:grid-cols-2">
      <ComboboxField
        label={t("model")}
        rule={priceFields.model}
        value={text}
        onValue={choose}
        onPick={choose}
        options={offered.slice(0, maxOffered).map(({ id }) => ({ value: id }))}
        note={offered.length > maxOffered ? shared("moreMatch") : null}
        placeholder={t("searchModels")}
      />
      <SelectField
        label={t("operation")}
        required={requiredIn<PriceCreate>("api_type")}
        disabled={!model}
        value={scope.api_type ?? ""}
        onValue={(apiType) => onChange({ api_type: apiType || null })}
        options={
          model
            ? model.apiTypes.map((apiType) => [apiType, kindLabel(shared, apiType)])
            : [["", t("chooseAModelFirst")]]
        }
      />
      <SelectField
        label={t("provider")}
        hint={t("aProvidersOwnPriceTakes")}
        value={scope.provider ?? ""}
        onValue={(provider) => onChange({ provider: provider || null })}
        options={[
          ["", t("anyProvider")],
          ...new Set([...providers, ...(scope.provider ? [scope.provider] : [])]),
        ]}
      />
      <SelectField
        label={t("region")}
        value={scope.region ?? ""}
        onValue={(region) => onChange({ region: region || null })}
        options={[["", t("anyRegion")], ...regionNames]}
      />
      <AccountField
        label={t("sellingPriceOfAnAccount")}
        none={t("theCostThatYouPay")}
        value={scope.account}
        onChange={(account) => onChange({ account })}
      />
    </div>
  );
}

interface PriceEditorProps {
  apiType: ApiType;
  table: InputTable;
  components: readonly PriceComponent[];
  faults: readonly PriceFault[];
  currency: string;
  onChange: (table: InputTable) => void;
}

/** Conditions that an example can choose between. */
const choices = [
  { name: "resolution", condition: "resolution", label: "resolution" },
  { name: "size", condition: "size", label: "size" },
  { name: "quality", condition: "quality", label: "quality" },
  { name: "serviceTier", condition: "service_tier", label: "serviceTier" },
] as const;

interface PriceExampleProps {
  components: readonly PriceComponent[];
  currency: string;
}

/** The rates as a table to type or paste into, and the cost of an example run. */
function PriceEditor({ table, components, faults, currency, onChange, apiType }: PriceEditorProps) {
  const t = useWords("prices");
  const amounts = useWords("amounts");
  const columns = priceColumns.map(({ name, title, head }) => ({
    name,
    title: t(title),
    head: t(head),
    ...(name === "what" && {
      choices: priceKinds.map((kind) => ({ value: kind, label: countedKind(amounts, kind) })),
    }),
  }));
  const byRow = new Map<number, GridFault[]>();
  for (const { row, column, message } of faults)
    byRow.set(row, [...(byRow.get(row) ?? []), { column, message }]);
  return (
    <div className="grid gap-6 wide:grid-cols-[minmax(0,1fr)_280px]">
      <Section
        title={t("rates")}
        className="mb-0!"
        description={t("inCurrencyPasteASpreadsheet", { currency })}
      >
        <InputGrid
          label={t("rates")}
          dense
          table={table}
          rows={table.rows.map((_, row) => row)}
          known={columns}
          fixed={fixedColumns}
          faults={byRow}
          onChange={onChange}
          onReplace={onChange}
        />
        <Button
          size="sm"
          className="mt-2"
          icon={<Plus size={14} aria-hidden />}
          onClick={() => onChange({ ...table, rows: [...table.rows, []] })}
        >
          {t("addRow")}
        </Button>
      </Section>
      <PriceExample key={apiType} components={components} currency={currency} />
    </div>
  );
}

/** The cost of an example run at the rates beside it, updated while the user types. */
function PriceExample({ components, currency }: PriceExampleProps) {
  const t = useWords("prices");
  const amounts = useWords("amounts");
  const [typed, setTyped] = useState<Partial<Record<PriceKind, string>>>({});
  const [conditions, setConditions] = useState<Omit<Example, "quantities">>({});
  const kinds = priceKinds.filter((kind) => components.some((component) => component.kind === kind));
  const quantities = Object.fromEntries(
    kinds.map((kind) => {
      const number = Number(typed[kind] ?? defaultQuantities[kind]);
      return [kind, Number.isFinite(number) && number > 0 && number < 1e12 ? number : 0];
    }),
  );
  const { lines, total, missing } = costOfExample(components, { quantities, ...conditions });
  const hasSound = components.some(({ when }) => when?.audio !== undefined);
  return (
    <Section title={t("example")} className="mb-0!" description={t("anExampleRunThatYou")}>
      {kinds.length === 0 ? (
        <p className="text-table text-muted">{t("enterARateToSee")}</p>
      ) : (
        <div className="space-y-3 rounded-panel border bg-panel p-3">
          <div className="grid grid-cols-2 gap-2">
            {kinds.map((kind) => (
              <InputField
                key={kind}
                label={<span className="first-letter:uppercase">{countedKind(amounts, kind)}</span>}
                inputMode="decimal"
                look="tabular"
                value={typed[kind] ?? String(defaultQuantities[kind])}
                onValue={(value) => setTyped({ ...typed, [kind]: value })}
              />
            ))}
            {choices.map(({ name, condition, label }) => {
              const words = [...new Set(components.flatMap(({ when }) => when?.[condition] ?? []))];
              if (words.length === 0) return null;
              return (
                <SelectField
                  key={name}
                  label={t(label)}
                  value={conditions[name] ?? ""}
                  onValue={(value) => setConditions({ ...conditions, [name]: value || undefined })}
                  options={[["", t("another")], ...words]}
                />
              );
            })}
            {hasSound && (
              <SelectField
                label={t("sound")}
                value={conditions.audio === true ? "yes" : "no"}
                onValue={(audio) => setConditions({ ...conditions, audio: audio === "yes" })}
                options={[
                  ["no", t("without")],
                  ["yes", t("with")],
                ]}
              />
            )}
          </div>
          <ul className="tabular space-y-0.5 text-meta text-muted">
            {lines.map(({ kind, quantity, rate, per, amount }) => (
              <li key={kind}>
                {formatNumber(quantity)} {countedKind(amounts, kind, quantity)} × {rate}
                {per > 1 && ` / ${formatNumber(per)}`} = {amount}
              </li>
            ))}
          </ul>
          <p role="status" className="tabular font-medium">
            {total !== null
              ? t("thisRunCostsCurrency", { currency: formatMoney(total, currency) })
              : missing.length > 0
                ? t("noRateFor", {
                    kinds: listText(
                      t.language,
                      missing.map((kind) => countedKind(amounts, kind)),
                      "plain",
                    ),
                  })
                : t("enterHowMuchTheRun")}
          </p>
        </div>
      )}
    </Section>
  );
}
