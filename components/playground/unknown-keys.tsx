import type { RefObject } from "react";
import { Button } from "@/components/ui/button";
import type { JsonObject } from "@/lib/schema-form/json";
import { placeOfKey, renamed, type UnknownKey } from "@/lib/schema-form/unknown-keys";

interface UnknownKeysProps {
  keys: readonly UnknownKey[];
  value: JsonObject;
  /** The text field with the JSON. */
  box: RefObject<HTMLTextAreaElement | null>;
  disabled: boolean;
  onText: (text: string) => void;
}

/** Keys that the operation does not have, each with the key that was probably meant. */
export function UnknownKeys({ keys, value, box, disabled, onText }: UnknownKeysProps) {
  const rename = ({ segments, key }: UnknownKey, to: string) => {
    const text = box.current?.value ?? "";
    const place = placeOfKey(text, key);
    if (!place || !box.current) return onText(JSON.stringify(renamed(value, segments, key, to), null, 2));
    box.current.focus();
    box.current.setSelectionRange(place.start, place.end);
    // This command is deprecated, but only it keeps the browser's undo history.
    document.execCommand("insertText", false, JSON.stringify(to).slice(1, -1));
  };
  return (
    <ul aria-label="Unknown keys" className="flex flex-col gap-1 text-table text-warn">
      {keys.map((one) => (
        <li key={JSON.stringify([one.segments, one.key])} className="flex flex-wrap items-center gap-x-2">
          <span className="wrap-anywhere">
            <code>{[...one.segments, one.key].join(".")}</code>{" "}
            {one.meant === null
              ? "is not a key of this operation. It is sent unchanged."
              : "is not a key of this operation."}
          </span>
          {one.meant !== null && (
            <Button
              size="sm"
              variant="ghost"
              disabled={disabled}
              onClick={() => one.meant !== null && rename(one, one.meant)}
            >
              Rename it to {one.meant}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
