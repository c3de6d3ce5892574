"use client";

import { useWords } from "#words";
import { FormContext } from "@/components/playground/form/form-context";
import { MediaThumb, useMediaDescription } from "@/components/playground/form/media/media-thumb";
import { mediaIn } from "@/lib/schema-form/media-value";

const nothing = () => {};
const maxThumbs = 4;

/** Small pictures of an input's files. */
export function InputThumbs({ input, baseUrl }: { input: Record<string, unknown>; baseUrl: string }) {
  const t = useWords("predictions");
  const form = {
    baseUrl,
    problems: [],
    disabled: true,
    onUploading: nothing,
    onUnreadable: () => nothing,
  };
  return (
    <FormContext value={form}>
      <ul aria-label={t("inputFiles")} className="flex gap-2">
        {mediaIn(input, baseUrl, maxThumbs).map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the input of a prediction never changes
          <li key={index}>
            <InputThumb text={text} />
          </li>
        ))}
      </ul>
    </FormContext>
  );
}

function InputThumb({ text }: { text: string }) {
  return <MediaThumb {...useMediaDescription(text, "image")} />;
}
