"use client";

import { type FormEvent, useState } from "react";
import { modelFields } from "#contract/operator/constants.ts";
import type { OperatorModel } from "#contract/operator/models.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/form/input-fields";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { Switch } from "@/components/ui/form/switch";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { changeConfiguration } from "@/lib/gateway/act";
import { modelParams } from "@/lib/operator/model-row";
import { useChange } from "../use-change.ts";
import { AccountPicker } from "./account-picker.tsx";

/** Settings of any entry: its display name, and who can see it. */
export function AccessForm({ model }: { model: OperatorModel }) {
  const t = useWords("operatorModels");
  const { busy, change } = useChange();
  const [name, setName] = useState(model.display_name ?? "");
  const [hidden, setHidden] = useState(model.hidden);
  const [who, setWho] = useState<"all" | "named">(model.accounts ? "named" : "all");
  const [accounts, setAccounts] = useState<readonly string[]>(model.accounts ?? []);
  const { failure, attempt } = useSend();

  const send = async (event: FormEvent) => {
    event.preventDefault();
    const body = {
      display_name: name.trim() || null,
      hidden,
      accounts: who === "all" ? null : [...accounts],
    };
    const call = { params: modelParams(model.id), body };
    await attempt(() =>
      change(
        changeConfiguration("PATCH /operator/models/{namespace}/{name}", call),
        t("nameAndAccessSaved", { id: model.id }),
      ),
    );
  };

  return (
    <form onSubmit={(event) => void send(event)} className="max-w-[640px] space-y-5">
      <InputField
        label={t("displayName")}
        hint={t("callersAlwaysUseIdIf", { id: model.id })}
        maxLength={modelFields.display_name.maxLength}
        value={name}
        onValue={setName}
      />
      <div>
        <Switch
          label={t("hidden")}
          checked={hidden}
          onChange={(event) => setHidden(event.currentTarget.checked)}
        />
        <p className="text-meta text-muted">{t("hideInTheCatalogAnybody")}</p>
      </div>
      <RadioGroup
        legend={t("whoCanSeeAndUse")}
        value={who}
        onChange={setWho}
        options={[
          { value: "all", label: t("allAccounts") },
          { value: "named", label: t("onlyNamedAccounts") },
        ]}
      />
      {who === "named" && <AccountPicker chosen={accounts} onChange={setAccounts} />}
      {failure && <ErrorPanel error={failure} />}
      <Button type="submit" variant="primary" busy={busy}>
        {t("saveNameAndAccess")}
      </Button>
    </form>
  );
}
