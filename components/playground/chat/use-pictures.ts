"use client";

import { picturesOf, textOfMessage, withContent } from "@/lib/schema-form/messages";
import { useUploads } from "../form/media/use-uploads";
import { usePlayground } from "../use-playground";
import type { Chat } from "./use-chat";

export type Pictures = ReturnType<typeof usePictures>;

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
