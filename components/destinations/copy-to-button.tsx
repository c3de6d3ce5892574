import { FolderOutput } from "lucide-react";
import type { ComponentProps } from "react";
import { Button } from "@/components/ui/button";

export interface CopyToProps {
  runId: string;
  /** Among the files of its run, from 0. */
  index: number;
  /** How the file is called on the page. */
  name: string;
}

export function CopyToButton({
  name,
  ...rest
}: Omit<ComponentProps<typeof Button>, "name"> & { name: string }) {
  return (
    <Button size="sm" variant="ghost" icon={<FolderOutput size={14} aria-hidden />} {...rest}>
      Copy to…<span className="sr-only"> a destination: {name}</span>
    </Button>
  );
}
