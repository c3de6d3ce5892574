import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { MediaKind } from "@/lib/browser/accepted-types";

interface PlaceDialogProps {
  kind: MediaKind;
  /** Titles of the fields that could take the file. */
  titles: readonly string[];
  onPick: (index: number) => void;
  onClose: () => void;
}

/** Asks the user which of several fields a pasted file is for. */
export function PlaceDialog({ kind, titles, onPick, onClose }: PlaceDialogProps) {
  const t = useWords("inputForm");
  return (
    <Dialog open onOpenChange={onClose} title={t("whichFieldIsItFor", { kind })} size="sm">
      <ul className="flex flex-col gap-2">
        {titles.map((title, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two places may have one title
          <li key={index}>
            <Button className="w-full" onClick={() => onPick(index)}>
              {title}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
