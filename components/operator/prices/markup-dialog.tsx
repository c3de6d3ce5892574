"use client";

import { priceFields } from "#contract/money/constants.ts";
import { useWords } from "#words";
import { Chosen, TextField } from "@/components/ui/form/bound-fields";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { settle } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { typedAmount } from "@/lib/written-amount";
import type { Words } from "@/messages/words";
import { AccountField, StartField, type StartTime, startOf } from "./price-fields.tsx";

/** Sets a markup. Loaded when the dialog opens, so that the list of prices does not load the forms. */
export function MarkupDialog({ onClose }: { onClose: () => void }) {
  const t = useWords("prices");
  const amounts = useWords("amounts");
  const router = usePageRouter();
  const { toast } = useToast();
  return (
    <ResourceDialog<MarkupValues>
      title={t("setAMarkup")}
      description={t("theNewMarkupReplacesThe")}
      defaults={{ percent: "", account_id: null, start: { when: "now", at: "" } }}
      submitLabel={t("setMarkup")}
      save={({ percent, account_id, start }) => {
        const body = { percent: percentIn(t, amounts, percent).value ?? "", account_id, ...startOf(start) };
        return settle(act("POST /operator/markups", { body }), (markup) => {
          toast({ title: t("markupOfPercentSet", { percent: markup.percent }), tone: "good" });
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
            label={t("percent")}
            rule={priceFields.percent}
            hint={t("n20Adds205Gives")}
            check={(text) => percentIn(t, amounts, text).problem}
            inputMode="decimal"
            look="tabular max-w-40"
          />
          <Chosen form={form} name="account_id">
            {({ value, onChange }) => (
              <AccountField
                label={t("account")}
                none={t("allAccountsWithoutTheirOwn")}
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

const percentIn = (t: Words<"prices">, amounts: Words<"amounts">, text: string) =>
  typedAmount(amounts, text.replace(/\s*%\s*$/, ""), t("enterPercent"));
