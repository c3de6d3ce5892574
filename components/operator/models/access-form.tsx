"use client";

import { type FormEvent, useState } from "react";
import { modelFields } from "#contract/operator/constants.ts";
import type { OperatorModel } from "#contract/operator/models.ts";
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
        `Name and access of ${model.id} saved`,
      ),
    );
  };

  return (
    <form onSubmit={(event) => void send(event)} className="max-w-[640px] space-y-5">
      <InputField
        label="Display name"
        hint={`Callers always use ${model.id}. If empty, people also see the id.`}
        maxLength={modelFields.display_name.maxLength}
        value={name}
        onValue={setName}
      />
      <div>
        <Switch
          label="Hidden"
          checked={hidden}
          onChange={(event) => setHidden(event.currentTarget.checked)}
        />
        <p className="text-meta text-muted">
          Hide in the catalog. Anybody who knows the id can still run the model.
        </p>
      </div>
      <RadioGroup
        legend="Who can see and use it"
        value={who}
        onChange={setWho}
        options={[
          { value: "all", label: "All accounts" },
          { value: "named", label: "Only named accounts" },
        ]}
      />
      {who === "named" && <AccountPicker chosen={accounts} onChange={setAccounts} />}
      {failure && <ErrorPanel error={failure} />}
      <Button type="submit" variant="primary" busy={busy}>
        Save name and access
      </Button>
    </form>
  );
}
