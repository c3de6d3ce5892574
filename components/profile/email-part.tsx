"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { EmailChange, EmailChangeStarted } from "#contract/accounts/email-change.ts";
import { Button } from "@/components/ui/button";
import { useToast } from "@/components/ui/toast";
import type { ActionResult } from "@/lib/gateway/result";

const EmailDialog = dynamic(() => import("./email-dialog.tsx").then((module) => module.EmailDialog), {
  ssr: false,
});

interface EmailPartProps {
  hasPassword: boolean;
  change: (body: EmailChange) => ActionResult<EmailChangeStarted>;
}

/** Starts the change to another e-mail address. */
export function EmailPart({ hasPassword, change }: EmailPartProps) {
  const { toast } = useToast();
  const [open, setOpen] = useState(false);
  return (
    <div className="mt-3">
      <Button onClick={() => setOpen(true)}>Change e-mail address</Button>
      {open && (
        <EmailDialog
          hasPassword={hasPassword}
          change={change}
          onStarted={({ email }) => {
            setOpen(false);
            toast({
              title: `A link was sent to ${email}`,
              description: "Open it there to confirm. Until then you sign in as before.",
            });
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
