"use client";

import { FormContext } from "@/components/playground/form/form-context";
import { MediaThumb, useMediaDescription } from "@/components/playground/form/media/media-thumb";

const nothing = () => {};

/** Small pictures of the files of an input. */
export function InputThumbs({ texts, baseUrl }: { texts: readonly string[]; baseUrl: string }) {
  const form = {
    baseUrl,
    problems: [],
    disabled: true,
    onUploading: nothing,
    onUnreadable: () => nothing,
  };
  return (
    <FormContext value={form}>
      <ul aria-label="Input files" className="flex gap-2">
        {texts.map((text, index) => (
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
