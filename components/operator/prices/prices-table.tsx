import type { Price } from "#contract/operator/prices.ts";
import { useWords } from "#words";
import { ManagedByFile } from "@/components/operator/marks";
import { Badge, StatusPill } from "@/components/ui/badge";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Time } from "@/components/ui/time";
import { labelPlace, priceHref, scopeOf } from "@/lib/operator/prices/scope";
import { kindLabel } from "@/lib/operator/provider-labels";
import { conditionLabel, mainComponents, rateLabel, shortRate } from "@/lib/rate-labels";
import { priceLook } from "@/lib/status/operator";
import { bracketed } from "@/messages/marks";

interface PricesTableProps {
  label: string;
  prices: readonly Price[];
  accountNames: Readonly<Record<string, string>>;
  /** All rows have the same scope and differ only by version, so the scope is left out. */
  versions?: boolean;
}

export function PricesTable({ label, prices, accountNames, versions = false }: PricesTableProps) {
  const t = useWords("prices");
  const shared = useWords("operator");
  return (
    <Table label={label}>
      <thead>
        <tr>
          {!versions && <Th>{t("model")}</Th>}
          {!versions && <Th>{t("where")}</Th>}
          <Th>{t("rates")}</Th>
          <Th>{t("state")}</Th>
          <Th>{t("from")}</Th>
        </tr>
      </thead>
      <tbody>
        {prices.map((price) => (
          <Tr key={price.id}>
            {!versions && (
              <Td className="max-w-72">
                <RowLink href={priceHref(scopeOf(price))} className="block font-mono wrap-anywhere">
                  {price.model}
                </RowLink>
                <span className="flex flex-wrap items-center gap-1.5 text-meta text-muted">
                  {kindLabel(shared, price.api_type)}
                  {price.account_id && (
                    <Badge>{t("paidBy", { name: accountNames[price.account_id] ?? price.account_id })}</Badge>
                  )}
                  {price.managed_by === "file" && <ManagedByFile />}
                </span>
              </Td>
            )}
            {!versions && (
              <Td className="max-w-48 wrap-anywhere" label={t("where")}>
                {labelPlace(t, price)}
              </Td>
            )}
            <Td className="tabular max-w-96">
              {versions ? <AllRates price={price} /> : <MainRates price={price} />}
            </Td>
            <Td label={t("state")}>
              <span className="flex flex-wrap items-center gap-1.5">
                <Pill price={price} />
                {versions && price.managed_by === "file" && <ManagedByFile />}
              </span>
            </Td>
            <Td label={t("from")}>
              <Time value={price.effective_at} mode="absolute" />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

function Pill({ price }: { price: Price }) {
  const look = priceLook(useWords("operator"), price.status);
  return <StatusPill {...look} title={look.meaning} />;
}

/** The basic rate of each kind, and how many more rates there are. */
function MainRates({ price: { components, currency } }: { price: Price }) {
  const t = useWords("prices");
  const amounts = useWords("amounts");
  if (components.length === 0) return <span className="text-muted">{t("noPriceFromThenOn")}</span>;
  const main = mainComponents(components);
  const more = components.length - main.length;
  return (
    <>
      {main.map((component) => (
        <span key={component.kind} className="block">
          {shortRate(amounts, component)}
        </span>
      ))}
      <span className="text-meta text-muted">
        {more > 0 ? t("moreByCondition", { currency, more }) : currency}
      </span>
    </>
  );
}

function AllRates({ price: { components, currency } }: { price: Price }) {
  const t = useWords("prices");
  const amounts = useWords("amounts");
  if (components.length === 0) return <span className="text-muted">{t("noPriceFromThenOn")}</span>;
  return components.map((component) => (
    <span key={`${component.kind}:${conditionLabel(amounts, component.when)}`} className="block">
      {rateLabel(amounts, component, currency)}
      {component.when && (
        <span className="text-muted">
          {bracketed(t.language, "", conditionLabel(amounts, component.when))}
        </span>
      )}
    </span>
  ));
}
