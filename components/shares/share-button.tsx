"use client";

import { Share2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useWords } from "#words";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { runOfFile } from "@/lib/shares";

const ShareDialog = dynamic(() => import("./share-dialog.tsx").then((module) => module.ShareDialog), {
  ssr: false,
});

interface ShareButtonProps {
  /** Signed URLs of stored outputs. Other files cannot be shared. */
  urls: readonly string[];
  label?: string;
  /** Names the shared output, if a page has several of these buttons. */
  of?: string | undefined;
}

/** Creates a link to outputs for people without an account. Hidden if no output is stored. */
export function ShareButton({ urls, label: given, of }: ShareButtonProps) {
  const t = useWords("shares");
  const label = given ?? t("share");
  const [open, setOpen] = useState(false);
  const stored = urls.filter((url) => runOfFile(url) !== null);
  if (stored.length === 0) return null;
  return (
    <>
      <Permitted to="outputs:share">
        <Button
          size="sm"
          variant="ghost"
          icon={<Share2 size={14} aria-hidden />}
          onClick={() => setOpen(true)}
          aria-label={of && `${label} ${of}`}
        >
          {label}
        </Button>
      </Permitted>
      {open && <ShareDialog urls={stored} onClose={() => setOpen(false)} />}
    </>
  );
}
