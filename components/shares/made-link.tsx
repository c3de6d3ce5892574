"use client";

import type { Share } from "#contract/shares.ts";
import { CopyButton } from "@/components/ui/copy-button";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { Link } from "@/components/ui/page/link";
import { Time } from "@/components/ui/time";

/** A link that was just created. */
export function MadeLink({ share: { url, expires_at: end } }: { share: Share }) {
  return (
    <div className="space-y-3">
      <p role="status" className="sr-only">
        Link created
      </p>
      <Field label="Link">
        {(aria) => (
          <span className="flex items-center gap-1">
            <Input
              {...aria}
              data-autofocus
              readOnly
              value={url}
              onFocus={(event) => event.target.select()}
              className="font-mono text-meta"
            />
            <CopyButton value={url} label="Copy link" size="md" />
          </span>
        )}
      </Field>
      <p className="text-table text-muted">
        It ends <Time value={end} />. You can copy it again, or revoke it, under{" "}
        <Link href="/predictions/shared" className="text-accent hover:underline">
          Shared links
        </Link>
        .
      </p>
    </div>
  );
}
