"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { ApiKey } from "#contract/accounts/keys.ts";
import type { List } from "#contract/list.ts";
import { useWords } from "#words";
import { GuideLink } from "@/components/guides/guide-link";
import { type KeyRequest, KeyRow } from "@/components/keys/key-row";
import { MemberFilter } from "@/components/team/made-by";
import { Permitted } from "@/components/team/permitted";
import { Button, LinkButton } from "@/components/ui/button";
import { FilterBar } from "@/components/ui/list/filter-bar";
import { ListPage } from "@/components/ui/list/list-page";
import { Table, Th } from "@/components/ui/list/table";
import { SearchFilter } from "@/components/ui/list/text-filter";
import { EmptyState } from "@/components/ui/page/empty-state";
import { usePageRouter } from "@/components/ui/page/link";
import { NotOffered } from "@/components/ui/page/not-offered";
import { useAsked } from "@/components/ui/page/use-asked";
import type { GatewayResult } from "@/lib/gateway/result";
import { keyList } from "@/lib/lists";
import type { KeyQuestion } from "./key-dialogs.tsx";

const KeyDialogs = dynamic(() => import("./key-dialogs.tsx").then((module) => module.KeyDialogs), {
  ssr: false,
});

interface KeysClientProps {
  keys: GatewayResult<List<ApiKey>>;
  modelIds: string[];
  /** The installation's currency. Empty for people who may not see usage. */
  currency: string;
  /** Cost of each key this month as text, by key id. */
  spent: Readonly<Record<string, string>>;
}

/** The account's keys, with permissions, expiry and last use. */
export function KeysClient({ keys, modelIds, currency, spent }: KeysClientProps) {
  const t = useWords("keys");
  const router = usePageRouter();
  const [question, setQuestion] = useState<KeyQuestion | null>(null);
  const canAdd = keys.ok || keys.error.code !== "route_not_found";
  useAsked("create", canAdd && (() => setQuestion({ about: "create" })));

  return (
    <>
      <ListPage
        title={t("keys")}
        description={t("yourProgramsCallTheGateway")}
        actions={
          canAdd && (
            <>
              <Permitted to="key_rules:read">
                <LinkButton href="/keys/rules">{t("keyRules")}</LinkButton>
              </Permitted>
              <Button
                variant="primary"
                icon={<Plus size={16} aria-hidden />}
                onClick={() => setQuestion({ about: "create" })}
              >
                {t("createKey")}
              </Button>
            </>
          )
        }
        list={keyList}
        answer={keys}
        total={{ route: "GET /keys", noun: "key" }}
        notOffered={<NotOffered what={t("keyManagement")}>{t("askTheOperatorForKeys")}</NotOffered>}
        filters={({ view, active, change, clear }) => (
          <FilterBar active={active} onClear={clear}>
            <SearchFilter of={t("names")} value={view.search} onChange={(search) => change({ search })} />
            <MemberFilter value={view.user_id} onChange={(user_id) => change({ user_id })} />
          </FilterBar>
        )}
        isFilled
        empty={({ active, clear }) =>
          active > 0 ? (
            <EmptyState
              title={t("noKeysMatchTheseFilters")}
              body={t("searchForOtherWordsOr")}
              action={<Button onClick={clear}>{t("showAllKeys")}</Button>}
            />
          ) : (
            <EmptyState
              drawing="gate"
              title={t("noKeysYet")}
              body={
                <>
                  {t("yourProgramsSend")} <GuideLink to="first-call">{t("howToMakeTheFirst")}</GuideLink>
                </>
              }
              action={
                <Button variant="primary" onClick={() => setQuestion({ about: "create" })}>
                  {t("createFirstKey")}
                </Button>
              }
            />
          )
        }
      >
        {(rows) => <KeysTable keys={rows} spent={spent} onRequest={setQuestion} />}
      </ListPage>
      {question && (
        <KeyDialogs
          question={question}
          modelIds={modelIds}
          currency={currency}
          onClose={() => setQuestion(null)}
          onChanged={() => {
            setQuestion(null);
            router.refresh();
          }}
        />
      )}
    </>
  );
}

interface KeysTableProps extends Pick<KeysClientProps, "spent"> {
  keys: ApiKey[];
  onRequest: (request: KeyRequest) => void;
}

function KeysTable({ keys, spent, onRequest }: KeysTableProps) {
  const t = useWords("keys");
  return (
    <Table label={t("accountKeys")}>
      <thead>
        <tr>
          <Th>{t("name")}</Th>
          <Th>{t("status")}</Th>
          <Th>{t("permissions")}</Th>
          <Th>{t("limits")}</Th>
          <Th numeric>{t("costThisMonth")}</Th>
          <Th>{t("lastUsed")}</Th>
          <Th from="desktop">{t("expires")}</Th>
          <Th from="desktop">{t("created")}</Th>
          <Th>
            <span className="sr-only">{t("actions")}</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} spent={spent[key.id]} onRequest={onRequest} />
        ))}
      </tbody>
    </Table>
  );
}
