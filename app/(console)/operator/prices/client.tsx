"use client";

import { FileUp } from "lucide-react";
import dynamic from "next/dynamic";
import { parseAsString, useQueryState } from "nuqs";
import { type FormEvent, useState } from "react";
import { priceFields } from "#contract/money/constants.ts";
import type { Markup, Price } from "#contract/operator/prices.ts";
import { AccountField, StartField, type StartTime, startOf } from "@/components/operator/prices/price-fields";
import { PricesTable } from "@/components/operator/prices/prices-table";
import { StatusPill } from "@/components/ui/badge";
import { Button, LinkButton } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { FormActions, FormDialog } from "@/components/ui/form/form-dialog";
import { Input } from "@/components/ui/form/input";
import { useSend } from "@/components/ui/form/use-send";
import { FilterBar } from "@/components/ui/list/filter-bar";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { labelPlace } from "@/lib/operator/prices/scope";
import { kindLabel } from "@/lib/operator/provider-labels";
import type { MappedOperation } from "@/lib/operator/route-entry";
import { priceLook } from "@/lib/status/operator";
import { typedAmount } from "@/lib/written-amount";

interface PricesClientProps {
  prices: readonly Price[];
  accountNames: Readonly<Record<string, string>>;
}

/** Current and scheduled prices. Past versions are on each price's page. */
export function PricesClient({ prices, accountNames }: PricesClientProps) {
  const [q, setQ] = useQueryState("q", parseAsString.withDefault(""));
  const wanted = q.trim().toLowerCase();
  const shown = prices.filter((price) =>
    [
      price.model,
      kindLabel(price.api_type),
      labelPlace(price),
      price.account_id ? (accountNames[price.account_id] ?? price.account_id) : "",
    ].some((word) => word.toLowerCase().includes(wanted)),
  );
  if (prices.length === 0)
    return (
      <EmptyState
        className="mb-8"
        title="No prices yet"
        body="Set a price, paste prices from a spreadsheet, or import the list of LiteLLM or OpenRouter. Until then, runs have no price."
        action={
          <LinkButton variant="primary" href="/operator/prices/set">
            Set first price
          </LinkButton>
        }
      />
    );
  return (
    <Section title="Current and scheduled prices">
      <FilterBar
        active={Number(wanted !== "")}
        onClear={() => void setQ(null)}
        summary={`${shown.length} of ${prices.length} prices`}
      >
        <Input
          type="search"
          aria-label="Search prices"
          placeholder="Model, provider or account"
          className="max-w-64 max-tablet:max-w-none"
          value={q}
          onChange={(event) => void setQ(event.currentTarget.value)}
        />
      </FilterBar>
      <PricesTable label="Prices" prices={shown} accountNames={accountNames} />
    </Section>
  );
}

const ImportPricesDialog = dynamic(
  () => import("@/components/operator/prices/import-dialog").then((module) => module.ImportPricesDialog),
  { loading: () => null },
);

export interface ImportButtonProps {
  prices: readonly Price[];
  operations: readonly MappedOperation[];
  presets: Readonly<Record<string, string | null>>;
  currency: string;
}

export function ImportButton(props: ImportButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={<FileUp size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Import
      </Button>
      {open && <ImportPricesDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

interface MarkupsSectionProps {
  markups: readonly Markup[];
  accountNames: Readonly<Record<string, string>>;
}

/**
 * The amounts that accounts pay above or below the cost. An account may also have its own price for a model.
 */
export function MarkupsSection({ markups, accountNames }: MarkupsSectionProps) {
  const [open, setOpen] = useState(false);
  return (
    <Section
      title="What accounts pay"
      description="The cost plus a markup. An account's own price for a model takes precedence over its markup."
      actions={<Button onClick={() => setOpen(true)}>Set a markup</Button>}
    >
      {markups.length === 0 ? (
        <p className="text-table text-muted">No markup: accounts pay what a run costs.</p>
      ) : (
        <Table label="Markups">
          <thead>
            <tr>
              <Th>Account</Th>
              <Th numeric>Markup</Th>
              <Th>State</Th>
              <Th>From</Th>
              <Th>To</Th>
            </tr>
          </thead>
          <tbody>
            {markups.map((markup) => (
              <Tr key={markup.id}>
                <Td className="wrap-anywhere">
                  {markup.account_id === null
                    ? "All accounts without their own markup"
                    : (accountNames[markup.account_id] ?? markup.account_id)}
                </Td>
                <Td numeric>{markup.percent} %</Td>
                <Td label="State">
                  <Pill status={markup.status} />
                </Td>
                <Td>
                  <Time value={markup.effective_at} mode="absolute" />
                </Td>
                <Td label="To">
                  {markup.ends_at ? (
                    <Time value={markup.ends_at} mode="absolute" />
                  ) : (
                    <span className="text-muted">No end</span>
                  )}
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
      {open && <MarkupDialog onClose={() => setOpen(false)} />}
    </Section>
  );
}

function Pill({ status }: Pick<Markup, "status">) {
  const look = priceLook(status);
  return <StatusPill {...look} title={look.meaning} />;
}

const noPercent = "Enter percent, such as 20 or -5.";

function MarkupDialog({ onClose }: { onClose: () => void }) {
  const router = usePageRouter();
  const { toast } = useToast();
  const [percent, setPercent] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [account, setAccount] = useState<string | null>(null);
  const [start, setStart] = useState<StartTime>({ when: "now", at: "" });
  const { busy, failure, send } = useSend();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { value, problem } = typedAmount(percent.replace(/\s*%\s*$/, ""), noPercent);
    setFault(problem ?? null);
    if (value === undefined) return;
    const answer = await send(() =>
      answerOf(
        act("POST /operator/markups", {
          body: { percent: value, account_id: account, ...startOf(start) },
        }),
      ),
    );
    if (!answer.ok) return;
    toast({ title: `Markup of ${answer.data.percent} % set`, tone: "good" });
    router.refresh();
    onClose();
  };

  return (
    <FormDialog
      open
      busy={busy}
      onClose={onClose}
      title="Set a markup"
      description="The new markup replaces the current one. Earlier runs keep their markup."
    >
      <form onSubmit={(event) => void submit(event)} className="space-y-4">
        <Field
          label="Percent"
          rule={priceFields.percent}
          hint="20 adds 20 %; -5 gives a 5 % discount."
          error={fault}
        >
          {(aria) => (
            <Input
              {...aria}
              inputMode="decimal"
              className="tabular max-w-40"
              value={percent}
              onChange={(event) => setPercent(event.currentTarget.value)}
            />
          )}
        </Field>
        <AccountField
          label="Account"
          none="All accounts without their own markup"
          value={account}
          onChange={setAccount}
        />
        <StartField value={start} onChange={setStart} />
        {failure && <ErrorPanel error={failure} />}
        <FormActions>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={busy}>
            Set markup
          </Button>
        </FormActions>
      </form>
    </FormDialog>
  );
}
