"use client";

import { ImagePlus, SendHorizontal } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { useWords } from "#words";
import { IconButton } from "@/components/ui/button";
import { Textarea } from "@/components/ui/form/input";
import { acceptOf } from "@/lib/browser/accepted-types";
import { picturesOf, textOfMessage, withContent } from "@/lib/schema-form/messages";
import { useFileTaker } from "../form/media/files-from-page.tsx";
import { UploadRow, useUploads } from "../form/media/upload-row.tsx";
import { Preflight, RunButton } from "../run-bar.tsx";
import { usePlayground } from "../use-playground.ts";
import { MessagePictures } from "./message-pictures.tsx";
import type { Chat } from "./use-chat.ts";

const maxRows = 10;

export type Pictures = ReturnType<typeof usePictures>;

/** The field for the next message. Enter sends the message, Shift+Enter starts a new line. */
export function Composer({ chat, pictures }: { chat: Chat; pictures: Pictures }) {
  const t = useWords("playground");
  const { uploading, gate } = usePlayground();
  const file = useRef<HTMLInputElement>(null);
  const { next } = chat;
  const text = textOfMessage(next);
  const shown = picturesOf(next);
  useFileTaker(
    pictures.isOffered
      ? { title: t("message"), media: "image", isFilled: false, multiple: true, take: pictures.take }
      : null,
  );
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes characters, Enter chooses one of them.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229)
      return;
    event.preventDefault();
    if (!event.repeat && !chat.running) chat.send();
  };
  return (
    <div className="sticky bottom-0 z-10 -mx-4 -mb-4 flex min-w-0 flex-col gap-2 rounded-b-panel border-t bg-panel px-4 py-2.5 max-tablet:bottom-[calc(52px+env(safe-area-inset-bottom))]">
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
        <div className="flex min-w-0 items-end gap-2">
          {pictures.isOffered && (
            <>
              <IconButton
                label={t("addPictures")}
                icon={<ImagePlus size={18} aria-hidden />}
                onClick={() => file.current?.click()}
              />
              <input
                ref={file}
                type="file"
                hidden
                multiple
                accept={acceptOf(["image"])}
                aria-label={t("picturesOfTheMessage")}
                onChange={(event) => {
                  pictures.take([...(event.target.files ?? [])]);
                  event.target.value = "";
                }}
              />
            </>
          )}
          <Textarea
            aria-label={t("message")}
            placeholder={t("writeAMessage")}
            value={text}
            disabled={chat.unreadable}
            rows={Math.min(
              maxRows,
              Math.max(1, text.split("\n").length, Math.ceil(Math.min(text.length, 900) / 90)),
            )}
            onChange={({ target }) => chat.write(withContent(next, target.value, shown))}
            onKeyDown={onKeyDown}
            className="min-w-0 flex-1 resize-none"
          />
          <RunButton
            stop={chat.running ? chat.stop : null}
            onRun={chat.send}
            icon={<SendHorizontal size={16} aria-hidden />}
            disabled={!chat.mayAsk || chat.unreadable || uploading > 0}
            aria-keyshortcuts="Enter"
          >
            {uploading > 0 ? t("waitingForAnUpload") : t("send")}
          </RunButton>
        </div>
        <div className="max-phone:hidden">
          <Preflight />
        </div>
        <p role="status" className="text-table font-medium text-good empty:hidden">
          {gate.recorded && t("theAttestationIsRecordedSend")}
        </p>
      </div>
    </div>
  );
}

/** The pictures of the message that the user is writing. Files become uploads. */
export function usePictures(chat: Chat) {
  const { plan } = usePlayground();
  const field = plan.fields.find(({ kind }) => kind === "messages");
  const isOffered = field?.kind === "messages" && field.pictures;
  const uploads = useUploads({ kinds: ["image"] }, ({ reference }) =>
    chat.addPicture((message) =>
      withContent(message, textOfMessage(message), [...picturesOf(message), reference]),
    ),
  );
  return {
    /** Whether the model reads pictures. */
    isOffered,
    uploads,
    take: (files: readonly File[]) => uploads.start(files),
    remove(message: Record<string, unknown>, index: number) {
      const left = picturesOf(message).filter((_, at) => at !== index);
      chat.write(withContent(message, textOfMessage(message), left));
    },
  };
}
