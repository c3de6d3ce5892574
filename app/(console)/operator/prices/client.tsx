"use client";

import { FileUp } from "lucide-react";
import dynamic from "next/dynamic";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import type { Markup, Price } from "#contract/operator/prices.ts";
import { useWords } from "#words";
import { PricesTable } from "@/components/operator/prices/prices-table";
import { StatusPill } from "@/components/ui/badge";
import { Button, LinkButton } from "@/components/ui/button";
import { Input } from "@/components/ui/form/input";
import { FilterBar } from "@/components/ui/list/filter-bar";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { Section } from "@/components/ui/page/section";
import { useAsked } from "@/components/ui/page/use-asked";
import { Time } from "@/components/ui/time";
import { labelPlace } from "@/lib/operator/prices/scope";
import { kindLabel } from "@/lib/operator/provider-labels";
import type { MappedOperation } from "@/lib/operator/route-entry";
import { priceLook } from "@/lib/status/operator";

interface PricesClientProps {
  prices: readonly Price[];
  accountNames: Readonly<Record<string, string>>;
}

/** Current and scheduled prices. Past versions are on each price's page. */
export function PricesClient({ prices, accountNames }: PricesClientProps) {
  const t = useWords("prices");
  const shared = useWords("operator");
  const [q, setQ] = useQueryState("q", parseAsString.withDefault(""));
  const wanted = q.trim().toLowerCase();
  const shown = prices.filter((price) =>
    [
      price.model,
      kindLabel(shared, price.api_type),
      labelPlace(t, price),
      price.account_id ? (accountNames[price.account_id] ?? price.account_id) : "",
    ].some((word) => word.toLowerCase().includes(wanted)),
  );
  if (prices.length === 0)
    return (
      <EmptyState
        className="mb-8"
        title={t("noPricesYet")}
        body={t("setAPricePastePrices")}
        action={
          <LinkButton variant="primary" href="/operator/prices/set">
            {t("setFirstPrice")}
          </LinkButton>
        }
      />
    );
  return (
    <Section title={t("currentAndScheduledPrices")}>
      <FilterBar
        active={Number(wanted !== "")}
        onClear={() => void setQ(null)}
        summary={t("shownOf", { shown: shown.length, all: prices.length })}
      >
        <Input
          type="search"
          aria-label={t("searchPrices")}
          placeholder={t("modelProviderOrAccount")}
          className="max-w-64 max-tablet:max-w-none"
          value={q}
          onChange={(event) => void setQ(event.currentTarget.value)}
        />
      </FilterBar>
      <PricesTable label={t("prices")} prices={shown} accountNames={accountNames} />
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
  const t = useWords("prices");
  const [open, setOpen] = useState(false);
  useAsked("import", () => setOpen(true));
  return (
    <>
      <Button icon={<FileUp size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t("import")}
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
  const t = useWords("prices");
  const [open, setOpen] = useState(false);
  return (
    <Section
      title={t("whatAccountsPay")}
      description={t("theCostPlusAMarkup")}
      actions={<Button onClick={() => setOpen(true)}>{t("setAMarkup")}</Button>}
    >
      {markups.length === 0 ? (
        <p className="text-table text-muted">{t("noMarkupAccountsPayWhat")}</p>
      ) : (
        <Table label={t("markups")}>
          <thead>
            <tr>
              <Th>{t("account")}</Th>
              <Th numeric>{t("markup")}</Th>
              <Th>{t("state")}</Th>
              <Th>{t("from")}</Th>
              <Th>{t("to")}</Th>
            </tr>
          </thead>
          <tbody>
            {markups.map((markup) => (
              <Tr key={markup.id}>
                <Td className="wrap-anywhere">
                  {markup.account_id === null
                    ? t("allAccountsWithoutTheirOwn")
                    : (accountNames[markup.account_id] ?? markup.account_id)}
                </Td>
                <Td numeric>{t("percentOf", { percent: markup.percent })}</Td>
                <Td label={t("state")}>
                  <Pill status={markup.status} />
                </Td>
                <Td>
                  <Time value={markup.effective_at} mode="absolute" />
                </Td>
                <Td label={t("to")}>
                  {markup.ends_at ? (
                    <Time value={markup.ends_at} mode="absolute" />
                  ) : (
                    <span className="text-muted">{t("noEnd")}</span>
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

const MarkupDialog = dynamic(
  () => import("@/components/operator/prices/markup-dialog").then((module) => module.MarkupDialog),
  { ssr: false },
);

function Pill({ status }: Pick<Markup, "status">) {
  const look = priceLook(useWords("operator"), status);
  return <StatusPill {...look} title={look.meaning} />;
}
