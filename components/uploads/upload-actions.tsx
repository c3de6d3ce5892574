"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { EllipsisVertical, Eye, Link2, ShieldCheck, Trash2 } from "lucide-react";
import type { Upload } from "#contract/upload.ts";
import { IconButton } from "@/components/ui/button";
import { failureToast } from "@/components/ui/failure-toast";
import { Menu, type MenuItem } from "@/components/ui/menu";
import { useToast } from "@/components/ui/toast";
import { useFocusHandover } from "@/components/ui/use-focus-handover";
import { copyText } from "@/lib/browser/copy-text";
import { failureBehind, fetchFromGateway } from "@/lib/browser/fetch-from-gateway";
import { formatCountdown } from "@/lib/format";
import { uploadLook } from "@/lib/status/upload";

interface UploadActionsProps {
  upload: Upload;
  onPreview: () => void;
  onDelete: () => void;
}

/** What can be done with a stored file, in one menu. */
export function UploadActions({ upload, onPreview, onDelete }: UploadActionsProps) {
  const look = uploadLook(upload.status);
  const name = upload.filename ?? upload.id;
  const { verify, copyLink } = useUploadCalls(upload);
  const holder = useFocusHandover<HTMLSpanElement>();
  const items: MenuItem[] = [
    ...(look.usable ? [{ label: "Preview", icon: <Eye size={16} aria-hidden />, onSelect: onPreview }] : []),
    ...(look.usable
      ? [
          {
            label: "Copy link",
            icon: <Link2 size={16} aria-hidden />,
            onSelect: () => copyLink.mutate(),
          },
        ]
      : []),
    ...(look.canVerify
      ? [{ label: "Verify", icon: <ShieldCheck size={16} aria-hidden />, onSelect: () => verify.mutate() }]
      : []),
    { label: "Delete", icon: <Trash2 size={16} aria-hidden />, tone: "bad", onSelect: onDelete },
  ];
  return (
    <span ref={holder}>
      <Menu
        label={`Actions for ${name}`}
        items={items}
        trigger={
          <IconButton
            size="sm"
            label={`Actions for ${name}`}
            icon={<EllipsisVertical size={16} aria-hidden />}
          />
        }
      />
    </span>
  );
}

function useUploadCalls(upload: Upload) {
  const { toast } = useToast();
  const client = useQueryClient();
  const onError = (error: Error) => {
    const failure = failureBehind(error);
    if (!failure) return;
    toast(failureToast(failure));
  };
  const verify = useMutation({
    mutationFn: () => fetchFromGateway<Upload>(`/uploads/${upload.id}/verify`, { method: "POST", body: {} }),
    onError,
    onSuccess: (verified) => {
      void client.invalidateQueries({ queryKey: ["uploads"] });
      const refused = verified.status === "rejected";
      toast({
        title: refused ? "Rejected" : "Verified",
        ...(verified.error && { description: verified.error.message }),
        tone: refused ? "bad" : "good",
      });
    },
  });
  const copyLink = useMutation({
    mutationFn: async () => {
      const fresh = await fetchFromGateway<Upload>(`/uploads/${upload.id}`);
      if (!fresh.download_url)
        throw new Error("No link is available for this file. Reload the page and try again.");
      await copyText(fresh.download_url);
      return fresh;
    },
    onError,
    onSuccess: (fresh) => {
      const leftMs = Date.parse(fresh.url_expires_at) - Date.now();
      toast({
        title: "Link copied",
        description: `Anyone with the link can open the file for ${formatCountdown(leftMs)}.`,
      });
    },
  });
  return { verify, copyLink };
}
