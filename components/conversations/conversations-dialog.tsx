"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { EllipsisVertical, Lock } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { conversationFields } from "#contract/conversation-constants.ts";
import type { ConversationSummary } from "#contract/conversations.ts";
import { searchLimits } from "#contract/search-words.ts";
import { useWords } from "#words";
import { RenameForm } from "@/components/presets/rename-form";
import { useAccess } from "@/components/team/access";
import { IconButton } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { InputField } from "@/components/ui/form/input-fields";
import { useSend } from "@/components/ui/form/use-send";
import { Menu } from "@/components/ui/menu";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { NotOffered } from "@/components/ui/page/not-offered";
import { Skeleton } from "@/components/ui/page/skeleton";
import { Time } from "@/components/ui/time";
import { useDeleteWithUndo } from "@/components/ui/use-delete-with-undo";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { callRoute } from "@/lib/browser/gateway";
import { act } from "@/lib/gateway/act";
import { conversationHref, sharedConversation } from "@/lib/playground-links";
import { queryKeys } from "@/lib/query-keys";
import { makerName } from "@/lib/team/maker";

const listed = 50;

export interface ConversationsDialogProps {
  open: boolean;
  onClose: () => void;
  accountId: string;
  /** Conversations with this model are listed first. */
  model: string;
  onGone: (id: string) => void;
}

/** The account's saved conversations: the user can open, search by name, rename, share and delete them. */
export function ConversationsDialog({ open, onClose, accountId, onGone }: ConversationsDialogProps) {
  const t = useWords("conversations");
  const client = useQueryClient();
  const [search, setSearch] = useState("");
  const [renaming, setRenaming] = useState<ConversationSummary | null>(null);
  const { busy, failure, show, send } = useSend();
  const wanted = useDeferredValue(search.trim());
  const query = { limit: listed, ...(wanted && { search: wanted }) };
  const list = useQuery({
    queryKey: queryKeys.conversations(query),
    queryFn: () => fetchRoute("GET /conversations", { query }),
    enabled: open,
    placeholderData: keepPreviousData,
  });
  const refresh = () => void client.invalidateQueries({ queryKey: ["conversations"] });
  const { hidden, deleteSoon } = useDeleteWithUndo({
    path: "/conversations",
    remove: (id) => act("DELETE /conversations/{id}", { params: { id } }),
    goneCode: "conversation_not_found",
    onGone: (id) => {
      onGone(id);
      refresh();
    },
  });
  const rename = async ({ id, version }: ConversationSummary, name: string) => {
    const body = { version, name };
    const answer = await send(() => callRoute("PATCH /conversations/{id}", { params: { id }, body }));
    refresh();
    if (answer.ok) setRenaming(null);
  };
  const shown = list.data?.data.filter(({ id }) => !hidden.has(id)) ?? [];
  const problem = failure ?? failureBehind(list.error);
  return (
    <Dialog
      open={open}
      onOpenChange={() => {
        setRenaming(null);
        show(null);
        onClose();
      }}
      title={t("conversations")}
      description={t("savedByYourTeamOpen")}
    >
      {problem?.code === "route_not_found" ? (
        <NotOffered what={t("savedConversations")} brief>
          {t("yourLastConversationStaysIn")}
        </NotOffered>
      ) : (
        <div className="space-y-4">
          <InputField
            label={t("findByName")}
            type="search"
            value={search}
            maxLength={searchLimits.length}
            autoComplete="off"
            onValue={setSearch}
          />
          {problem && <ErrorPanel error={problem} />}
          {list.isPending && <Skeleton className="h-24" />}
          {list.isSuccess && shown.length === 0 && (
            <p className="text-muted">
              {wanted ? t("noConversationMatchesThisName") : t("noSavedConversationsYetChoose")}
            </p>
          )}
          {shown.length > 0 && (
            <ul aria-label={t("conversations")} className="divide-y rounded-panel border">
              {shown.map((conversation) => (
                <li key={conversation.id} className="px-3 py-2">
                  {renaming?.id === conversation.id ? (
                    <RenameForm
                      name={conversation.name}
                      rule={conversationFields.name}
                      busy={busy}
                      onCancel={() => setRenaming(null)}
                      onRename={(name) => void rename(conversation, name)}
                    />
                  ) : (
                    <ConversationRow
                      conversation={conversation}
                      accountId={accountId}
                      onOpen={onClose}
                      onRename={() => setRenaming(conversation)}
                      onDelete={() => {
                        onClose();
                        deleteSoon(conversation.id, `“${conversation.name}”`);
                      }}
                    />
                  )}
                </li>
              ))}
            </ul>
          )}
          {list.data?.has_more && (
            <p className="text-meta text-muted">{t("theseAreTheNewestListed", { listed })}</p>
          )}
        </div>
      )}
    </Dialog>
  );
}

interface ConversationRowProps {
  conversation: ConversationSummary;
  accountId: string;
  onOpen: () => void;
  onRename: () => void;
  onDelete: () => void;
}

/** A saved conversation in the list. Its name opens it. */
function ConversationRow({ conversation, accountId, onOpen, onRename, onDelete }: ConversationRowProps) {
  const t = useWords("conversations");
  const { may } = useAccess();
  const { id, name, model, second_model: second, made_by, updated_at: updatedAt, gated } = conversation;
  const by = makerName(made_by, t.language);
  return (
    <div className="flex items-center gap-2">
      <div className="min-w-0 flex-1">
        {gated ? (
          <p className="flex min-w-0 items-center gap-1.5 font-medium">
            <Lock size={14} aria-hidden className="shrink-0 text-warn" />
            <span className="truncate">{name}</span>
          </p>
        ) : (
          <Link
            href={conversationHref(conversation)}
            onClick={onOpen}
            className="block truncate font-medium text-accent hover:underline"
          >
            {name}
          </Link>
        )}
        <p className="text-meta text-muted">
          {by && <>{t("byName", { by })} · </>}
          <span className="font-mono">{second ? `${model}, ${second}` : model}</span> ·{" "}
          <Time value={updatedAt} />
        </p>
        {gated && (
          <p className="text-meta text-warn">
            {t.rich(
              "giveTheAttestation",
              {},
              {
                link: (content) => (
                  <Link key="link" href="/attestations" className="underline">
                    {content}
                  </Link>
                ),
              },
            )}
          </p>
        )}
      </div>
      <CopyButton
        value={sharedConversation(window.location.origin, accountId, id)}
        label={t("copyLinkToName", { name })}
      />
      {may("conversations:write") && (
        <Menu
          label={t("actionsForName", { name })}
          trigger={
            <IconButton
              size="sm"
              label={t("actionsForName", { name })}
              icon={<EllipsisVertical size={16} aria-hidden />}
            />
          }
          items={[
            ...(gated ? [] : [{ label: t("rename"), onSelect: onRename }]),
            { label: t("delete"), tone: "bad" as const, onSelect: onDelete },
          ]}
        />
      )}
    </div>
  );
}
