"use client";

import { useQueryClient } from "@tanstack/react-query";
import { EllipsisVertical, Eye, Link2, ShieldCheck, Trash2 } from "lucide-react";
import type { Upload } from "#contract/upload.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { IconButton } from "@/components/ui/button";
import { Menu, type MenuItem } from "@/components/ui/menu";
import { useToast } from "@/components/ui/toast";
import { useFocusHandover } from "@/components/ui/use-focus-handover";
import { uploadRules } from "@/lib/status/upload";

export interface UploadMenuProps {
  upload: Upload;
  onPreview: () => void;
  onDelete: () => void;
}

/** Actions for a stored file. Loaded when the pointer touches or presses the button of the first menu. */
export function UploadMenu({ upload, onPreview, onDelete }: UploadMenuProps) {
  const t = useWords("uploads");
  const rules = uploadRules(upload.status);
  const name = upload.filename ?? upload.id;
  const { toast } = useToast();
  const { may } = useAccess();
  const writes = may("uploads:write");
  const client = useQueryClient();
  const holder = useFocusHandover<HTMLSpanElement>();
  const call = async (name: "verifyUpload" | "copyUploadLink") => {
    const calls = await import("./upload-calls.ts");
    const message = await calls[name](upload, t);
    if (name === "verifyUpload") void client.invalidateQueries({ queryKey: ["uploads"] });
    toast(message);
  };
  const items: MenuItem[] = [
    ...(rules.usable
      ? [{ label: t("preview"), icon: <Eye size={16} aria-hidden />, onSelect: onPreview }]
      : []),
    ...(rules.usable
      ? [
          {
            label: t("copyLink"),
            icon: <Link2 size={16} aria-hidden />,
            onSelect: () => void call("copyUploadLink"),
          },
        ]
      : []),
    ...(rules.canVerify && writes
      ? [
          {
            label: t("verify"),
            icon: <ShieldCheck size={16} aria-hidden />,
            onSelect: () => void call("verifyUpload"),
          },
        ]
      : []),
    ...(writes
      ? [
          {
            label: t("delete"),
            icon: <Trash2 size={16} aria-hidden />,
            tone: "bad" as const,
            onSelect: onDelete,
          },
        ]
      : []),
  ];
  return (
    <span ref={holder}>
      <Menu
        label={t("actionsForName", { name })}
        items={items}
        startsOpen
        trigger={
          <IconButton
            size="sm"
            label={t("actionsForName", { name })}
            icon={<EllipsisVertical size={16} aria-hidden />}
          />
        }
      />
    </span>
  );
}
