"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useToast } from "@/components/ui/toast";

const EmailDialog = dynamic(() => import("./email-dialog.tsx").then((module) => module.EmailDialog), {
  ssr: false,
});

/** Starts the change to another e-mail address. */
export function EmailPart({ hasPassword }: { hasPassword: boolean }) {
  const { toast } = useToast();
  const [open, setOpen] = useState(false);
  return (
    <div className="mt-3">
      <Button onClick={() => setOpen(true)}>Change e-mail address</Button>
      {open && (
        <EmailDialog
          hasPassword={hasPassword}
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
