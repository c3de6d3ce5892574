"use client";

import { Lock } from "lucide-react";
import type { ConversationSummary } from "#contract/conversations.ts";
import type { List } from "#contract/list.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { MadeBy } from "@/components/team/made-by";
import { Permitted } from "@/components/team/permitted";
import { LinkButton } from "@/components/ui/button";
import { ListPage } from "@/components/ui/list/list-page";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { RowLink } from "@/components/ui/list/table";
import { NoneWithWords, WordsFilter } from "@/components/ui/list/text-filter";
import { EmptyState } from "@/components/ui/page/empty-state";
import { NotOffered } from "@/components/ui/page/not-offered";
import { Time } from "@/components/ui/time";
import type { GatewayResult } from "@/lib/gateway/result";
import { searchedList } from "@/lib/lists";
import { retentionIn } from "@/lib/retention";
import type { Words } from "@/messages/words";

/** The saved conversations of the account. Each opens in the playground of its model. */
export function ConversationsClient({ rows }: { rows: GatewayResult<List<ConversationSummary>> }) {
  const t = useWords("conversations");
  const ui = useWords("ui");
  const { retentionMinutes } = useAccess();
  const chat = (
    <Permitted to="operations:run">
      <LinkButton variant="primary" href="/catalog?api_type=chat-completions">
        {t("chooseAChatModel")}
      </LinkButton>
    </Permitted>
  );
  return (
    <ListPage
      title={t("conversations")}
      description={t("savedChatsSharedWithYour")}
      actions={rows.ok && rows.data.data.length > 0 && chat}
      list={searchedList}
      answer={rows}
      notOffered={<NotOffered what={t("savedConversations")}>{t("yourLastConversationStaysIn")}</NotOffered>}
      filters={(list) => <WordsFilter list={list} of={t("conversationsNoun")} />}
      isFilled
      empty={({ active }) =>
        active > 0 ? (
          <NoneWithWords what={t("conversationsNoun")} />
        ) : (
          <EmptyState
            drawing="frames"
            title={retentionMinutes === null ? t("noSavedConversationsYet") : t("noSavedConversations")}
            body={
              retentionMinutes === null
                ? t("chatWithAModel")
                : ui("nothingKept", retentionIn(retentionMinutes))
            }
            action={chat}
          />
        )
      }
    >
      {(conversations) => (
        <RowsTable label={t("conversations")} rows={conversations} columns={columnsOf(t)} />
      )}
    </ListPage>
  );
}

const columnsOf = (t: Words<"conversations">): readonly Column<ConversationSummary>[] => [
  {
    head: t("conversation"),
    cellClass: "w-full max-w-0 min-w-36",
    cell: ({ id, name, gated }) => (
      <span className="flex items-center gap-2">
        {gated && <Lock size={14} aria-label={t("needsAnAttestation")} className="shrink-0 text-warn" />}
        <RowLink href={`/conversations/${id}`} className="block truncate">
          {name}
        </RowLink>
      </span>
    ),
  },
  {
    head: t("model"),
    from: "tablet",
    cell: ({ model, second_model: second }) =>
      [model, ...(second ? [second] : [])].map((id) => (
        <span key={id} className="block font-mono whitespace-nowrap">
          {id}
        </span>
      )),
  },
  {
    head: t("changed"),
    from: "tablet",
    cell: ({ updated_at, changed_by, made_by }) => (
      <>
        <Time value={updated_at} />
        <MadeBy maker={changed_by ?? made_by} />
      </>
    ),
  },
];
