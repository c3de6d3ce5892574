import { linkedText } from "@/lib/notes/linked-text";

/** A note's text, with links. */
export function NoteText({ text }: { text: string }) {
  return (
    <p className="whitespace-pre-wrap wrap-anywhere">
      {linkedText(text).map((part, index) =>
        part.isLink ? (
          <a
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text stay in their places.
            key={index}
            href={part.text}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="text-accent underline underline-offset-2"
          >
            {part.text}
          </a>
        ) : (
          part.text
        ),
      )}
    </p>
  );
}
