"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import type { ConversationSummary } from "#contract/conversations.ts";
import { RenameForm } from "@/components/presets/rename-form";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { NotOffered } from "@/components/ui/page/not-offered";
import { Skeleton } from "@/components/ui/page/skeleton";
import { useDeleteWithUndo } from "@/components/ui/use-delete-with-undo";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { callRoute } from "@/lib/browser/gateway";
import { act } from "@/lib/gateway/act";
import { queryKeys } from "@/lib/query-keys";
import { ConversationRow } from "./conversation-row";

const listed = 50;

export interface ConversationsDialogProps {
  open: boolean;
  onClose: () => void;
  accountId: string;
  /** Conversations with this model are listed first. */
  model: string;
  onGone: (id: string) => void;
}

/** The account's saved conversations: open, search by name, rename, share, delete. */
export function ConversationsDialog({ open, onClose, accountId, onGone }: ConversationsDialogProps) {
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
      title="Conversations"
      description="Saved by your team. Open one to read or continue it."
    >
      {problem?.code === "route_not_found" ? (
        <NotOffered what="saved conversations" brief>
          Your last one stays in this browser.
        </NotOffered>
      ) : (
        <div className="space-y-4">
          <Field label="Find by name">
            {(aria) => (
              <Input
                {...aria}
                type="search"
                value={search}
                maxLength={100}
                autoComplete="off"
                onChange={(event) => setSearch(event.target.value)}
              />
            )}
          </Field>
          {problem && <ErrorPanel error={problem} />}
          {list.isPending && <Skeleton className="h-24" />}
          {list.isSuccess && shown.length === 0 && (
            <p className="text-muted">
              {wanted
                ? "No conversation matches this name."
                : "None yet. Press Save and share in a conversation."}
            </p>
          )}
          {shown.length > 0 && (
            <ul aria-label="Conversations" className="divide-y rounded-panel border">
              {shown.map((conversation) => (
                <li key={conversation.id} className="px-3 py-2">
                  {renaming?.id === conversation.id ? (
                    <RenameForm
                      name={conversation.name}
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
            <p className="text-meta text-muted">These are the newest {listed}. Find the others by name.</p>
          )}
        </div>
      )}
    </Dialog>
  );
}
