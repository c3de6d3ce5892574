import { NuqsAdapter } from "nuqs/adapters/next/app";
import { createLoader } from "nuqs/server";
import { headOf, page, titleOf } from "@/app/console-page";
import { AccountMoney } from "@/components/usage/account-money";
import { PromptCache } from "@/components/usage/prompt-cache";
import { getAccount, getKeyNames, getModels } from "@/lib/server/gateway/reads";
import { recentMonths, usageSpan } from "@/lib/usage/span";
import type { Language } from "@/messages/languages";
import { bracketed } from "@/messages/marks";
import { UsageClient } from "./client.tsx";
import { readCaches, readUsage } from "./read-usage.ts";
import { usageSearch } from "./search-params.ts";

const loadSearch = createLoader(usageSearch);

const head = headOf({ title: "usage", parts: ["usage"] });

export const generateMetadata = titleOf(head);

export default page(
  { ...head, filters: usageSearch },
  async ({ t, session: { accountId }, search: given, requestRoute }) => {
    const search = loadSearch(given);
    const nowMs = Date.now();
    const span = usageSpan(search, nowMs);
    const { model, key_id, user_id, provider, metadata: pair } = search;
    const filter = Object.fromEntries(
      Object.entries({ model, key_id, user_id, provider, metadata: pair }).filter(
        ([, value]) => value !== "",
      ),
    );
    const [usage, caches, byMetadata, keyNames, members, models, money, account] = await Promise.all([
      readUsage(span, filter, nowMs),
      readCaches(span, filter),
      requestRoute("GET /usage/metadata", {
        query: { from: span.from, to: span.to, ...(model && { model }) },
      }),
      getKeyNames(),
      requestRoute("GET /account/members"),
      getModels(),
      requestRoute("GET /account/budgets"),
      getAccount(),
    ]);
    const team = members.ok ? members.data.data : [];
    const memberNames = Object.fromEntries(team.map(({ user_id, name }) => [user_id, name]));
    const pairs = byMetadata.ok
      ? byMetadata.data.data.flatMap(({ key, value }) => (value === null ? [] : `${key}=${value}`))
      : [];
    const choices = {
      model: listOf(models.ok ? models.data.data.map(({ id }) => id) : []),
      key: optionsOf(keyNames),
      member: optionsOf(memberNames),
      provider: listOf(usage.ok ? usage.data.sums.byProvider.map((row) => row.provider ?? "") : []),
      metadata: listOf([pair, ...pairs], (each) => pairName(t.language, each)),
    };
    return (
      <NuqsAdapter>
        <UsageClient
          usage={usage}
          byMetadata={byMetadata.ok ? byMetadata.data : null}
          filter={filter}
          choices={choices}
          months={recentMonths(t.language, nowMs)}
          span={span}
          keyNames={keyNames}
          memberNames={memberNames}
          accountId={accountId}
          budgets={
            money.ok && (
              <AccountMoney
                money={money.data}
                mayChange={account.ok && account.data.permissions.includes("budgets:manage")}
              />
            )
          }
          promptCache={caches && <PromptCache lists={caches} keyNames={keyNames} />}
        />
      </NuqsAdapter>
    );
  },
);

function optionsOf(names: Readonly<Record<string, string>>) {
  return Object.entries(names).map(([value, label]) => ({ value, label }));
}

/** The values of a choice: each once, without the empty one. */
function listOf(values: readonly string[], label = (value: string) => value) {
  return [...new Set(values)]
    .filter((value) => value !== "")
    .map((value) => ({ value, label: label(value) }));
}

/** The value comes first, because a narrow field shows only the beginning. */
function pairName(language: Language, pair: string): string {
  const at = pair.indexOf("=");
  return bracketed(language, pair.slice(at + 1), pair.slice(0, at));
}
