"use client";

import { useActionState } from "react";
import type { ReportCreate } from "#contract/reports.ts";
import { reportFields, reportReasons } from "#contract/share-constants.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Field, requiredIn } from "@/components/ui/form/field";
import { Select } from "@/components/ui/form/input";
import { InputField, SelectField, TextareaField } from "@/components/ui/form/input-fields";
import type { GatewayFailure } from "@/lib/gateway/result";

/** Empty, or the reason why the report was refused, together with the text that was typed. */
export type ReportState =
  | { failure?: never; sent?: never }
  | { failure: GatewayFailure; sent: { file: number; reason: string; comment: string; email: string } };

interface ReportFormProps {
  send: (before: ReportState, form: FormData) => Promise<ReportState>;
  /** The names of the link's files. */
  files: readonly string[];
  /** The path of the page. Without scripts the browser posts the form there, and scrolls to the answer. */
  path: string;
  /** The id of the report that was just sent; null: none. */
  reported: string | null;
}

/**
 * For visitors of a shared page: reports to the owners and the operator that a file should not be shared. Needs
 * no scripts.
 */
export function ReportForm({ send, files, path, reported }: ReportFormProps) {
  const t = useWords("shares");
  const [{ failure, sent }, submit, busy] = useActionState(send, {}, `${path}#report`);
  if (reported !== null)
    return (
      <div role="status" className="mt-8 max-w-160 rounded-panel border bg-panel p-4">
        <h2
          id="report"
          ref={(heading) => heading?.focus()}
          tabIndex={-1}
          className="text-title font-semibold"
        >
          {t("yourReportWasSent")}
        </h2>
        <p className="mt-1 wrap-anywhere">
          {t.rich(
            "theyWillReadIt",
            { id: reported },
            { code: (content) => <code key="code">{content}</code> },
          )}
        </p>
      </div>
    );
  return (
    <details
      id="report"
      className="mt-8 max-w-160 rounded-panel border bg-panel"
      open={failure !== undefined}
    >
      <summary className="cursor-pointer px-4 py-3 font-medium pointer-coarse:min-h-11">
        {t("reportThis")}
      </summary>
      <form action={submit} className="flex flex-col gap-4 border-t p-4">
        <p className="text-muted">{t("tellThePeopleWhoShared")}</p>
        {/* Not an ErrorPanel, whose advice is loaded by a script. */}
        {failure && (
          <div role="alert" className="rounded-panel border border-bad bg-bad-soft p-4 wrap-anywhere">
            <p className="font-semibold">{t("yourReportWasNotSent")}</p>
            <p lang="en">{failure.message}</p>
          </div>
        )}
        {files.length > 1 && (
          <SelectField
            label={t("whichFile")}
            required
            name="file"
            defaultValue={sent?.file}
            options={files.map((file, index) => [String(index + 1), `${index + 1}. ${file}`])}
          />
        )}
        {/* Not a SelectField, because the first option cannot be chosen. */}
        <Field label={t("reason")} required={requiredIn<ReportCreate>("reason")}>
          {(aria) => (
            <Select {...aria} name="reason" defaultValue={sent?.reason ?? ""}>
              <option value="" disabled>
                {t("chooseAReason")}
              </option>
              {reportReasons.map((reason) => (
                <option key={reason} value={reason}>
                  {t("reasonNamed", { reason })}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <TextareaField
          label={t("details")}
          hint={t("whoOrWhatItShows")}
          rule={reportFields.comment}
          name="comment"
          defaultValue={sent?.comment}
        />
        <InputField
          label={t("yourEMailAddress")}
          hint={t("theyWillReplyToThis")}
          rule={reportFields.email}
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={sent?.email}
        />
        <div>
          <Button type="submit" variant="primary" busy={busy}>
            {t("sendReport")}
          </Button>
        </div>
      </form>
    </details>
  );
}
