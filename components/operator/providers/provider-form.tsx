"use client";

import { useState } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { type RegionName, regionNames } from "#contract/catalog-constants.ts";
import { providerFields } from "#contract/operator/constants.ts";
import type { ProviderPreset } from "#contract/operator/providers.ts";
import { useWords } from "#words";
import { CheckList } from "@/components/keys/check-list";
import { Button } from "@/components/ui/button";
import { Chosen, TextField } from "@/components/ui/form/bound-fields";
import { Checkbox } from "@/components/ui/form/checkbox";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { changeConfiguration } from "@/lib/gateway/act";
import { connectedHref } from "@/lib/operator/provider-labels";
import type { Words } from "@/messages/words";
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

const exampleAddress = "https://api.example.com/v1";

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
  const t = useWords("providers");
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
        ({ name }) => t("providerAdded", { name }),
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
            label={t("address")}
            hint={preset.base_url_template ? t("replaceThePartInBraces") : undefined}
            check={(text) => addressProblem(t, text)}
            mono
            type="url"
            placeholder={exampleAddress}
          />
        )}
        {(looksPrivate(address) || allowPrivate || isRefused) && (
          <Checkbox
            {...form.register("allowPrivate")}
            label={t("allowThisPrivateAddress")}
            hint={t("tickThisOnlyIfYou")}
          />
        )}
        {allowPrivate && <OutputOriginsField />}
        <div className="max-w-80">
          <TextField
            form={form}
            name="name"
            rule={nameRule}
            label={t("name")}
            hint={t("theProvidersNameInRoutes")}
            missing={t("enterAName")}
            check={(text) => nameProblem(t, text)}
            spellCheck={false}
          />
        </div>
        <Chosen form={form} name="regions" missing={t("chooseAtLeastOneRegion")}>
          {(field) => (
            <CheckList
              {...field}
              legend={t("regions")}
              hint={
                regional
                  ? undefined
                  : preset.place === "cloud"
                    ? t("thisAddressIsUsedFor")
                    : t("theServerIsUsedFor")
              }
              options={(regional ? ownRegions : regionNames).map((value) => ({ value, label: value }))}
            />
          )}
        </Chosen>
        {failure && <ErrorPanel error={failure} />}
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {t("saveAndTest")}
        </Button>
      </form>
    </FormProvider>
  );
}

function addressProblem(t: Words<"providers">, text: string): string | true {
  const address = text.trim();
  if (/[{}<>]/.test(address)) return t("replaceThePartInBraces");
  const isAddress = new RegExp(providerFields.address.pattern).test(address);
  return isAddress || t("enterAnAddress");
}
