"use client";

import { type FormEvent, useState } from "react";
import { type RegionName, regionNames } from "#contract/catalog-constants.ts";
import type { OperatorProvider, ProviderUpdate } from "#contract/operator/providers.ts";
import { CheckList } from "@/components/keys/check-list";
import { Button } from "@/components/ui/button";
import { FormActions } from "@/components/ui/form/form-actions";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import type { GatewayFailure } from "@/lib/gateway/result";
import { KeyFields } from "./key-fields.tsx";
import { credentialOf, type KeyValues, keyProblem } from "./provider-values.ts";

type Credentials = NonNullable<ProviderUpdate["credentials"]>;

interface ReplaceKeyFormProps {
  provider: OperatorProvider;
  submit: (credentials: Credentials, title: string) => Promise<GatewayFailure | null>;
  onCancel: () => void;
}

/** A new key for the ticked regions; new regions are added, and unticked ones are removed. */
export function ReplaceKeyForm({ provider, submit, onCancel }: ReplaceKeyFormProps) {
  const before = provider.credentials.map(({ region }) => region);
  const [key, setKey] = useState<KeyValues>({ kind: "key", key: "", ref: "" });
  const [regions, setRegions] = useState<RegionName[]>(before);
  const [error, setError] = useState<string>();
  const { failure, attempt } = useSend();

  const send = async (event: FormEvent) => {
    event.preventDefault();
    const problem = keyProblem(key);
    setError(problem === true ? undefined : problem);
    if (problem !== true) return;
    const credentials: Credentials = Object.fromEntries([
      ...before.filter((region) => !regions.includes(region)).map((region) => [region, null]),
      ...regions.map((region) => [region, credentialOf(key)]),
    ]);
    await attempt(() => submit(credentials, `Key of ${provider.name} replaced`));
  };

  return (
    <form onSubmit={(event) => void send(event)} noValidate autoComplete="off" className="space-y-4">
      <KeyFields value={key} onChange={setKey} error={error} keyUrl={null} />
      <CheckList
        legend="Regions"
        hint="All regions use this key. Models no longer run in a region that you clear."
        options={regionNames.map((value) => ({ value, label: value }))}
        value={regions}
        onChange={setRegions}
      />
      {failure && <ErrorPanel error={failure} />}
      <FormActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary">
          Replace key
        </Button>
      </FormActions>
    </form>
  );
}
