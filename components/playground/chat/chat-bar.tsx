"use client";

import { MessageSquarePlus } from "lucide-react";
import { conversationFields } from "#contract/conversation-constants.ts";
import { useWords } from "#words";
import { ConversationsButton, SaveConversation } from "@/components/conversations/conversation-buttons";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/form/input";
import { contentsOf } from "@/lib/conversations/kept-conversation";
import type { JsonObject } from "@/lib/schema-form/json";
import { textOfMessage } from "@/lib/schema-form/messages";
import { usePlayground } from "../use-playground.ts";
import { type Chat, useChatModels } from "./use-chat.ts";

/** Actions for the whole conversation. */
export function ChatBar({ chat }: { chat: Chat }) {
  const t = useWords("playground");
  const { accountId } = usePlayground();
  const { first, second } = chat.columns;
  const isEmpty = first.past.length === 0;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <SecondModel chat={chat} />
      <span className="ml-auto flex flex-wrap gap-1">
        <Button
          size="sm"
          variant="ghost"
          icon={<MessageSquarePlus size={14} aria-hidden />}
          disabled={isEmpty || chat.running}
          onClick={chat.startNew}
        >
          <span className="max-phone:sr-only">{t("new")}</span>
        </Button>
        <SaveConversation
          accountId={accountId}
          saved={chat.saved}
          disabled={isEmpty || chat.running}
          conversation={() => ({
            name: nameOf(first.past, t("conversation")),
            model: first.model.id,
            second_model: second?.modelId ?? null,
            contents: contentsOf(chat.draftValue(), chat.keptNow()),
          })}
          onSaved={({ id, name, version }) =>
            chat.update((now) => ({ ...now, saved: { id, name, version } }))
          }
        />
        <ConversationsButton
          accountId={accountId}
          model={first.model.id}
          onGone={(id) => chat.update((now) => (now.saved?.id === id ? { ...now, saved: null } : now))}
        />
      </span>
    </div>
  );
}

/** A second model that answers the same messages. */
function SecondModel({ chat }: { chat: Chat }) {
  const t = useWords("playground");
  const { operation } = usePlayground();
  const { first, second } = chat.columns;
  const others = (useChatModels(operation.api_type, true) ?? []).filter(({ id }) => id !== first.model.id);
  const chosen = second?.modelId ?? "";
  if (others.length === 0 && !second) return null;
  return (
    <Select
      aria-label={t("secondModel")}
      value={chosen}
      disabled={chat.running}
      onChange={({ target }) => chat.setSecond(target.value || null)}
      className="w-56! max-phone:w-full!"
    >
      <option value="">{t("compareWith")}</option>
      {second && !others.some(({ id }) => id === chosen) && <option value={chosen}>{chosen}</option>}
      {others.map(({ id }) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </Select>
  );
}

const longest = 60;

/** A default name for a conversation: its first words. */
function nameOf(past: readonly JsonObject[], unnamed: string): string {
  const first = past.find(({ role }) => role === "user");
  const text = first ? textOfMessage(first).replaceAll(/\s+/g, " ").trim() : "";
  const short = text.length > longest ? `${text.slice(0, longest).trimEnd()}…` : text;
  return (short || unnamed).toWellFormed().slice(0, conversationFields.name.maxLength);
}
