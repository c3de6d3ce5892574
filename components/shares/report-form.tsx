"use client";

import { useActionState } from "react";
import { reportFields, reportReasonLabels, reportReasons } from "#contract/share-constants.ts";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { Input, Select, Textarea } from "@/components/ui/form/input";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import type { GatewayFailure } from "@/lib/gateway/result";

/** The state of a report: not sent yet, received, or refused, together with the text that was typed. */
export type ReportState =
  | { id?: never; failure?: never; sent?: never }
  | { id: string; failure?: never; sent?: never }
  | { id?: never; failure: GatewayFailure; sent: { reason: string; comment: string; email: string } };

interface ReportFormProps {
  send: (before: ReportState, form: FormData) => Promise<ReportState>;
  /** The names of the link's files. */
  files: readonly string[];
}

/** For visitors of a shared page: reports to the owners and the operator that a file should not be shared. */
export function ReportForm({ send, files }: ReportFormProps) {
  const [{ id, failure, sent }, submit, busy] = useActionState(send, {});
  if (id !== undefined)
    return (
      <div role="status" className="mt-8 max-w-160 rounded-panel border bg-panel p-4">
        <h2 ref={(heading) => heading?.focus()} tabIndex={-1} className="text-title font-semibold">
          Your report was sent
        </h2>
        <p className="mt-1 wrap-anywhere">
          The people who shared this and the operator of this gateway will read it. They will reply to the
          e-mail address that you gave. The id of your report is <code>{id}</code>.
        </p>
      </div>
    );
  return (
    <details className="mt-8 max-w-160 rounded-panel border bg-panel" open={failure !== undefined}>
      <summary className="cursor-pointer px-4 py-3 font-medium pointer-coarse:min-h-11">Report this</summary>
      <form action={submit} className="flex flex-col gap-4 border-t p-4">
        <p className="text-muted">
          Tell the people who shared this, and the operator of this gateway, why it should not be here. They
          decide whether to remove it.
        </p>
        {/* Without scripts, the form would be posted without an origin, because the page sends no
            referrer. Such a post is refused. */}
        <noscript>
          <p className="font-medium">Allow scripts on this page to send a report.</p>
        </noscript>
        {failure && <ErrorPanel error={failure} />}
        {files.length > 1 && (
          <Field label="Which file" required>
            {(aria) => (
              <Select {...aria} name="file">
                {files.map((file, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the files of a link stay in their places
                  <option key={index} value={index + 1}>
                    {index + 1}. {file}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        <Field label="Reason" required>
          {(aria) => (
            <Select {...aria} name="reason" defaultValue={sent?.reason ?? ""}>
              <option value="" disabled>
                Choose a reason
              </option>
              {reportReasons.map((reason) => (
                <option key={reason} value={reason}>
                  {reportReasonLabels[reason]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label="Details"
          hint="Who or what it shows, and when you found it."
          rule={reportFields.comment}
        >
          {(aria) => <Textarea {...aria} name="comment" defaultValue={sent?.comment} />}
        </Field>
        <Field
          label="Your e-mail address"
          hint="They will reply to this address. Nobody else sees it."
          rule={reportFields.email}
        >
          {(aria) => (
            <Input {...aria} name="email" type="email" autoComplete="email" defaultValue={sent?.email} />
          )}
        </Field>
        <div>
          <Button type="submit" variant="primary" busy={busy}>
            Send report
          </Button>
        </div>
      </form>
    </details>
  );
}
