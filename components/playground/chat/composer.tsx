"use client";

import { ImagePlus, SendHorizontal, Square } from "lucide-react";
import { type DragEvent, type KeyboardEvent, useRef, useState } from "react";
import { WhoCan } from "@/components/team/lazy-who-can";
import { Permitted } from "@/components/team/permitted";
import { Button, IconButton } from "@/components/ui/button";
import { Textarea } from "@/components/ui/form/input";
import { acceptOf } from "@/lib/browser/accepted-types";
import { picturesOf, textOfMessage, withContent } from "@/lib/schema-form/messages";
import { UploadRow } from "../form/media/upload-row";
import { Preflight } from "../preflight";
import { usePlayground } from "../use-playground";
import { MessagePictures } from "./message-pictures";
import type { Chat } from "./use-chat";
import type { Pictures } from "./use-pictures";

const mostRows = 10;

/** Where the next message is written: Enter sends it, Shift+Enter begins a new line. */
export function Composer({ chat, pictures }: { chat: Chat; pictures: Pictures }) {
  const { uploading, runButton, gate } = usePlayground();
  const [over, setOver] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const { next } = chat;
  const text = textOfMessage(next);
  const shown = picturesOf(next);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // While characters are composed, Enter chooses among them.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229)
      return;
    event.preventDefault();
    if (!event.repeat && !chat.running) chat.send();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    pictures.take(event.dataTransfer.files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping and pasting are extras; a button does the same
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      onPaste={(event) => {
        if (pictures.take(event.clipboardData.files)) event.preventDefault();
      }}
      className={`sticky bottom-0 z-10 -mx-4 -mb-4 flex min-w-0 flex-col gap-2 rounded-b-panel border-t bg-panel px-4 py-2.5 max-tablet:bottom-[calc(52px+env(safe-area-inset-bottom))] ${over ? "border-accent" : ""}`}
    >
      <div className="mx-auto flex w-full max-w-[720px] min-w-0 flex-col gap-2">
        <MessagePictures urls={shown} onRemove={(index) => pictures.remove(next, index)} />
        {pictures.uploads.tasks.map((task) => (
          <UploadRow
            key={task.id}
            task={task}
            onCancel={() => pictures.uploads.cancel(task)}
            onRetry={() => pictures.uploads.retry(task)}
          />
        ))}
        <p role="status" className="text-meta text-warn empty:hidden">
          {pictures.refused && "This model reads no pictures."}
        </p>
        <div className="flex min-w-0 items-end gap-2">
          {pictures.isOffered && (
            <>
              <IconButton
                label="Add pictures"
                icon={<ImagePlus size={18} aria-hidden />}
                onClick={() => file.current?.click()}
              />
              <input
                ref={file}
                type="file"
                hidden
                multiple
                accept={acceptOf(["image"])}
                aria-label="Pictures of the message"
                onChange={(event) => {
                  pictures.take(event.target.files);
                  event.target.value = "";
                }}
              />
            </>
          )}
          <Textarea
            aria-label="Message"
            placeholder="Write a message"
            value={text}
            disabled={chat.unreadable}
            rows={Math.min(
              mostRows,
              Math.max(1, text.split("\n").length, Math.ceil(Math.min(text.length, 900) / 90)),
            )}
            onChange={({ target }) => chat.write(withContent(next, target.value, shown))}
            onKeyDown={onKeyDown}
            className="min-w-0 flex-1 resize-none"
          />
          {chat.running ? (
            <Button
              ref={runButton}
              icon={<Square size={14} aria-hidden />}
              onClick={chat.stop}
              aria-keyshortcuts="Escape"
            >
              Stop
            </Button>
          ) : (
            <Permitted
              to="operations:run"
              otherwise={
                <p className="text-table text-muted">
                  Your role cannot run operations. <WhoCan to="operations:run" />
                </p>
              }
            >
              <Button
                ref={runButton}
                variant="primary"
                icon={<SendHorizontal size={16} aria-hidden />}
                disabled={!chat.mayAsk || chat.unreadable || uploading > 0}
                onClick={chat.send}
                aria-keyshortcuts="Enter"
              >
                {uploading > 0 ? "Waiting for an upload" : "Send"}
              </Button>
            </Permitted>
          )}
        </div>
        <div className="max-phone:hidden">
          <Preflight />
        </div>
        <p role="status" className="text-table font-medium text-good empty:hidden">
          {gate.recorded && "Recorded. Press Send."}
        </p>
      </div>
    </div>
  );
}
