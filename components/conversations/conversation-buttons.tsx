"use client";

import { MessagesSquare, Save } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Conversation, ConversationCreate } from "#contract/conversations.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { useSend } from "@/components/ui/form/use-send";
import { useToast } from "@/components/ui/toast";
import { copyText } from "@/lib/browser/copy-text";
import { callRoute } from "@/lib/browser/gateway";
import { newRunKey } from "@/lib/browser/runs/run-key";
import { sharedConversation } from "@/lib/playground-links";
import type { ConversationsDialogProps } from "./conversations-dialog.tsx";

const ConversationsDialog = dynamic(
  () => import("./conversations-dialog.tsx").then((module) => module.ConversationsDialog),
  { ssr: false },
);

/** Opens the saved conversations with a model. */
export function ConversationsButton(props: Omit<ConversationsDialogProps, "open" | "onClose">) {
  const t = useWords("conversations");
  const { may } = useAccess();
  const [open, setOpen] = useState(false);
  // Stays mounted after it was opened once, because the user may still undo a deletion.
  const [wanted, setWanted] = useState(false);
  if (!may("conversations:read")) return null;
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        icon={<MessagesSquare size={14} aria-hidden />}
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      >
        <span className="max-phone:sr-only">{t("conversations")}</span>
      </Button>
      {wanted && <ConversationsDialog {...props} open={open} onClose={() => setOpen(false)} />}
    </>
  );
}

const SaveDialog = dynamic(() => import("./save-dialog.tsx").then((module) => module.SaveDialog), {
  ssr: false,
});

interface SaveConversationProps {
  accountId: string;
  /** The saved conversation that is open. Null: a new one will be saved. */
  saved: { id: string; name: string; version: number } | null;
  disabled: boolean;
  conversation: () => ConversationCreate;
  onSaved: (conversation: Conversation) => void;
}

/** Saves a conversation for the team, with a link for colleagues. */
export function SaveConversation({
  accountId,
  saved,
  disabled,
  conversation,
  onSaved,
}: SaveConversationProps) {
  const t = useWords("conversations");
  const { toast } = useToast();
  const [naming, setNaming] = useState<string | null>(null);
  const { busy, failure, show, send } = useSend();

  const done = (made: Conversation) => {
    onSaved(made);
    setNaming(null);
    const address = sharedConversation(window.location.origin, accountId, made.id);
    toast({
      title: t("savedNameYourTeamCan", { name: made.name }),
      action: { label: t("copyLink"), onClick: () => void copyText(address) },
    });
  };
  const create = async (name: string) => {
    const headers = { "idempotency-key": newRunKey() };
    const body = { ...conversation(), name };
    const answer = await send(() => callRoute("POST /conversations", { body, headers }));
    if (answer.ok) done(answer.data);
  };
  const change = async ({ id, version }: { id: string; version: number }) => {
    const { contents, second_model = null } = conversation();
    const body = { version, contents, second_model };
    const answer = await send(() => callRoute("PATCH /conversations/{id}", { params: { id }, body }));
    if (answer.ok) done(answer.data);
    // The dialog explains the problem and can save under another name.
    else setNaming(saved?.name ?? conversation().name);
  };
  return (
    <>
      <Permitted to="conversations:write">
        <Button
          size="sm"
          variant="ghost"
          icon={<Save size={14} aria-hidden />}
          busy={busy && naming === null}
          disabled={disabled}
          title={saved ? t("savesChangesToName", { name: saved.name }) : undefined}
          onClick={() => {
            show(null);
            if (saved) void change(saved);
            else setNaming(conversation().name);
          }}
        >
          {saved ? t("saveChanges") : t("saveAndShare")}
        </Button>
      </Permitted>
      {naming !== null && (
        <SaveDialog
          name={naming}
          busy={busy}
          failure={failure}
          openHref={failure?.code === "conversation_changed" && saved ? `/conversations/${saved.id}` : null}
          onSave={(name) => void create(name)}
          onClose={() => setNaming(null)}
        />
      )}
    </>
  );
}
