"use client";

import { EllipsisVertical, Lock } from "lucide-react";
import type { ConversationSummary } from "#contract/conversations.ts";
import { useAccess } from "@/components/team/access";
import { IconButton } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Menu } from "@/components/ui/menu";
import { Link } from "@/components/ui/page/link";
import { Time } from "@/components/ui/time";
import { conversationHref, sharedConversation } from "@/lib/conversations/address";
import { makerName } from "@/lib/team/maker";

interface ConversationRowProps {
  conversation: ConversationSummary;
  accountId: string;
  onOpen: () => void;
  onRename: () => void;
  onDelete: () => void;
}

/** A saved conversation in the list; its name opens it. */
export function ConversationRow({
  conversation,
  accountId,
  onOpen,
  onRename,
  onDelete,
}: ConversationRowProps) {
  const { may } = useAccess();
  const { id, name, model, second_model: second, made_by, updated_at: updatedAt, gated } = conversation;
  const by = makerName(made_by);
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
          {by && `by ${by} · `}
          <span className="font-mono">{second ? `${model}, ${second}` : model}</span> ·{" "}
          <Time value={updatedAt} />
        </p>
        {gated && (
          <p className="text-meta text-warn">
            <Link href="/attestations" className="underline">
              Attest what its model requires
            </Link>{" "}
            to open it.
          </p>
        )}
      </div>
      <CopyButton
        value={sharedConversation(window.location.origin, accountId, id)}
        label={`Copy link to ${name}`}
      />
      {may("conversations:write") && (
        <Menu
          label={`Actions for ${name}`}
          trigger={
            <IconButton
              size="sm"
              label={`Actions for ${name}`}
              icon={<EllipsisVertical size={16} aria-hidden />}
            />
          }
          items={[
            ...(gated ? [] : [{ label: "Rename", onSelect: onRename }]),
            { label: "Delete", tone: "bad" as const, onSelect: onDelete },
          ]}
        />
      )}
    </div>
  );
}
