import type { ComponentProps } from "react";

/** A cell that grows with its text. */
export function GridCell(props: ComponentProps<"textarea">) {
  return (
    <textarea
      rows={1}
      spellCheck={false}
      {...props}
      className="block max-h-40 min-h-9 w-full resize-none bg-transparent px-2 py-2 leading-5 text-ink [field-sizing:content] focus-visible:-outline-offset-2!"
    />
  );
}
