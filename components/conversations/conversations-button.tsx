"use client";

import { MessagesSquare } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useAccess } from "@/components/team/access";
import { Button } from "@/components/ui/button";
import type { ConversationsDialogProps } from "./conversations-dialog";

const ConversationsDialog = dynamic(
  () => import("./conversations-dialog").then((module) => module.ConversationsDialog),
  { ssr: false },
);

/** Opens the saved conversations with a model. */
export function ConversationsButton(props: Omit<ConversationsDialogProps, "open" | "onClose">) {
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
        <span className="max-phone:sr-only">Conversations</span>
      </Button>
      {wanted && <ConversationsDialog {...props} open={open} onClose={() => setOpen(false)} />}
    </>
  );
}
