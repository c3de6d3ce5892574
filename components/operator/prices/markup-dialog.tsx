"use client";

import { priceFields } from "#contract/money/constants.ts";
import { Chosen, TextField } from "@/components/ui/form/bound-fields";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { settle } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { typedAmount } from "@/lib/written-amount";
import { AccountField, StartField, type StartTime, startOf } from "./price-fields.tsx";

/** Sets a markup. Loaded when the dialog opens, so that the list of prices does not load the forms. */
export function MarkupDialog({ onClose }: { onClose: () => void }) {
  const router = usePageRouter();
  const { toast } = useToast();
  return (
    <ResourceDialog<MarkupValues>
      title="Set a markup"
      description="The new markup replaces the current one. Earlier runs keep their markup."
      defaults={{ percent: "", account_id: null, start: { when: "now", at: "" } }}
      submitLabel="Set markup"
      save={({ percent, account_id, start }) => {
        const body = { percent: percentIn(percent).value ?? "", account_id, ...startOf(start) };
        return settle(act("POST /operator/markups", { body }), (markup) => {
          toast({ title: `Markup of ${markup.percent} % set`, tone: "good" });
          router.refresh();
          onClose();
        });
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="percent"
            label="Percent"
            rule={priceFields.percent}
            hint="20 adds 20 %; -5 gives a 5 % discount."
            check={(text) => percentIn(text).problem}
            inputMode="decimal"
            look="tabular max-w-40"
          />
          <Chosen form={form} name="account_id">
            {({ value, onChange }) => (
              <AccountField
                label="Account"
                none="All accounts without their own markup"
                value={value}
                onChange={onChange}
              />
            )}
          </Chosen>
          <Chosen form={form} name="start">
            {({ value, onChange }) => <StartField value={value} onChange={onChange} />}
          </Chosen>
        </>
      )}
    </ResourceDialog>
  );
}

interface MarkupValues {
  percent: string;
  account_id: string | null;
  start: StartTime;
}

const percentIn = (text: string) =>
  typedAmount(text.replace(/\s*%\s*$/, ""), "Enter percent, such as 20 or -5.");
