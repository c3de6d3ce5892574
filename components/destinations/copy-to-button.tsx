import type { ComponentProps } from "react";
import { useWords } from "#words";
import { ShellIcon } from "@/components/shell/shell-icon";
import { Button } from "@/components/ui/button";

export interface CopyToProps {
  runId: string;
  /** Position among the run's files, from 0. */
  index: number;
  /** The file's name on the page. */
  name: string;
}

export function CopyToButton({
  name,
  ...rest
}: Omit<ComponentProps<typeof Button>, "name"> & { name: string }) {
  return (
    <Button size="sm" variant="ghost" icon={<ShellIcon name="folder-output" size={14} />} {...rest}>
      {useWords("destinations").rich(
        "copyTo",
        { name },
        {
          hidden: (text) => (
            <span key="name" className="sr-only">
              {text}
            </span>
          ),
        },
      )}
    </Button>
  );
}
