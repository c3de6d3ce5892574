import type { OperatorPromptCacheGroup, OperatorPromptCacheList } from "#contract/operator/usage.ts";
import { useFormats, useWords } from "#words";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Section } from "@/components/ui/page/section";
import { formatNumber } from "@/lib/format";
import { shareText } from "@/lib/share-text";
import type { Language } from "@/messages/languages";
import { bracketed } from "@/messages/marks";
import { UsageValue } from "./usage-plot.tsx";

interface PromptCacheProps {
  /** The tables to show; `model` has the total. */
  lists: Lists;
  keyNames: Readonly<Record<string, string>>;
}

type Group = OperatorPromptCacheGroup;
type Lists = { model: OperatorPromptCacheList } & { readonly [Name in Group]?: OperatorPromptCacheList };
type Row = OperatorPromptCacheList["data"][number];

const headings = {
  account: { head: "account", label: "cacheByAccount" },
  model: { head: "model", label: "cacheByModel" },
  provider: { head: "provider", label: "cacheByProvider" },
  upstream_key: { head: "providersKey", label: "cacheByProvidersKey" },
  key: { head: "key", label: "cacheByKey" },
} as const satisfies Record<Group, object>;

/** The share of the input that came from the providers' caches, and what that saved. Drawn on the server. */
export function PromptCache({ lists, keyNames }: PromptCacheProps) {
  const t = useWords("usage");
  const { total } = lists.model;
  if (total.input_tokens === 0) return null;
  if (total.cached_tokens === 0)
    return (
      <Section title={t("promptCache")}>
        <p className="text-muted">{t("noInputCameFromA")}</p>
      </Section>
    );
  const nameOf: Record<Group, (row: Row) => string> = {
    account: ({ account_name: name, account_id: id }) => name ?? id ?? "",
    model: ({ model }) => model ?? "",
    provider: ({ provider }) => provider ?? "",
    upstream_key: ({ provider, upstream_key: key }) => `${provider}: ${key ?? t("itsOnlyKey")}`,
    key: ({ key_id: id }) => (id ? (keyNames[id] ?? id) : t("signedInPeople")),
  };
  const hasKeys = lists.upstream_key?.data.some(({ upstream_key: key }) => key);
  const groups = (Object.keys(headings) as Group[]).filter((group) => group !== "upstream_key" || hasKeys);
  return (
    <Section title={t("promptCache")} description={t("inputThatProvidersStillHad")}>
      <div className="grid items-start gap-x-6 gap-y-4 desktop:grid-cols-2">
        {groups.map((group) => {
          const rows = lists[group]?.data;
          return (
            rows && (
              <CacheTable
                key={group}
                heading={t(headings[group].head)}
                label={t(headings[group].label)}
                rows={withIdsOfTwins(
                  t.language,
                  rows.map((row) => ({ ...row, name: nameOf[group](row) })),
                )}
                {...(group === "model" && { total })}
              />
            )
          );
        })}
      </div>
    </Section>
  );
}

/** Accounts and keys may share a name: such rows show their ids too. */
function withIdsOfTwins(language: Language, rows: readonly (Row & { name: string })[]): CacheRow[] {
  const counts = Map.groupBy(rows, ({ name }) => name);
  return rows.map((row) => {
    const id = row.account_id ?? row.key_id;
    return id && id !== row.name && (counts.get(row.name)?.length ?? 0) > 1
      ? { ...row, name: bracketed(language, row.name, id) }
      : row;
  });
}

interface CacheTableProps {
  heading: string;
  label: string;
  rows: readonly CacheRow[];
  total?: OperatorPromptCacheList["total"];
}

type CacheRow = OperatorPromptCacheList["total"] & { name: string };

function CacheTable({ heading, label, rows, total }: CacheTableProps) {
  const t = useWords("usage");
  return (
    <Table label={label}>
      <thead>
        <tr>
          <Th>{heading}</Th>
          <Th numeric>{t("cached")}</Th>
          <Th numeric className="max-phone:hidden">
            {t("inputTokens")}
          </Th>
          <Th numeric>{t("saved")}</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <CacheCells key={row.name} {...row} />
        ))}
      </tbody>
      {total && rows.length > 1 && (
        <tfoot className="border-t font-medium">
          <CacheCells {...total} name={t("all")} />
        </tfoot>
      )}
    </Table>
  );
}

function CacheCells({ name, input_tokens: input, cached_tokens: cached, requests, saved }: CacheRow) {
  const format = useFormats();
  const value = { name, quantity: 0, requests, amount: saved.amount, notPriced: saved.not_priced };
  return (
    <Tr>
      <Td className="wrap-anywhere">{name}</Td>
      <Td numeric className="whitespace-nowrap">
        {shareText(format, cached, input)}
      </Td>
      <Td numeric className="max-phone:hidden">
        {formatNumber(input)}
      </Td>
      <Td numeric>
        <UsageValue total={value} currency={saved.currency} />
      </Td>
    </Tr>
  );
}
