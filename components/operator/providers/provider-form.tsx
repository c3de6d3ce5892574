"use client";

import { useState } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { type RegionName, regionNames } from "#contract/catalog-constants.ts";
import { providerFields } from "#contract/operator/constants.ts";
import type { ProviderPreset } from "#contract/operator/providers.ts";
import { CheckList } from "@/components/keys/check-list";
import { Button } from "@/components/ui/button";
import { Chosen, TextField } from "@/components/ui/form/bound-fields";
import { Checkbox } from "@/components/ui/form/checkbox";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { changeConfiguration } from "@/lib/gateway/act";
import { connectedHref } from "@/lib/operator/provider-labels";
import { useChange } from "../use-change.ts";
import { KeyFields, OutputOriginsField } from "./key-fields.tsx";
import {
  looksPrivate,
  nameProblem,
  nameRule,
  newProviderValues,
  type ProviderValues,
  providerBody,
} from "./provider-values.ts";

interface ProviderFormProps {
  preset: ProviderPreset;
  homeRegion: RegionName;
  /** Regions that offer models of the kinds that the preset serves. */
  neededRegions: readonly RegionName[];
  takenNames: readonly string[];
  /** True inside the first steps, which continue with a first run. */
  guided?: boolean;
}

/**
 * The form for a provider's name, address and key, and the regions that its models need. After saving, the
 * next page tests the provider.
 */
export function ProviderForm({ preset, homeRegion, neededRegions, takenNames, guided }: ProviderFormProps) {
  const router = usePageRouter();
  const { change } = useChange();
  // A name may resolve to a private address, which only the gateway can find out.
  const [isRefused, setIsRefused] = useState(false);
  const form = useForm<ProviderValues>({
    defaultValues: newProviderValues(preset, { homeRegion, neededRegions, takenNames }),
  });
  const { isSubmitting } = form.formState;
  const { failure, attempt } = useSend({ names: ["name", "address"], setError: form.setError });
  const [address, allowPrivate] = form.watch(["address", "allowPrivate"]);
  const ownRegions = Object.keys(preset.base_urls) as RegionName[];
  const regional = ownRegions.length > 0;

  const send = form.handleSubmit(async (values) => {
    const error = await attempt(async () => {
      const refused = await change(
        changeConfiguration("POST /operator/providers", { body: providerBody(values, preset) }),
        ({ name }) => `${name} added`,
        ({ id }) => router.push(connectedHref(id, guided)),
      );
      return refused?.param === "base_url" ? { ...refused, param: "address" } : refused;
    });
    if (error?.code === "private_address_not_allowed") setIsRefused(true);
  });

  return (
    <FormProvider {...form}>
      <form onSubmit={send} noValidate className="max-w-[640px] space-y-5" autoComplete="off">
        <KeyFields keyUrl={preset.key_url} />
        {!regional && (
          <TextField
            form={form}
            name="address"
            rule={providerFields.address}
            label="Address"
            hint={preset.base_url_template ? "Replace the part in braces." : undefined}
            check={addressProblem}
            mono
            type="url"
            placeholder="https://api.example.com/v1"
          />
        )}
        {(looksPrivate(address) || allowPrivate || isRefused) && (
          <Checkbox
            {...form.register("allowPrivate")}
            label="Allow this private address"
            hint="Tick this only if you run the server: the gateway will send it the requests of all operations mapped to it."
          />
        )}
        {allowPrivate && <OutputOriginsField />}
        <div className="max-w-80">
          <TextField
            form={form}
            name="name"
            rule={nameRule}
            label="Name"
            hint="The provider's name in routes and logs."
            missing="Enter a name."
            check={nameProblem}
            spellCheck={false}
          />
        </div>
        <Chosen form={form} name="regions" missing="Choose at least one region.">
          {(field) => (
            <CheckList
              {...field}
              legend="Regions"
              hint={
                regional
                  ? undefined
                  : preset.place === "cloud"
                    ? "This address is used for every region that you tick. A model runs only in regions of its provider, so all regions that the models need are ticked at first."
                    : "The server is used for every region that you tick. One is enough for the models that you import. Models of the catalog need one of their own regions."
              }
              options={(regional ? ownRegions : regionNames).map((value) => ({ value, label: value }))}
            />
          )}
        </Chosen>
        {failure && <ErrorPanel error={failure} />}
        <Button type="submit" variant="primary" busy={isSubmitting}>
          Save and test
        </Button>
      </form>
    </FormProvider>
  );
}

function addressProblem(text: string): string | true {
  const address = text.trim();
  if (/[{}<>]/.test(address)) return "Replace the part in braces.";
  const isAddress = new RegExp(providerFields.address.pattern).test(address);
  return isAddress || "Enter an address that starts with https:// or http://";
}
