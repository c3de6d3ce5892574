"use client";

import { EllipsisVertical } from "lucide-react";
import { useAccess } from "@/components/team/access";
import { MenuOnDemand } from "@/components/ui/menu-on-demand";
import { uploadLook } from "@/lib/status/upload";
import type { UploadMenuProps } from "./upload-menu.tsx";

const load = () => import("./upload-menu.tsx").then((module) => module.UploadMenu);

/** The button of the menu of what can be done with a stored file. */
export function UploadActions(props: UploadMenuProps) {
  const { may } = useAccess();
  const { upload } = props;
  if (!may("uploads:write") && !uploadLook(upload.status).usable) return null;
  return (
    <MenuOnDemand
      size="sm"
      label={`Actions for ${upload.filename ?? upload.id}`}
      icon={<EllipsisVertical size={16} aria-hidden />}
      load={load}
      menu={props}
    />
  );
}
