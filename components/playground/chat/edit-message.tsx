"use client";

import { type KeyboardEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Textarea } from "@/components/ui/form/input";
import type { JsonObject } from "@/lib/schema-form/json";
import { picturesOf, textOfMessage, withContent } from "@/lib/schema-form/messages";
import { MessagePictures } from "./message-pictures";

interface EditMessageProps {
  message: JsonObject;
  onDone: (message: JsonObject) => void;
  onCancel: () => void;
}

/** A message said otherwise; what followed it stays as another branch. */
export function EditMessage({ message, onDone, onCancel }: EditMessageProps) {
  const [text, setText] = useState(textOfMessage(message));
  const pictures = picturesOf(message);
  const isMine = message.role === "user";
  const isEmpty = text.trim() === "" && pictures.length === 0;
  const done = () => {
    if (!isEmpty) onDone(withContent(message, text, pictures));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      onCancel();
    }
    const sends = event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing;
    if (!sends || event.repeat || event.keyCode === 229) return;
    // An answer has lines; there Ctrl+Enter is done.
    if (!isMine && !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    done();
  };
  return (
    <div className="flex w-full min-w-0 flex-col gap-2">
      <MessagePictures urls={pictures} />
      <Textarea
        autoFocus
        aria-label={isMine ? "Edit your message" : "Edit the answer"}
        value={text}
        rows={Math.min(16, Math.max(2, text.split("\n").length, Math.ceil(text.length / 80)))}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex justify-end gap-2">
        <Button size="sm" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="sm" variant="primary" disabled={isEmpty} onClick={done}>
          {isMine ? "Send again" : "Save"}
        </Button>
      </div>
    </div>
  );
}
